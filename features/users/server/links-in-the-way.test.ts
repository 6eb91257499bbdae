import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { peopleFixture } from '@pc/testing/system/people-fixture.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

/**
 * A person opens a link while an administrator changes the same person: each transaction holds a lock that the other
 * one needs, and PostgreSQL cancels one of them. The person gets a response in both cases.
 */
const fixture = peopleFixture()
const { as, change, makeUser, secretMailedTo, page } = fixture
const inDatabase = <T>(work: (tx: Transaction) => Promise<T>) =>
  fixture.system.dependencies.database.inScope(SYSTEM, work)

/** SQL state of a deadlock. */
const DEADLOCK = '40P01'

const LINKS = {
  async 'an invitation that is sent again'() {
    const { organizationId } = fixture.system.rows.a
    const email = `link${Math.random().toString(36).slice(2)}@example.jp`
    const input = { email, roles: ['insight:publisher_admin'], organizationId: String(organizationId) }
    const uid = String((await change(await as('iam:admin'), 'inviteUser', { input })).data?.inviteUser?.uid)
    const secret = await secretMailedTo(email, 1)
    return {
      uid,
      open: () => page()('invite/accept', { secret, password: 'my own new words' }),
      answered: 200,
      touch: (tx: Transaction) => sql`update invitations set invited_at = now() where uid = ${uid}::uuid`.execute(tx),
    }
  },
  async 'a new password while the sessions end'() {
    const { uid, email } = await makeUser(['insight:viewer'])
    const hash = await hashPassword('the right words here')
    await inDatabase(tx =>
      sql`insert into idp_accounts (uid, password_hash) values (${uid}::uuid, ${hash})`.execute(tx),
    )
    expect((await page()('forgot-pass', { email })).status).toBe(200)
    const secret = await secretMailedTo(email, 1)
    return {
      uid,
      open: () => page()('reset-pass', { secret, newPassword: 'my own new words' }),
      // The link has ended together with the sessions.
      answered: 410,
      touch: (tx: Transaction) => sql`select app.end_sessions_of(${uid}::uuid)`.execute(tx),
    }
  },
  async 'an objection while another one is decided'() {
    const { uid, email } = await makeUser(['insight:viewer'])
    const requested = await change(await as('iam:admin'), 'updateEmail', { uid, email: `new.${email}` })
    expect(requested.code).toBeUndefined()
    const secret = await secretMailedTo(`To: ${email}`, 1)
    return {
      uid,
      open: () => page()('account-change/object', { secret }),
      answered: 200,
      touch: (tx: Transaction) =>
        sql`update idp_payloads p set expires_at = p.expires_at from account_changes c where c.uid = ${uid}::uuid
          and p.model = 'AccountChangeLink' and p.payload ->> 'change' = c.id::text`.execute(tx),
    }
  },
}

test.each(Object.keys(LINKS) as (keyof typeof LINKS)[])('%s', async name => {
  const { uid, open, touch, answered } = await LINKS[name]()
  let opened: ReturnType<typeof open> | undefined
  let isChanged = true
  const changing = inDatabase(async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid from users where uid = ${uid}::uuid
      for update`.execute(tx)
    opened = open()
    await until(async () => {
      const waiting = await inDatabase(other =>
        sql`select 1 from pg_stat_activity where ${rows[0]?.pid}::int = any(pg_blocking_pids(pid))`.execute(other),
      )
      return waiting.rows.length > 0 || undefined
    })
    await touch(tx)
  })
  await changing.catch(error => {
    if (error.code !== DEADLOCK) throw error
    isChanged = false
  })
  expect((await opened!).status).toBe(isChanged ? answered : 200)
})
