import { createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { systemClock } from '@pc/platform/clock.ts'
import { signingKeys } from '@pc/platform/oidc/signing-keys.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { MIGRATIONS_FOLDER } from '@pc/platform/postgres/migrate.ts'
import { type Keyring, openKeyring } from '@pc/platform/secrets/keyring.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverWebhook, webhookHandlers } from './webhook-jobs.ts'

/** The secret of a webhook signs, so that it has to be read again: it lies sealed, and leaves once (docs/adr/0051). */
let system: SystemUnderTest
let token = ''
const sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = []

beforeAll(async () => {
  system = await startSystemUnderTest()
  token = await system.tokenOf(system.rows.users['insight:publisher_admin'].email)
})
afterAll(() => system?.close())
const inSystem = <T>(work: Parameters<typeof system.dependencies.database.inScope<T>>[1]) =>
  system.dependencies.database.inScope(SYSTEM, work)
beforeEach(async () => {
  sent.length = 0
  await inSystem(async tx => {
    await tx.deleteFrom('webhooks').execute()
    await tx.deleteFrom('webhookEvents').execute()
  })
})

interface Saved {
  readonly secret: string | null
  readonly isRepeated: boolean
  readonly webhook: { readonly id: string }
}
async function ask(query: string, variables: object): Promise<Saved & { readonly refused?: string }> {
  const { json } = await system.ask('insight', query, token, variables)
  const [refused] = (json.errors?.[0]?.extensions.refusals ?? []) as { message: string }[]
  return (refused ? { refused: refused.message } : Object.values((json.data ?? {}) as object)[0]) as never
}
const save = (key?: string, url = 'https://hooks.example.com/a') =>
  ask(
    'mutation ($input: WebhookInput!, $key: String) { saveWebhook(input: $input, idempotencyKey: $key) { secret isRepeated webhook { id } } }',
    { key, input: { url, events: ['feed_failed'] } },
  )
const renew = (id: string, key?: string) =>
  ask(
    'mutation ($id: ID!, $key: String) { renewWebhookSecret(id: $id, idempotencyKey: $key) { secret isRepeated webhook { id } } }',
    { id, key },
  )
const kept = () =>
  inSystem(tx => tx.selectFrom('webhooks').select(['id', 'secret', 'sealedSecret']).orderBy('id').execute())
const OLD = `whsec_${'0'.repeat(43)}`
/** As a version before wrote it. */
async function olderWebhook(organizationId: bigint | null = system.rows.a.organizationId) {
  const { id } = await inSystem(tx =>
    tx
      .insertInto('webhooks')
      .values({
        organizationId,
        url: 'https://old.example/',
        events: ['feed.failed'],
        secret: OLD,
        createdAt: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}
const dependencies = (keyring: Keyring | undefined = system.dependencies.keyring) => ({
  ...{ ...system.dependencies, clock: systemClock, keyring, webOrigin: 'https://pc.example' },
  async safePost(_url: string, message: (typeof sent)[number]) {
    sent.push(message)
    return { status: 200 }
  },
})
const job = { id: 'job', retries: 0, signal: new AbortController().signal }
const plan = (keyring?: Keyring) => webhookHandlers(dependencies(keyring))[0]!.run({}, job)
const withoutKey = () => ({ ...dependencies(), keyring: undefined })
const note = () =>
  inSystem(tx =>
    sql`select app.note_webhook_event('feed.failed', ${system.rows.a.organizationId}, true, '{}')`.execute(tx),
  )
const deliveries = () =>
  inSystem(tx => tx.selectFrom('webhookDeliveries').select(['id', 'state', 'attempts', 'lastProblem']).execute())
async function deliver(keyring?: Keyring) {
  for (const { id, state } of await deliveries())
    if (state === 'queued') await deliverWebhook(dependencies(keyring), id, job)
}
function signsWith(secret: string): boolean {
  const { headers, body } = sent.at(-1)!
  const digest = createHmac('sha256', secret).update(`${headers['publisher-center-timestamp']}.${body}`).digest('hex')
  return headers['publisher-center-signature'] === `v1=${digest}`
}

describe('a secret', () => {
  test('is nowhere in the database, and signs all the same', async () => {
    const { secret } = await save('first')
    const { secret: renewed } = await renew(String((await kept())[0]!.id), 'second')
    await note()
    await plan()
    await deliver()
    expect(signsWith(renewed!)).toBe(true)
    const tables = await inSystem(tx =>
      sql<{ name: string }>`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname in ('public', 'app', 'pgboss')
          and has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'select')`.execute(tx),
    )
    expect(tables.rows.length).toBeGreaterThan(50)
    for (const { name } of tables.rows) {
      const { rows } = await inSystem(tx =>
        sql<{
          found: boolean
        }>`select exists (select from ${sql.raw(name)} t where t::text like '%whsec\\_%') as found`.execute(tx),
      )
      expect(rows[0]!.found, name).toBe(false)
    }
    for (const text of system.logged) for (const one of [secret!, renewed!]) expect(text).not.toContain(one)
  })

  test('is answered once: a repeated submission learns that it was made, and changes nothing', async () => {
    expect(await save('again')).toMatchObject({ secret: expect.stringMatching(/^whsec_/), isRepeated: false })
    const { id } = (await kept())[0]!
    expect(await save('again')).toEqual({ secret: null, isRepeated: true, webhook: { id: String(id) } })
    expect(await renew(String(id), 'anew')).toMatchObject({ isRepeated: false })
    const sealed = await kept()
    expect(await renew(String(id), 'anew')).toEqual({ secret: null, isRepeated: true, webhook: { id: String(id) } })
    expect(await kept()).toEqual(sealed)
  })

  test('of another organisation signs nothing, no matter who copied the row', async () => {
    await save()
    const copied = (await kept())[0]!.sealedSecret
    const other = await olderWebhook(null)
    await inSystem(tx =>
      tx.updateTable('webhooks').set({ sealedSecret: copied, secret: null }).where('id', '=', other).execute(),
    )
    await note()
    await plan()
    const toOther = (await deliveries()).at(-1)!
    await expect(deliverWebhook(dependencies(), toOther.id, job)).rejects.toThrow('secret-unreadable')
    expect(sent).toEqual([])
    expect((await deliveries()).at(-1)).toMatchObject({
      state: 'queued',
      attempts: 1,
      lastProblem: 'secret-unreadable',
    })
  })
})

describe('after an upgrade', () => {
  test('what an earlier version wrote is sealed by the worker, and signs as before', async () => {
    const id = await olderWebhook()
    await note()
    await plan()
    expect(await kept()).toEqual([{ id, secret: null, sealedSecret: expect.stringMatching(/^s1\./) }])
    await deliver()
    expect(signsWith(OLD)).toBe(true)
  })

  test('a secret that an old process renewed meanwhile is the one that counts', async () => {
    await save()
    await inSystem(tx => tx.updateTable('webhooks').set({ secret: OLD }).execute())
    await note()
    await plan()
    expect((await kept())[0]!.secret).toBeNull()
    await deliver()
    expect(signsWith(OLD)).toBe(true)
  })

  test('kept answers lose the secret, and nothing else', async () => {
    const migration = fs.readFileSync(path.join(MIGRATIONS_FOLDER, '0260_sealed_webhook_secrets.sql'), 'utf8')
    const [redact] = /update idempotency_keys[^;]+;/.exec(migration)!
    await save('old')
    const { uid } = system.rows.users['insight:publisher_admin']
    const answer = (tx: Parameters<Parameters<typeof inSystem>[0]>[0]) =>
      tx
        .selectFrom('idempotencyKeys')
        .select(sql<string>`answer #>> '{}'`.as('text'))
        .where('uid', '=', uid)
        .where('key', '=', 'old')
    await inSystem(async tx => {
      const { text } = await answer(tx).executeTakeFirstOrThrow()
      const older = text.replace('"isRepeated":true,"secret":null', `"secret":"${OLD}"`)
      expect(older).toContain(OLD)
      await tx
        .updateTable('idempotencyKeys')
        .set({ answer: JSON.stringify(older) })
        .where('key', '=', 'old')
        .execute()
      await sql.raw(redact).execute(tx)
      expect((await answer(tx).executeTakeFirstOrThrow()).text).toBe(text)
    })
    expect(await save('old')).toMatchObject({ secret: null, isRepeated: true })
  })
})

describe('the key', () => {
  test('is changed: secrets are sealed with the new one, then the old one is not needed', async () => {
    const [before, after] = [randomBytes(32), randomBytes(32)]
    await olderWebhook()
    await plan(openKeyring([before]))
    const old = (await kept())[0]!.sealedSecret!
    await plan(openKeyring([after, before]))
    expect((await kept())[0]!.sealedSecret).not.toBe(old)
    await note()
    await plan(openKeyring([after]))
    await deliver(openKeyring([after]))
    expect(signsWith(OLD)).toBe(true)
  })

  test('is missing: nothing is registered, signed or given up; what was noted waits for it', async () => {
    // Several processes, so that none makes a key on its own; with an issuer that has its keys from before.
    const env = { SECRETS_KEY: '', CLICKHOUSE_URL: 'http://127.0.0.1:9' }
    const { database, keyring } = system.dependencies
    const issuerKeys = await signingKeys(database, systemClock, { keyring, isAlone: true }).current()
    const prepare = (empty: Database) =>
      empty.inScope(SYSTEM, async tx => {
        await sql`insert into idp_settings values ('issuer_keys', ${JSON.stringify(issuerKeys)}::jsonb)`.execute(tx)
      })
    const bare = await startSystemUnderTest(env, { prepare })
    try {
      const own = await bare.tokenOf(bare.rows.users['insight:publisher_admin'].email)
      const { text } = await bare.ask(
        'insight',
        'mutation { saveWebhook(input: { url: "https://hooks.example.com/a", events: [feed_failed] }) { secret } }',
        own,
      )
      expect(text).toContain('SECRETS_KEY')
    } finally {
      await bare.close()
    }
    const run = () => webhookHandlers(withoutKey())[0]!.run({}, job)
    await run()
    await olderWebhook()
    await note()
    await expect(run()).rejects.toThrow('SECRETS_KEY')
    expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }])
    await plan()
    const [queued] = await deliveries()
    await deliverWebhook(withoutKey(), queued!.id, job)
    expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }])
    expect(sent).toEqual([])
    await plan()
    await deliver()
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })
})
