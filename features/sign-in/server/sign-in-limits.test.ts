import fs from 'node:fs'
import { fixedClock } from '@pc/platform/clock.ts'
import { removeExpiredPayloads } from '@pc/platform/oidc/provider-adapter.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { cpuMs } from '@pc/testing/processor-time.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { untilAnswered } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS, reserveAttempt } from './attempt-limit.ts'
import { resetLimitsByCommand } from './reset-limits-command.ts'

const PASSWORD = 'a good password for tests'
const START = Date.parse('2026-11-20T09:00:00Z')
const clock = fixedClock(new Date(START).toISOString())
let db: TestDatabase
let server: IdentityServer

beforeAll(async () => {
  db = await testDatabase({ maxConnections: 10 })
  server = await identityServer(db.database, { clock, env: { TRUSTED_PROXIES: '1' } })
  await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD })
  await addUser(db.database, { email: 'hana@example.jp', password: PASSWORD })
  const gone = await addUser(db.database, { email: 'gone@example.jp', password: PASSWORD })
  await db.database.inScope(SYSTEM, tx => sql`update users set enabled = false where uid = ${gone}::uuid`.execute(tx))
})
beforeEach(async () => {
  clock.set(new Date(START).toISOString())
  await db.database.inScope(SYSTEM, tx => sql`delete from idp_attempts`.execute(tx))
})
afterAll(async () => {
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

it('is what the table of limits for operators says', () => {
  const operators = fs.readFileSync(new URL('../../../docs/production.md', import.meta.url), 'utf8')
  const { passwordOfAccount, credentialsFromAddress, resetsFromAddress, signInsFromAddress } = LIMITS
  expect(resetsFromAddress).toBe(credentialsFromAddress)
  expect(operators).toContain(
    `${passwordOfAccount} wrong passwords per account, ${credentialsFromAddress} and as many resets per network address in ` +
      `15 minutes; ${signInsFromAddress} requests to sign in per network address`,
  )
})

let network = 0
/** From an address of its own unless one is given. */
function attempt(email: string, password: string, headers: Record<string, string> = {}) {
  const address = `198.51.${++network >> 8}.${network & 255}`
  return new TestBrowser(server.origin).api('sign-in', { email, password }, { 'x-forwarded-for': address, ...headers })
}
const later = (minutes: number) => clock.set(new Date(START + minutes * 60_000).toISOString())

describe('wrong passwords', () => {
  it('are counted before they are looked at: of 100 parallel ones ten are evaluated', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => untilAnswered(() => attempt('taro@example.jp', `wrong ${n}`))),
    )
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(10)
    const limited = answers.filter(answer => answer.status === 429)
    expect(limited).toHaveLength(90)
    expect(limited.every(answer => Number(answer.headers.get('retry-after')) > 0)).toBe(true)
    expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(429)
    expect((await attempt('hana@example.jp', PASSWORD)).status).toBe(200)
  })

  it('count together in every spelling of the address', async () => {
    const spellings = [
      'taro@example.jp',
      'TARO@example.jp',
      ' taro@example.jp',
      'taro@EXAMPLE.jp ',
      'ｔａｒｏ@example.jp',
      'taro＠example.jp',
    ]
    for (let n = 0; n < 10; n++) expect((await attempt(spellings[n % 6] ?? '', 'wrong')).status).toBe(401)
    for (const spelling of spellings) expect((await attempt(spelling, PASSWORD)).status).toBe(429)
  })

  it('lock nobody out for good: a quarter of an hour later the next one may come, and never more than ten', async () => {
    for (let n = 0; n < 10; n++) {
      later(n)
      expect((await attempt('taro@example.jp', 'wrong')).status).toBe(401)
    }
    later(14.9)
    expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(429)
    later(15.1)
    expect((await attempt('taro@example.jp', 'wrong')).status).toBe(401)
    expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(429)
    later(16.1)
    expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(200)
  })

  it('of strangers do not lock out the owner, whose own browser has its own limit', async () => {
    const own = new TestBrowser(server.origin)
    const from = (browser: TestBrowser, email: string, password: string) =>
      browser.api('sign-in', { email, password }, { 'x-forwarded-for': '192.0.2.7' })
    expect((await from(own, 'taro@example.jp', PASSWORD)).status).toBe(200)
    await Promise.all(Array.from({ length: 20 }, () => attempt('taro@example.jp', 'wrong')))
    expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(429)
    expect((await from(own, 'taro@example.jp', PASSWORD)).status).toBe(200)
    const guesses = await Promise.all(Array.from({ length: 30 }, () => from(own, 'taro@example.jp', 'wrong')))
    expect(guesses.filter(answer => answer.status === 401)).toHaveLength(10)
    // A browser known to one account is a stranger to every other one.
    await Promise.all(Array.from({ length: 20 }, () => attempt('hana@example.jp', 'wrong')))
    expect((await from(own, 'hana@example.jp', PASSWORD)).status).toBe(429)
  })

  it('do not count when the password was right', async () => {
    for (let n = 0; n < 12; n++) expect((await attempt('taro@example.jp', PASSWORD)).status).toBe(200)
  })

  it('count per address too, in its /64 for IPv6, whatever the client claims to be', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 101; n++) {
      const forwarded = `10.0.${n}.1, 203.0.113.${n}, 2001:db8:1:2:${n.toString(16)}::1`
      const tricks = {
        'x-forwarded-for': forwarded,
        'x-real-ip': `1.1.1.${n}`,
        forwarded: `for=1.1.1.${n}`,
        'client-ip': `1.1.1.${n}`,
      }
      statuses.push((await attempt(`user${n}@example.jp`, 'wrong', tricks)).status)
    }
    expect(statuses.filter(status => status === 401)).toHaveLength(100)
    expect(statuses.at(-1)).toBe(429)
  })

  it('count for the peer when no proxy is configured, whatever X-Forwarded-For says', async () => {
    const direct = await identityServer(db.database, { clock })
    const from = (n: number) =>
      new TestBrowser(direct.origin).api(
        'sign-in',
        { email: `u${n}@example.jp`, password: 'x' },
        { 'x-forwarded-for': `10.0.0.${n}` },
      )
    const answers = await Promise.all(Array.from({ length: 110 }, (_, n) => untilAnswered(() => from(n))))
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(100)
    await direct.close()
  })
})

