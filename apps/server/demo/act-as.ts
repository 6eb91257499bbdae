import type { GranularAction } from '@pc/domain/access/action.ts'
import { decide } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import type { Result } from '@pc/domain/result.ts'
import { type Change, recordChange } from '@pc/platform/audit/record-change.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

/** Address range reserved for documentation (RFC 5737). */
const SOURCE_ADDRESS = '192.0.2.20'

/**
 * Runs a use case as the demonstration user of a role, with that user's permissions, row-level security and audit rows,
 * as a mutation would.
 */
export async function actAs<A extends GranularAction, R extends ResourceName, T>(
  database: Database,
  role: Role,
  [action, resource]: readonly [A, R],
  useCase: (write: Write<A, R>) => Promise<Result<T, unknown>>,
): Promise<T> {
  const { uid, email, organizationId } = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('users as u')
      .innerJoin('userRoles as r', 'r.uid', 'u.uid')
      .select(['u.uid', 'u.email', 'u.organizationId'])
      .where('r.roleName', '=', role)
      .orderBy('u.createdAt')
      .orderBy('u.email')
      .executeTakeFirstOrThrow(),
  )
  const roles = [role]
  const viewer = { uid, email, roles, organizationId, scope: viewerScope(uid, roles, organizationId) }
  const permit = decide(viewer, action, resource)
  if (!permit) throw new Error(`${role} of the demonstration may not ${action} ${resource}`)
  return database.inScope(permit.scope, async tx => {
    const changes: Change[] = []
    const actor = { uid, actingAsUid: null, sourceAddress: SOURCE_ADDRESS, requestId: 'demo' }
    const record = (change: Change) => void changes.push(change)
    const result = await useCase({ tx, permit, actor, record, recordNothing() {} })
    if (!result.ok) throw new Error(`the demonstration was refused: ${JSON.stringify(result.refusals)}`)
    await recordChange(tx, actor, ...changes)
    return result.value
  })
}
