import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Role } from '@pc/domain/access/role.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openSafePost } from '@pc/platform/http/safe-post.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deliverWebhook, queueDeliveries, webhookHandlers } from './webhook-jobs.ts'

interface Received {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}
const received: Received[] = []
let answer = 200
const receiver = http.createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', part => parts.push(part))
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
    response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end('x'.repeat(100))
  })
})
let system: SystemUnderTest
let port = 0
const tokens = new Map<string, string>()
const clock = fixedClock(new Date().toISOString())
const safePost = () =>
  openSafePost({ isAllowedAddress: () => true, allowedPorts: [port], mayBePlain: true, totalTimeoutMs: 2_000 })

beforeAll(async () => {
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
  system = await startSystemUnderTest({}, { safePost: safePost() })
  for (const [name, { email }] of Object.entries(system.rows.users)) tokens.set(name, await system.tokenOf(email))
})
afterAll(async () => {
  await system?.close()
  receiver.close()
})
const inSystem = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope(SYSTEM, work)
beforeEach(async () => {
  answer = 200
  received.length = 0
  await inSystem(async tx => {
    await tx.deleteFrom('webhooks').execute()
    await tx.deleteFrom('webhookEvents').execute()
  })
})

type Person = Role | 'ofB'
async function ask(person: Person, query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(person), variables)
  const codes = json.errors?.flatMap(error =>
    error.extensions.code === 'BAD_REQUEST' && error.extensions.refusals
      ? (error.extensions.refusals as { code: string }[]).map(one => one.code)
      : [error.extensions.code],
  )
  return (codes ?? Object.values((json.data ?? {}) as object)[0]) as never
}
const LIST = '{ webhooks { id url events isPaused revision } }'
const SAVE = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { secret webhook { id url revision } } }'
const RENEW = 'mutation ($id: ID!) { renewWebhookSecret(id: $id) { secret } }'
const PAUSE = 'mutation ($id: ID!, $isPaused: Boolean!) { pauseWebhook(id: $id, isPaused: $isPaused) { isPaused } }'
const DELETE = 'mutation ($id: ID!) { deleteWebhook(id: $id) { id } }'
const PING = 'mutation ($id: ID!) { pingWebhook(id: $id) }'
const LOG =
  'query ($id: ID!) { webhookDeliveries(webhookId: $id) { id key kind state attempts lastStatus lastProblem } }'
const AGAIN = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) }'
const input = (more: object = {}) => ({
  input: { url: 'https://hooks.example.com/a', events: ['payment_paid'], ...more },
})
interface Saved {
  readonly secret: string
  readonly webhook: { readonly id: string; readonly revision: number }
}

