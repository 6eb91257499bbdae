import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { openKeyring } from '@pc/platform/secrets/keyring.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { keepDemoRefusedDelivery } from './refused-delivery.ts'
import { keepDemoWebhook } from './webhook.ts'

/** What newcomers see at the screens of deliveries and webhooks, which would be empty otherwise. */
const fixture = await ingestFixture()
afterAll(() => fixture.close())
const { database, clock } = fixture.context
const read = <T>(work: Parameters<typeof database.inScope<T>>[1]) => database.inScope(SYSTEM, work)

test('one refused delivery with wrong rows of several kinds, and no second one after another start', async () => {
  await keepDemoRefusedDelivery(fixture.context)
  await keepDemoRefusedDelivery(fixture.context)
  const batches = await read(tx => tx.selectFrom('ingestBatches').select(['state', 'refusedRows']).execute())
  expect(batches).toEqual([{ state: 'refused', refusedRows: 6n }])
  const rows = await read(tx => tx.selectFrom('ingestQuarantinedRows').select('line').orderBy('line').execute())
  expect(rows.map(row => Number(row.line))).toEqual([3, 4, 5, 6, 7, 8])
})

test('one paused address with deliveries of every state', async () => {
  const keyring = openKeyring([Buffer.alloc(32, 1)])
  await read(tx =>
    tx
      .insertInto('monthClosings')
      .values({ mediumId: 1n, month: 202609, finalizedAt: new Date(clock.now()) })
      .execute(),
  )
  await keepDemoWebhook(database, clock, keyring)
  await keepDemoWebhook(database, clock, keyring)
  const hooks = await read(tx => tx.selectFrom('webhooks').select(['isPaused', 'secret', 'organizationId']).execute())
  expect(hooks).toEqual([{ isPaused: true, secret: null, organizationId: null }])
  const states = await read(tx => tx.selectFrom('webhookDeliveries').select('state').distinct().execute())
  expect(states.map(row => row.state).sort()).toEqual(['delivered', 'dropped', 'failed', 'queued', 'waiting'])
})
