import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Role } from '@pc/domain/access/role.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { TestBrowser } from '../test-browser.ts'
import { type SystemUnderTest, startSystemUnderTest, WEB_ORIGIN } from './system-under-test.ts'

type Api = 'iam' | 'insight'
export const MUTATIONS = {
  inviteUser:
    'mutation M($input: InviteUserInput!) { inviteUser(input: $input) { uid email invitation { expiresAt } } }',
  regenerateInviteLink: 'mutation M($uid: ID!) { regenerateInviteLink(uid: $uid) { uid } }',
  updateEmail: 'mutation M($uid: ID!, $email: String!) { updateEmail(uid: $uid, email: $email) { uid email } }',
  updateRoles:
    'mutation M($uid: ID!, $roles: [String!]!, $agreementIds: [ID!]) { updateRoles(uid: $uid, roles: $roles, agreementIds: $agreementIds) { roles { name } agreementIds } }',
  setUserEnabled:
    'mutation M($uid: ID!, $enabled: Boolean!) { setUserEnabled(uid: $uid, enabled: $enabled) { enabled } }',
  resetSecondFactor: 'mutation M($uid: ID!) { resetSecondFactor(uid: $uid) { uid hasSecondFactor } }',
  confirmAccountChange:
    'mutation M($uid: ID!, $id: ID!) { confirmAccountChange(uid: $uid, id: $id) { uid email pendingChange { id } } }',
  withdrawAccountChange:
    'mutation M($uid: ID!, $id: ID!) { withdrawAccountChange(uid: $uid, id: $id) { uid pendingChange { id } } }',
  deleteUser: 'mutation M($uid: ID!) { deleteUser(uid: $uid) { uid } }',
  createOrganization: 'mutation M($name: String!) { createOrganization(name: $name) { id name } }',
  updateOrganization: 'mutation M($id: ID!, $name: String!) { updateOrganization(id: $id, name: $name) { id name } }',
  deleteOrganization: 'mutation M($id: ID!) { deleteOrganization(id: $id) { id } }',
  startViewAs: 'mutation M($uid: ID!, $reason: String!) { startViewAs(uid: $uid, reason: $reason) { uid } }',
} as const

/**
 * People, their emails and their sign-in screens, for the tests of one file. The hourly limit of emails does not carry
 * over from test to test.
 */
export function peopleFixture() {
  let system: SystemUnderTest
  beforeAll(async () => {
    system = await startSystemUnderTest()
    await system.dependencies.jobs.work(system.dependencies.jobHandlers)
    const { uid } = system.rows.users.disabled
    await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.updateTable('users').set({ enabled: false }).where('uid', '=', uid).execute(),
    )
  })
  beforeEach(() => system.dependencies.database.inScope(SYSTEM, tx => sql`delete from sent_mails`.execute(tx)))
  afterAll(() => system?.close())

  const as = (name: keyof SystemUnderTest['rows']['users']) => system.tokenOf(system.rows.users[name].email)
  async function run(api: Api, token: string, query: string, variables?: object) {
    const { json } = await system.ask(api, query, token, variables)
    const [error] = json.errors ?? []
    const refusals = (error?.extensions.refusals ?? []) as { code: string; message: string; path: string[] }[]
    return {
      data: json.data as Record<string, Record<string, unknown>> | null | undefined,
      code: error?.extensions.code,
      refused: refusals.map(refusal => refusal.code).join(' '),
      message: error?.message,
    }
  }
  const change = (token: string, name: keyof typeof MUTATIONS, variables: object) =>
    run('iam', token, MUTATIONS[name], variables)
  async function makeUser(roles: readonly Role[], organizationId: bigint | null = system.rows.a.organizationId) {
    const email = `person${Math.random().toString(36).slice(2, 10)}@example.jp`
    return system.dependencies.database.inScope(SYSTEM, async tx => {
      const { uid } = await tx
        .insertInto('users')
        .values({ email, organizationId })
        .returning('uid')
        .executeTakeFirstOrThrow()
      for (const roleName of roles) await tx.insertInto('userRoles').values({ uid, roleName }).execute()
      return { uid, email }
    })
  }
  async function lastAudit() {
    const found = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
    return found
  }
  const viewerCode = async (token: string) => (await run('iam', token, '{ viewer { uid } }')).code

  /** The text of every email to an address, in the order of sending. */
  async function mailsTo(address: string): Promise<string[]> {
    const folder = path.join(system.dependencies.config.dataDir, 'outbox')
    const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml')).sort()
    const mails = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')))
    return mails.filter(mail => mail.includes(address)).map(decodedMail)
  }
  async function secretMailedTo(address: string, nth: number): Promise<string> {
    await expect.poll(async () => (await mailsTo(address)).length, { timeout: 20_000 }).toBe(nth)
    return (await mailsTo(address)).at(-1)?.match(/#\/[\w-]+\/([\w-]{43})/)?.[1] ?? ''
  }
  const page = () => {
    const browser = new TestBrowser(system.origins.web)
    return (name: string, body?: unknown, headers = {}) => browser.api(name, body, { origin: WEB_ORIGIN, ...headers })
  }
  return {
    get system() {
      return system
    },
    ...{ as, run, change, makeUser, lastAudit, viewerCode, mailsTo, secretMailedTo, page },
  }
}

/** An email of the outbox as its recipient reads it. */
export function decodedMail(source: string): string {
  const parts = source.split(/\r\n\r\n/)
  return parts
    .map((part, at) =>
      /base64/i.test(parts[at - 1] ?? '') ? Buffer.from(part.split('\r\n--')[0] ?? '', 'base64').toString() : part,
    )
    .join('\n')
}