describe('registering', () => {
  test('is for administrators of the platform and of publishers; each sees the own ones', async () => {
    for (const person of ['insight:admin', 'insight:publisher_admin', 'ofB'] as const) {
      const saved = (await ask(person, SAVE, input({ url: `https://hooks.example.com/${person.length}` }))) as Saved
      expect(saved.secret).toMatch(/^whsec_[\w-]{43}$/)
      const list = await system.ask('insight', LIST, tokens.get(person))
      expect(list.text).not.toContain(saved.secret)
      expect((list.json.data as { webhooks: unknown[] }).webhooks).toHaveLength(1)
    }
    for (const person of ['insight:editor', 'insight:viewer', 'insight:publisher_editor'] as const) {
      expect(await ask(person, LIST)).toEqual(['FORBIDDEN'])
      expect(await ask(person, SAVE, input())).toEqual(['FORBIDDEN'])
    }
    const { id } = ((await ask('ofB', LIST)) as { id: string }[])[0]!
    for (const person of ['insight:admin', 'insight:publisher_admin'] as const) {
      expect(await ask(person, SAVE, input({ id }))).toEqual(['record/not-found'])
      for (const change of [RENEW, DELETE, PING])
        expect(await ask(person, change, { id })).toEqual(['record/not-found'])
      expect(await ask(person, PAUSE, { id, isPaused: true })).toEqual(['record/not-found'])
      expect(await ask(person, LOG, { id })).toEqual([])
    }
    const audit = await inSystem(tx =>
      sql<{ text: string }>`select string_agg(l::text, ' ') as text from audit_log l
      where resource_name = 'insight:webhook.'`.execute(tx),
    )
    expect(audit.rows[0]!.text).toContain('hooks.example.com')
    expect(audit.rows[0]!.text).not.toContain('whsec_')
  })

  test('the path of an address is a secret: list, answers and audit log show its end, and it is kept when sent back', async () => {
    const url = 'https://hooks.slack.com/services/T0000AAAA/B0000BBBB/dGhpcyBpcyBzZWNyZXQ'
    const masked = 'https://hooks.slack.com/…yZXQ'
    const stored = () => inSystem(tx => tx.selectFrom('webhooks').select(['url', 'events']).execute())
    const saved = (await ask('insight:publisher_admin', SAVE, input({ url }))) as Saved
    expect(saved.webhook).toMatchObject({ url: masked })
    expect(await ask('insight:publisher_admin', LIST)).toMatchObject([{ url: masked }])
    const known = { id: saved.webhook.id, expectedRevision: 1 }
    await ask('insight:publisher_admin', SAVE, input({ ...known, url: masked, events: ['feed_failed'] }))
    expect(await stored()).toEqual([{ url, events: ['feed.failed'] }])
    for (const more of [{}, { ...known, expectedRevision: 2 }])
      expect(await ask('insight:publisher_admin', SAVE, input({ ...more, url: 'https://hooks.slack.com/…' }))).toEqual([
        'webhook/url-masked',
      ])
    await ask('insight:publisher_admin', DELETE, { id: saved.webhook.id })
    const { rows } = await inSystem(tx =>
      sql<{ text: string }>`select string_agg(t::text, ' ') as text from (select l::text from audit_log l union all
        select k::text from idempotency_keys k) t`.execute(tx),
    )
    expect(rows[0]!.text).toContain('…yZXQ')
    expect(rows[0]!.text).not.toContain('B0000BBBB')
  })

  test('what is wrong, too much or edited by others is refused', async () => {
    for (const url of [
      'http://hooks.example.com/',
      'https://u:p@hooks.example.com/',
      'https://hooks.example.com:22/',
      'x',
    ])
      expect(await ask('insight:publisher_admin', SAVE, input({ url }))).toEqual(['webhook/url-not-allowed'])
    expect(await ask('insight:publisher_admin', SAVE, input({ events: [] }))).toEqual(['webhook/events-missing'])
    const { webhook } = (await ask('insight:publisher_admin', SAVE, input())) as Saved
    const known = { id: webhook.id, expectedRevision: 1 }
    expect(await ask('insight:publisher_admin', SAVE, input(known))).toMatchObject({ secret: null })
    expect(await ask('insight:publisher_admin', SAVE, input(known))).toEqual(['record/edited-by-other'])
    for (let more = 1; more < 5; more += 1) await ask('insight:publisher_admin', SAVE, input())
    expect(await ask('insight:publisher_admin', SAVE, input())).toEqual(['webhook/too-many'])
  })
})