describe('requests for a new password', () => {
  it('count per address, for any account: the 101st is refused and sends nothing', async () => {
    const request = (n: number, address: string) =>
      new TestBrowser(server.origin).api(
        'forgot-pass',
        { email: `nobody${n}@example.jp` },
        { 'x-forwarded-for': address },
      )
    const statuses: number[] = []
    for (let n = 0; n < 101; n++) statuses.push((await request(n, '192.0.2.8')).status)
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 200), 429])
    expect((await request(101, '192.0.2.9')).status).toBe(200)
    // Each of the 101 that were taken is counted twice: of its address, and then of its account, before an email is written.
    const counted = () =>
      db.database.inScope(SYSTEM, async tx => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from idp_attempts`.execute(tx)
        return rows[0]?.count
      })
    await expect.poll(counted).toBe(202)
    later(15.1)
    expect((await request(102, '192.0.2.8')).status).toBe(200)
    await expect.poll(counted).toBe(204)
  })
})

describe('whether somebody has an account', () => {
  it('does not follow from the answer', async () => {
    const cases = [
      ['taro@example.jp', 'wrong'],
      ['nobody@example.jp', 'wrong'],
      ['gone@example.jp', PASSWORD],
      ['gone@example.jp', 'wrong'],
      ['not an address', 'wrong'],
      ['taro@example.jp', `${PASSWORD}${' '.repeat(5000)}`],
    ]
    const answers = []
    for (const [email = '', password = ''] of cases) {
      const { status, text, headers } = await attempt(email, password)
      answers.push(JSON.stringify([status, text, [...headers.keys()].filter(name => name !== 'date').sort()]))
    }
    expect(new Set(answers).size).toBe(1)
  })

  // By the time of the processor: what else a busy machine does would hide the difference, or look like one.
  it('does not follow from the time', async () => {
    const measure = async (email: string) => {
      const began = process.cpuUsage()
      await attempt(email, 'wrong')
      return cpuMs(began)
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 0; n < 40; n++) {
      if (n % 9 === 0) await db.database.inScope(SYSTEM, tx => sql`delete from idp_attempts`.execute(tx))
      known.push(await measure('taro@example.jp'))
      unknown.push(await measure(`unknown${n}@example.jp`))
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0
    const ratio = median(known) / median(unknown)
    expect(ratio).toBeGreaterThan(0.75)
    expect(ratio).toBeLessThan(1.33)
  })
})

describe('requests of other sites', () => {
  const body = JSON.stringify({ email: 'taro@example.jp', password: PASSWORD })
  const post = (headers: Record<string, string>, method = 'POST') =>
    fetch(`${server.origin}/sso/api/sign-in`, { method, headers, ...(method === 'POST' ? { body } : {}) })
  const json = { 'content-type': 'application/json' }

  it('are not looked at', async () => {
    const { origin } = server
    const refused: [Record<string, string>, number][] = [
      [{ ...json }, 403],
      [{ ...json, origin: 'https://evil.example' }, 403],
      [{ ...json, origin: 'null' }, 403],
      [{ ...json, origin: `${origin}.evil.example` }, 403],
      [{ ...json, origin: origin.replace('http', 'https') }, 403],
      [{ ...json, origin, 'sec-fetch-site': 'cross-site' }, 403],
      [{ ...json, origin, 'sec-fetch-site': 'same-site' }, 403],
      [{ origin, 'content-type': 'text/plain' }, 415],
      [{ origin, 'content-type': 'application/x-www-form-urlencoded' }, 415],
      [{ origin, 'content-type': 'multipart/form-data' }, 415],
      [{ origin, 'content-type': 'text/plain;application/json' }, 415],
      [{ origin }, 415],
    ]
    for (const [headers, status] of refused) {
      const answer = await post(headers)
      expect(
        [answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.getSetCookie()],
        JSON.stringify(headers),
      ).toEqual([status, null, []])
    }
    expect((await post({ ...json, origin })).status).toBe(200)
    expect((await post({ origin }, 'GET')).status).toBe(405)
    expect(
      (
        await fetch(`${server.origin}/sso/api/sign-in`, {
          method: 'OPTIONS',
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        })
      ).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })

  it('and broken ones get a clean answer', async () => {
    const { origin } = server
    const send = (raw: string) =>
      fetch(`${server.origin}/sso/api/sign-in`, { method: 'POST', headers: { ...json, origin }, body: raw })
    for (const raw of ['', '{', '[]', 'null', '"x"', '\u0000']) expect((await send(raw)).status).toBe(400)
    for (const raw of ['{}', '{"email":1,"password":{}}', '{"__proto__":{"email":"a"}}', '{"email":"taro@example.jp"}'])
      expect((await send(raw)).status).toBe(400)
    expect((await send(JSON.stringify({ email: 'a', password: 'x'.repeat(20_000) }))).status).toBe(413)
    expect((await fetch(`${server.origin}/sso/api/nowhere`)).status).toBe(404)
  })
})

describe('requests to sign in', () => {
  const request = (browser: TestBrowser, address: string, more = '') =>
    browser.visit(
      `/oidc/auth?${new URLSearchParams({
        client_id: 'console',
        response_type: 'code',
        redirect_uri: `${server.origin}/gpc/callback`,
        scope: 'openid',
        state: 's',
        nonce: 'n',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })}${more}`,
      { headers: { 'x-forwarded-for': address } },
    )
  const kept = async () => {
    const { rows } = await db.database.inScope(SYSTEM, tx =>
      sql<{ count: number }>`select count(*)::int as count from idp_payloads where model = 'Interaction'`.execute(tx),
    )
    return rows[0]?.count ?? 0
  }

  it('are 300 of one address in 15 minutes; more have to wait, and nothing is kept of them', async () => {
    const before = await kept()
    const statuses: number[] = []
    for (let sent = 0; sent < 320; sent += 20) {
      const some = Array.from({ length: 20 }, () => request(new TestBrowser(server.origin), '203.0.113.7'))
      statuses.push(...(await Promise.all(some)).map(answer => answer.status))
    }
    expect(statuses.filter(status => status === 303)).toHaveLength(300)
    expect(statuses.filter(status => status === 429)).toHaveLength(20)
    expect((await kept()) - before).toBe(300)
    const refused = await request(new TestBrowser(server.origin), '203.0.113.7')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await request(new TestBrowser(server.origin), '203.0.113.8')).status).toBe(303)
    // What asks nobody, as every page does at its start, goes on.
    const silent = await request(new TestBrowser(server.origin), '203.0.113.7', '&prompt=none')
    expect([silent.status, silent.location]).toEqual([303, expect.stringContaining('login_required')])
    later(15.1)
    expect((await request(new TestBrowser(server.origin), '203.0.113.7')).status).toBe(303)
  })

  it('of a browser with a session keep nothing, and do not count', async () => {
    const browser = new TestBrowser(server.origin)
    const address = '203.0.113.9'
    await browser.api('sign-in', { email: 'hana@example.jp', password: PASSWORD }, { 'x-forwarded-for': address })
    const before = await kept()
    for (let n = 0; n < 3; n += 1) expect((await request(browser, address)).location).toContain('code=')
    expect(await kept()).toBe(before)
    const { rows } = await db.database.inScope(SYSTEM, tx => sql`select from idp_attempts`.execute(tx))
    expect(rows).toHaveLength(0)
  })

  it('that expired are removed in portions, whole', async () => {
    const owner = new pg.Client(db.ownerUrl)
    await owner.connect()
    try {
      await db.database.inScope(SYSTEM, tx =>
        sql`insert into idp_payloads (model, id, payload, expires_at)
          select 'Interaction', 'old' || n, '{}', now() + case n when 0 then interval '1 hour' else interval '-1 minute' end
          from generate_series(0, 25000) n`.execute(tx),
      )
      await owner.query(`create function public.few() returns trigger language plpgsql as $$ begin
          if (select count(*) from gone) > 10000 then raise 'too many at a time'; end if; return null; end $$;
        create trigger few after delete on public.idp_payloads referencing old table as gone for each statement execute function public.few()`)
      await removeExpiredPayloads(db.database)
      const left = await db.database.inScope(SYSTEM, tx =>
        sql`select id from idp_payloads where id like 'old%'`.execute(tx),
      )
      expect(left.rows).toEqual([{ id: 'old0' }])
    } finally {
      await owner.end()
    }
  })
})

describe('an operator forgets the attempts', () => {
  const used = async () => {
    const { rows } = await db.database.inScope(SYSTEM, tx =>
      sql<{ count: number }>`select count(*)::int as count from idp_attempts`.execute(tx),
    )
    return rows[0]!.count
  }

  it('of a person, by email address: of passwords, codes and links; of nobody else', async () => {
    const { rows } = await db.database.inScope(SYSTEM, tx =>
      sql<{ uid: string }>`select uid::text as uid from users where email = 'taro@example.jp'`.execute(tx),
    )
    for (const limit of ['passwordOfAccount', 'resetEmailsOfAccount'] as const)
      await reserveAttempt(db.database, START, [{ limit, by: 'taro@example.jp' }])
    await reserveAttempt(db.database, START, [{ limit: 'secondFactorOfAccount', by: rows[0]!.uid }])
    await reserveAttempt(db.database, START, [{ limit: 'passwordOfAccount', by: 'hana@example.jp' }])
    const done = { status: 200, body: { of: 'taro@example.jp', attempts: 3 } }
    expect(await resetLimitsByCommand(db.database, ' Taro@example.jp ')).toEqual(done)
    expect(await used()).toBe(1)
    expect(await resetLimitsByCommand(db.database, 'taro@example.jp')).toMatchObject({ body: { attempts: 0 } })
  })

  it('of a network, whose people can then sign in at once', async () => {
    const from = { 'x-forwarded-for': '2001:db8:1:2::7' }
    for (let at = 0; at < LIMITS.credentialsFromAddress; at++)
      await reserveAttempt(db.database, START, [{ limit: 'credentialsFromAddress', by: '2001:db8:1:2::/64' }])
    expect((await attempt('hana@example.jp', PASSWORD, from)).status).toBe(429)
    const done = { status: 200, body: { of: '2001:db8:1:2::/64', attempts: LIMITS.credentialsFromAddress } }
    expect(await resetLimitsByCommand(db.database, '2001:DB8:1:2::9')).toEqual(done)
    expect((await attempt('hana@example.jp', PASSWORD, from)).status).toBe(200)
  })

  it.each(['', 'taro', '10.0.0', 7, undefined])('and is asked whose, for %j', async of => {
    expect((await resetLimitsByCommand(db.database, of)).status).toBe(400)
  })
})
