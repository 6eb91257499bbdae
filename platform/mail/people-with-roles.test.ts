import type { Role } from '@pc/domain/access/role.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../postgres/database.ts'
import { addressesOf, peopleWithRoles } from './people-with-roles.ts'

const { database, drop } = await testDatabase()
afterAll(drop)
const AT = new Date('2026-11-01T00:00:00Z')
const ADMIN: Role = 'insight:publisher_admin'
const EDITOR: Role = 'insight:publisher_editor'
let [own, other] = [0n, 0n]

beforeAll(() =>
  database.inScope(SYSTEM, async tx => {
    const made = await tx
      .insertInto('organizations')
      .values([{ name: 'A' }, { name: 'B' }])
      .returning('id')
      .execute()
    own = made[0]!.id
    other = made[1]!.id
    await tx
      .insertInto('roles')
      .values([{ name: ADMIN }, { name: EDITOR }])
      .execute()
    const person = async (name: string, roles: readonly Role[], more: object = {}) => {
      const values = { email: `${name}@example.com`, organizationId: own, emailVerifiedAt: AT, ...more }
      const { uid } = await tx.insertInto('users').values(values).returning('uid').executeTakeFirstOrThrow()
      for (const roleName of roles) await tx.insertInto('userRoles').values({ uid, roleName }).execute()
    }
    await person('both', [ADMIN, EDITOR])
    await person('admin', [ADMIN])
    await person('editor', [EDITOR])
    await person('nobody', [])
    await person('disabled', [ADMIN], { enabled: false })
    await person('unconfirmed', [ADMIN], { emailVerifiedAt: null })
    await person('disabled-unconfirmed', [ADMIN], { enabled: false, emailVerifiedAt: null })
    await person('elsewhere', [ADMIN], { organizationId: other })
    await person('free', [ADMIN], { organizationId: null })
    await person('unsendable', [ADMIN], { email: 'nobody@localhost' })
  }),
)

const names = (roles: readonly Role[], who?: Parameters<typeof peopleWithRoles>[2]) =>
  database.inScope(SYSTEM, async tx =>
    addressesOf(await peopleWithRoles(tx, roles, who).execute()).map(address => address.split('@')[0]),
  )

test('who has a role, once each, but nobody who is disabled or has not confirmed the address', async () => {
  expect(await names([ADMIN])).toEqual(['admin', 'both', 'elsewhere', 'free'])
  expect(await names([ADMIN, EDITOR])).toEqual(['admin', 'both', 'editor', 'elsewhere', 'free'])
  expect(await names(['insight:admin'])).toEqual([])
})

test('of one organisation', async () => {
  expect(await names([ADMIN], { organizationId: own })).toEqual(['admin', 'both'])
  expect(await names([ADMIN], { organizationId: other })).toEqual(['elsewhere'])
})

test('anyone who was invited and has not come yet only where the caller says so; who is disabled never', async () => {
  expect(await names([ADMIN], { evenUnconfirmed: true, organizationId: own })).toEqual(['admin', 'both', 'unconfirmed'])
})

test('no email is written to what no mail server takes', () => {
  expect(
    addressesOf(['a@example.com', 'A@example.com', 'a@localhost', 'a@example.com', ''].map(email => ({ email }))),
  ).toEqual(['a@example.com'])
})