const SECRET = 'whsec_0123456789012345678901234567890123456789'
async function hook(organizationId: bigint | null, events: readonly string[], url = `http://127.0.0.1:${port}/hook`) {
  const { id } = await inSystem(tx =>
    tx
      .insertInto('webhooks')
      .values({ organizationId, url, events: [...events], secret: SECRET, createdAt: new Date(clock.now()) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}
/** Begins or ends an outage of A's first feed. */
async function outage(state: 'outage' | 'ok') {
  const feedId = system.rows.a.feedIds[0]!
  await inSystem(async tx => {
    await sql`insert into feed_health (feed_id, state, next_check_at) values (${feedId}, 'ok', now())
      on conflict do nothing`.execute(tx)
    await sql`update feed_health set state = ${state} where feed_id = ${feedId}`.execute(tx)
  })
}
const parts = () => ({ ...system.dependencies, clock, safePost: safePost(), webOrigin: 'https://pc.example' })
const rows = () =>
  inSystem(tx =>
    tx
      .selectFrom('webhookDeliveries as d')
      .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
      .select(['d.id', 'd.webhookId', 'd.state', 'd.attempts', 'd.lastStatus', 'd.lastProblem', 'e.kind', 'e.data'])
      .orderBy('d.id')
      .execute(),
  )
const attempt = (id: bigint, retries = 0) =>
  deliverWebhook(parts(), id, { id: 'job', retries, signal: new AbortController().signal })

describe('the format', () => {
  const FORMATS = '{ webhooks { id format } }'
  const store = (format: string) => inSystem(tx => tx.updateTable('webhooks').set({ format }).execute())
  test('is the standard one where none is chosen, and stays when only the rest is changed', async () => {
    const { webhook } = (await ask('insight:publisher_admin', SAVE, input())) as Saved
    expect(await ask('insight:publisher_admin', FORMATS)).toEqual([{ id: webhook.id, format: 'json' }])
    await store('of_later')
    const known = { id: webhook.id, expectedRevision: 1 }
    await ask('insight:publisher_admin', SAVE, input({ ...known, events: ['feed_failed'] }))
    // Another version wrote this format: that is no fault, and the webhook is kept.
    expect(await ask('insight:publisher_admin', FORMATS)).toEqual([{ id: webhook.id, format: null }])
    expect(await inSystem(tx => tx.selectFrom('webhooks').select('format').execute())).toEqual([{ format: 'of_later' }])
    await ask('insight:publisher_admin', SAVE, input({ ...known, expectedRevision: 2, format: 'json' }))
    expect(await ask('insight:publisher_admin', FORMATS)).toEqual([{ id: webhook.id, format: 'json' }])
    await expect(store('No name')).rejects.toThrow(/format/)
  })
  test('that is not known sends nothing, and the log says why', async () => {
    await hook(system.rows.a.organizationId, ['feed.failed'])
    await store('of_later')
    await outage('ok')
    await outage('outage')
    await queueDeliveries(parts())
    const [row] = await rows()
    await expect(attempt(row!.id)).rejects.toThrow('format-unknown')
    expect(received).toEqual([])
    expect(await rows()).toMatchObject([{ attempts: 1, lastStatus: null, lastProblem: 'format-unknown' }])
    await store('json')
    await attempt(row!.id, 1)
    const { body } = received[0]!
    expect(Object.keys(JSON.parse(body))).toEqual(['id', 'type', 'occurredAt', 'data'])
    await outage('ok')
  })
})

describe('events', () => {
  test('go to the platform and to the organisation that they are about, once each, and only when it commits', async () => {
    const ofA = await hook(system.rows.a.organizationId, ['feed.failed', 'feed.recovered'])
    await hook(system.rows.b.organizationId, ['feed.failed'])
    const ofStaff = await hook(null, ['feed.failed'])
    await inSystem(async tx => {
      await sql`insert into feed_health (feed_id, state, next_check_at)
        values (${system.rows.a.feedIds[0]!}, 'ok', now()) on conflict do nothing`.execute(tx)
      await sql`update feed_health set state = 'outage'`.execute(tx)
      throw new Error('undo')
    }).catch(() => {})
    expect(await rows()).toEqual([])
    await outage('outage')
    await outage('outage')
    await outage('ok')
    expect((await rows()).map(row => [row.webhookId, row.kind])).toEqual([
      [ofA, 'feed.failed'],
      [ofStaff, 'feed.failed'],
      [ofA, 'feed.recovered'],
    ])
    expect((await rows())[0]!.data).toMatchObject({ feedId: String(system.rows.a.feedIds[0]) })
  })

  test('a finalised month sends an organisation its own amounts, and the platform none', async () => {
    await hook(system.rows.a.organizationId, ['month.finalized'])
    await hook(null, ['month.finalized'])
    await inSystem(tx =>
      tx
        .insertInto('monthClosings')
        .values({ mediumId: 1n, month: 202_005 + 8, finalizedAt: new Date() })
        .execute(),
    ).catch(() => {})
    await inSystem(tx =>
      tx.insertInto('monthClosings').values({ mediumId: 1n, month: 202_612, finalizedAt: new Date() }).execute(),
    )
    const data = (await rows()).map(row => row.data)
    expect(data).toContainEqual({ mediumId: '1', month: '2026-12' })
    for (const one of data as object[])
      expect(
        Object.keys(one).every(key => /^(mediumId|month|organizationId|payment(IncludingTax)?Yen)$/.test(key)),
      ).toBe(true)
  })
})

describe('delivering', () => {
  test('is signed over time and body, and once when it was taken', async () => {
    await hook(system.rows.a.organizationId, ['feed.failed'])
    await outage('ok')
    await outage('outage')
    await queueDeliveries(parts())
    const [row] = await rows()
    await attempt(row!.id)
    await attempt(row!.id)
    expect(received).toHaveLength(1)
    const { headers, body } = received[0]!
    const timestamp = headers['publisher-center-timestamp'] as string
    const expected = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
    expect(headers['publisher-center-signature']).toBe(`v1=${expected}`)
    expect(Math.abs(Number(timestamp) - clock.now() / 1000)).toBeLessThan(2)
    expect(JSON.parse(body)).toMatchObject({ id: headers['publisher-center-id'], type: 'feed.failed' })
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 1, lastStatus: 200 }])
    await outage('ok')
  })

  test('an answer that is no success is tried again with the same id; a redirect is not followed', async () => {
    const id = await hook(system.rows.a.organizationId, ['feed.failed'])
    await outage('outage')
    await queueDeliveries(parts())
    const [row] = await rows()
    answer = 302
    await expect(attempt(row!.id)).rejects.toThrow('302')
    answer = 500
    await expect(attempt(row!.id, 1)).rejects.toThrow('500')
    answer = 204
    await attempt(row!.id, 2)
    expect(new Set(received.map(one => one.headers['publisher-center-id'])).size).toBe(1)
    expect(received).toHaveLength(3)
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 3, lastStatus: 204 }])
    const { failingSince } = await inSystem(tx =>
      tx.selectFrom('webhooks').select('failingSince').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    expect(failingSince).toBeNull()
    await outage('ok')
  })

  test('nothing inside is reached, and after three days the address is given up with a mail', async () => {
    const id = await hook(system.rows.a.organizationId, ['feed.failed'], `https://localhost:8443/B0000BBBB0000XXXX`)
    await outage('outage')
    await queueDeliveries(parts())
    const [row] = await rows()
    const strict = { ...parts(), safePost: openSafePost() }
    const job = { id: 'job', retries: 0, signal: new AbortController().signal }
    await expect(deliverWebhook(strict, row!.id, job)).rejects.toThrow('address-not-public')
    const before = clock.now()
    clock.set(new Date(before + 72 * 3_600_000).toISOString())
    await deliverWebhook(strict, row!.id, job)
    clock.set(new Date(before).toISOString())
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 2, lastProblem: 'address-not-public' }])
    const webhook = await inSystem(tx =>
      tx.selectFrom('webhooks').select(['isPaused', 'isGivenUp']).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    expect(webhook).toEqual({ isPaused: true, isGivenUp: true })
    const { rows: mails } = await inSystem(tx =>
      sql<{
        to: string
        text: string
      }>`select data ->> 'to' as to, data::text as text from pgboss.job where name = 'mail'
        and data ->> 'subject' like '%Webhook%'`.execute(tx),
    )
    expect(mails.map(mail => mail.to)).toContain(system.rows.users['insight:publisher_admin'].email)
    expect(mails[0]!.text).toContain('https://localhost:8443/…XXXX')
    expect(mails[0]!.text).not.toContain('B0000BBBB')
    await outage('ok')
  })

  test('a renewed secret signs from then on, and what is paused meanwhile is dropped', async () => {
    const id = String(await hook(system.rows.a.organizationId, ['feed.failed']))
    await outage('outage')
    await queueDeliveries(parts())
    const { secret } = (await ask('insight:publisher_admin', RENEW, { id })) as { secret: string }
    await attempt((await rows())[0]!.id)
    const { headers, body } = received[0]!
    const digest = (key: string) =>
      createHmac('sha256', key).update(`${headers['publisher-center-timestamp']}.${body}`).digest('hex')
    expect(headers['publisher-center-signature']).toBe(`v1=${digest(secret)}`)
    expect(digest(secret)).not.toBe(digest(SECRET))
    await outage('ok')
    await outage('outage')
    await queueDeliveries(parts())
    expect(await ask('insight:publisher_admin', PAUSE, { id, isPaused: true })).toEqual({ isPaused: true })
    await attempt((await rows())[1]!.id)
    expect(received).toHaveLength(1)
    expect((await rows()).map(row => row.state)).toEqual(['delivered', 'dropped'])
    expect(await ask('insight:publisher_admin', PING, { id })).toEqual(['webhook/paused'])
    await outage('ok')
  })

  test('events, their deliveries and deleted addresses are forgotten after 30 days', async () => {
    const id = String(await hook(system.rows.a.organizationId, ['feed.failed']))
    await outage('outage')
    await ask('insight:publisher_admin', DELETE, { id })
    const plan = webhookHandlers(parts())[0]!
    const run = () => plan.run({}, { id: 'job', retries: 0, signal: new AbortController().signal })
    const left = async () => [
      (await rows()).length,
      (await inSystem(tx => tx.selectFrom('webhooks').select('id').execute())).length,
    ]
    const before = clock.now()
    clock.set(new Date(before + 29.9 * 86_400_000).toISOString())
    await run()
    expect(await left()).toEqual([1, 1])
    clock.set(new Date(before + 30.1 * 86_400_000).toISOString())
    await run()
    expect(await left()).toEqual([0, 0])
    clock.set(new Date(before).toISOString())
    await outage('ok')
  })

  test('by the real queue: a ping arrives, and again on request', async () => {
    const id = String(await hook(system.rows.a.organizationId, ['feed.failed']))
    await system.dependencies.jobs.work(system.dependencies.jobHandlers)
    expect(await ask('insight:publisher_admin', PING, { id })).toBe(true)
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 60_000, interval: 100 })
    const log = async () => (await ask('insight:publisher_admin', LOG, { id })) as { id: string; state: string }[]
    await vi.waitFor(async () => expect(await log()).toMatchObject([{ state: 'delivered' }]), { timeout: 60_000 })
    expect(await ask('insight:publisher_admin', AGAIN, { id: (await log())[0]!.id })).toBe(true)
    await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 60_000, interval: 100 })
    expect(received[0]!.headers['publisher-center-id']).toBe(received[1]!.headers['publisher-center-id'])
    expect(await ask('ofB', AGAIN, { id: (await log())[0]!.id })).toEqual(['record/not-found'])
  })
})
