import { type PolicyRow, policyRow } from '@pc/domain/access/client-policy.ts'
import type { Permit } from '@pc/domain/access/decide.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { roleRows } from '@pc/domain/access/role-duties.ts'
import { GRANTS_OF_ROLE, GRANTS_WITHOUT_ROLE } from '@pc/domain/access/role-policies.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'

/** The side of roles that are no longer declared; the policies of PostgreSQL grant it nothing. */
const UNKNOWN_SIDE = 'other service'

/**
 * Writes the roles and policies that `domain/access` declares; does nothing when they are current.
 * Tested by `features/access/server/list-users.test.ts`.
 * @returns whether something was written
 */
export async function seedPolicies(database: Database): Promise<boolean> {
  const wanted = ROLES.flatMap(role =>
    (GRANTS_OF_ROLE.get(role) ?? []).map(grant => ({ roleName: role as string, ...policyRow(grant, role) })),
  )
  const roles = roleRows()
  const isCurrent = (rows: readonly object[]) => textOf(rows) === textOf([...roles, ...wanted])
  if (isCurrent(await database.inScope(SYSTEM, readAll))) return false
  return database.inScope(SYSTEM, async tx => {
    // Of two servers that start at once, the second waits here and finds the work done.
    await tx.selectNoFrom(eb => eb.fn('pg_advisory_xact_lock', [eb.val(7_120_317)]).as('locked')).execute()
    if (isCurrent(await readAll(tx))) return false
    await tx
      .insertInto('roles')
      .values(roles)
      .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ side: eb.ref('excluded.side') })))
      .execute()
    await tx.updateTable('roles').set({ side: UNKNOWN_SIDE }).where('name', 'not in', ROLES).execute()
    await tx.deleteFrom('policies').execute()
    await tx
      .insertInto('policies')
      .values(wanted.map(row => ({ ...row, actions: [...row.actions] })))
      .execute()
    return true
  })
}

/** The caller's policies: those of all roles, and those that need no role. */
export async function policiesOfViewer(database: Database, viewer: Viewer): Promise<PolicyRow[]> {
  const rows = await readPolicies(database, viewer.roles)
  const all = [...GRANTS_WITHOUT_ROLE.map(grant => policyRow(grant, null)), ...rows]
  return viewer.impersonatedBy ? all.flatMap(readingPart) : all
}

/** The reading part of a policy: an impersonation is read-only. */
function readingPart(row: PolicyRow): PolicyRow[] {
  const actions = row.actions.filter(action => action.startsWith('read:'))
  return actions.length > 0 ? [{ ...row, actions }] : []
}

/** All policies of a role. */
export function policiesOfRole(
  database: Database,
  role: Role,
  _permit: Permit<'read:list', 'iam:user_role.'>,
): Promise<PolicyRow[]> {
  return readPolicies(database, [role])
}

/** Reads as the system, because what roles may do is public to everybody. */
function readPolicies(database: Database, roles: readonly Role[]): Promise<PolicyRow[]> {
  if (roles.length === 0) return Promise.resolve([])
  return database
    .reader(SYSTEM)
    .selectFrom('policies')
    .select(['actions', 'resourceName', 'conditionKey', 'conditionValue'])
    .where('roleName', 'in', roles)
    .orderBy('id')
    .execute()
}

async function readAll(tx: Transaction): Promise<readonly object[]> {
  const roles = tx.selectFrom('roles').select(['name', 'side'])
  return [
    ...(await roles.where(eb => eb.or([eb('name', 'in', ROLES), eb('side', '<>', UNKNOWN_SIDE)])).execute()),
    ...(await tx
      .selectFrom('policies')
      .select(['roleName', 'actions', 'resourceName', 'conditionKey', 'conditionValue'])
      .execute()),
  ]
}

function textOf(rows: readonly object[]): string {
  return rows
    .map(row => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort()
    .join('\n')
}
