import type { Permit } from '@pc/domain/access/decide.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { jsonBuildObject } from 'kysely/helpers/postgres'

export interface UserRow {
  readonly uid: string
  readonly email: string
  readonly photoUrl: string | null
  readonly enabled: boolean
  readonly roles: readonly Role[]
  readonly organization: { readonly id: bigint; readonly name: string } | null
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A user within the rows of the permit; undefined for one outside of them exactly as for one that does not exist. */
export async function findUser(
  database: Database,
  uid: string,
  permit: Permit<'read:show', 'iam:user.'>,
): Promise<UserRow | undefined> {
  if (!UUID.test(uid)) return undefined
  const scope = withOwnOrganization(permit)
  if (scope.kind !== 'all' && scope.kind !== 'organization' && uid.toLowerCase() !== permit.viewer.uid) return undefined
  const row = await database.inScope(scope, tx =>
    tx
      .selectFrom('users as u')
      .leftJoin('organizations as o', 'o.id', 'u.organizationId')
      .select(['u.uid', 'u.email', 'u.photoUrl', 'u.enabled'])
      .select(eb => [
        // As text: JSON would round a 64-bit id.
        jsonBuildObject({ id: eb.cast<string>('o.id', 'text'), name: eb.ref('o.name') }).as('organization'),
        eb
          .selectFrom('userRoles as r')
          .select(role =>
            role.fn
              .coalesce(
                role.fn.agg<string[]>('array_agg', ['r.roleName']).orderBy('r.roleName'),
                role.val<string[]>([]),
              )
              .as('names'),
          )
          .whereRef('r.uid', '=', 'u.uid')
          .as('roles'),
      ])
      .where('u.uid', '=', uid)
      .$if(scope.kind === 'organization', query =>
        query.where('u.organizationId', '=', scope.kind === 'organization' ? scope.organizationId : null),
      )
      .executeTakeFirst(),
  )
  if (!row) return undefined
  const { id, name } = row.organization
  return {
    uid: row.uid,
    email: row.email,
    photoUrl: row.photoUrl,
    enabled: row.enabled,
    roles: ROLES.filter(role => row.roles?.includes(role)),
    organization: id === null || name === null ? null : { id: BigInt(id), name },
  }
}

/** Everybody may know the name of the own organisation; the scope of the own row alone would hide it. */
function withOwnOrganization(permit: Permit): Scope {
  const { scope, viewer } = permit
  return scope.kind === 'self' ? { kind: 'agreements', uid: viewer.uid, organizationId: viewer.organizationId } : scope
}
