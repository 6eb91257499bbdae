import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { isOfPublisher, roleRows, seesRows } from '@pc/domain/access/role-duties.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface DemoUser {
  readonly role: Role
  readonly email: string
}

/** One user per role. */
export const DEMO_USERS: readonly DemoUser[] = ROLES.map(role => ({
  role,
  email: `${role.replaceAll(':', '.')}@example.jp`,
}))

/** How many of the organisation's agreements its editor is assigned to. */
const EDITOR_AGREEMENTS = 2

export async function insertUsers(tx: Transaction, passwordHashes: readonly string[], verifiedAt: Date): Promise<void> {
  const organization = await tx.selectFrom('organizations').select('id').orderBy('id').executeTakeFirstOrThrow()
  const agreements = await tx
    .selectFrom('agreements')
    .select('id')
    .where('organizationId', '=', organization.id)
    .orderBy('id')
    .limit(EDITOR_AGREEMENTS)
    .execute()
  await tx
    .insertInto('roles')
    .values(roleRows())
    .onConflict(conflict => conflict.doNothing())
    .execute()
  for (const [at, { role, email }] of DEMO_USERS.entries()) {
    const isPublisherSide = isOfPublisher([role]) || /publisher|brand/.test(role)
    const { uid } = await tx
      .insertInto('users')
      .values({ email, emailVerifiedAt: verifiedAt, organizationId: isPublisherSide ? organization.id : null })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid, roleName: role }).execute()
    await tx.insertInto('idpAccounts').values({ uid, passwordHash: passwordHashes[at]! }).execute()
    if (seesRows([role], 'agreements')) {
      await tx
        .insertInto('userAgreements')
        .values(agreements.map(({ id }) => ({ uid, agreementId: id })))
        .execute()
    }
  }
}
