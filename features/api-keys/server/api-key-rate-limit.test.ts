import { randomBytes } from 'node:crypto'
import { API_KEY_BOUNDS } from '@pc/domain/api-key/api-key.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiKeyRateLimit } from './api-key-rate-limit.ts'

const START = '2026-11-01T00:00:00.000Z'
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString()
let db: TestDatabase
const keys: bigint[] = []

beforeAll(async () => {
  db = await testDatabase({ maxConnections: 10 })
  await db.database.inScope(SYSTEM, async tx => {
    const { id: organizationId } = await tx
      .insertInto('organizations')
      .values({ name: 'o' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const name of ['busy', 'other']) {
      const key = { organizationId, name, scopes: ['reports'], secretSha256: randomBytes(32), secretEnd: 'abcd' }
      const life = { createdAt: new Date(START), expiresAt: new Date(later(86_400_000)) }
      const { id } = await tx
        .insertInto('publisherApiKeys')
        .values({ ...key, ...life })
        .returning('id')
        .executeTakeFirstOrThrow()
      keys.push(id)
    }
  })
})
afterAll(() => db?.drop())
beforeEach(() => db.database.inScope(SYSTEM, tx => tx.deleteFrom('publisherApiKeyPaces').execute()))

/** A rate limit as one process has it; all use the same database. */
function process(clock = fixedClock(START)) {
  const rateLimit = new ApiKeyRateLimit(db.database, clock)
  const take = async (id = keys[0]!) => {
    try {
      await rateLimit.take(id)
      return 'passed'
    } catch (error) {
      if (error instanceof HttpError) return `${error.status} ${error.headers['retry-after']}`
      throw error
    }
  }
  return { clock, take }
}
const passed = async (sending: readonly Promise<string>[]) =>
  (await Promise.all(sending)).filter(each => each === 'passed').length

test('a burst, then two a second; one key does not slow another one down', async () => {
  const { clock, take } = process()
  for (let sent = 0; sent < API_KEY_BOUNDS.burst; sent += 1) expect(await take()).toBe('passed')
  expect(await take()).toBe('429 1')
  expect(await take(keys[1])).toBe('passed')
  clock.set(later(499))
  expect(await take()).toBe('429 1')
  clock.set(later(500))
  expect(await take()).toBe('passed')
  expect(await take()).toBe('429 1')
})

test('three processes together give what one would give, however many come at once', async () => {
  const processes = [process(), process(), process()]
  const all = () => processes.flatMap(({ take }) => Array.from({ length: 50 }, () => take()))
  expect(await passed(all())).toBe(API_KEY_BOUNDS.burst)
  for (const { clock } of processes) clock.set(later(60_000))
  expect(await passed(all())).toBe(API_KEY_BOUNDS.burst)
})

test('rest fills up to a burst and no further', async () => {
  const { clock, take } = process()
  await take()
  clock.set(later(86_400_000))
  expect(await passed(Array.from({ length: 100 }, () => take()))).toBe(API_KEY_BOUNDS.burst)
})

test('a process whose clock is wrong by a day locks nobody out and lets no more through', async () => {
  const [right, ahead] = [process(), process(fixedClock(later(86_400_000)))]
  expect(await ahead.take()).toBe('passed')
  expect(await right.take()).toBe('429 1')
  right.clock.set(later(500))
  expect(await right.take()).toBe('passed')
  expect(await right.take()).toBe('429 1')
  // The process's clock is corrected.
  ahead.clock.set(later(1_000))
  expect(await ahead.take()).toBe('passed')
})

test('requests of a key that has to wait ask the database nothing', async () => {
  const { take } = process()
  await Promise.all(Array.from({ length: API_KEY_BOUNDS.burst }, () => take()))
  expect(await take()).toBe('429 1')
  await db.database.inScope(SYSTEM, tx => tx.deleteFrom('publisherApiKeyPaces').execute())
  expect(await take()).toBe('429 1')
  expect(await process().take()).toBe('passed')
})
