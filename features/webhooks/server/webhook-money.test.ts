import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeMonth } from '../../payments/core/server/compute-month.ts'
import { importHolidays } from '../../payments/core/server/import-holidays.ts'

/** A month is closed and paid, with and without a bank file: which events reach whom. */
let system: SystemUnderTest
const clock = fixedClock('2026-07-20T12:00:00+09:00')
const key = { mediumId: 21n, month: 202606 as YearMonth }
const KINDS = ['month.finalized', 'statement.issued', 'payment.paid']
let admin: string

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  admin = await system.tokenOf(system.rows.users['insight:admin'].email)
  const { database, stats, money } = system.dependencies
  const { a, b } = system.rows
  const agreement = (id: bigint, organizationId: bigint, yen: bigint) => ({
    ...sampleAgreement(id, [{ ...sampleRule(id + 500n, yen), mediumId: 21n }]),
    mediumId: 21n,
    organizationId,
  })
  const agreements = [agreement(2101n, a.organizationId, 100_001n), agreement(2103n, b.organizationId, 50_009n)]
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeTransferSettings(tx)
    await writeAgreements(tx, [{ mediumId: 21n, agreements }])
    for (const organizationId of [null, a.organizationId, b.organizationId])
      await tx
        .insertInto('webhooks')
        .values({
          ...{ organizationId, url: 'https://hooks.example.com/', events: KINDS, secret: 's'.repeat(40) },
          createdAt: new Date(clock.now()),
        })
        .execute()
  })
  await writeOwnAds(stats, [{ ...sampleMonth(key.month, { agreements }), mediumId: 21n }], 77n)
  expect(await computeMonth(money.payments, key)).toMatchObject({ ok: true })
})
afterAll(() => system?.close())

interface SentEvent {
  readonly to: bigint | null
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}
/** The recorded events of one kind, for the platform, A and B. */
async function sentOf(kind: string): Promise<Record<'platform' | 'a' | 'b', SentEvent['data'][]>> {
  const all = (await system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('webhookDeliveries as d')
      .innerJoin('webhooks as w', 'w.id', 'd.webhookId')
      .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
      .select(['w.organizationId as to', 'e.kind', 'e.data'])
      .where('e.kind', '=', kind)
      .orderBy('d.id')
      .execute(),
  )) as unknown as SentEvent[]
  const { a, b } = system.rows
  const of = (to: bigint | null) => all.filter(one => one.to === to).map(one => one.data)
  return { platform: of(null), a: of(a.organizationId), b: of(b.organizationId) }
}
const paymentsOf = (organizationId: bigint) =>
  system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('monthlyPayments')
      .select(['id', 'paymentYen', 'paymentIncludingTaxYen'])
      .where('mediumId', '=', 21n)
      .where('organizationId', '=', organizationId)
      .executeTakeFirstOrThrow(),
  )
async function ask<T>(query: string, variables: object = {}): Promise<T> {
  const { json, text } = await system.ask('insight', query, admin, variables)
  expect(json.errors, text).toBeUndefined()
  return Object.values(json.data as object)[0] as T
}

test('a computed month is no event; a finalised one sends each organisation its own sum, and the platform none', async () => {
  expect(await sentOf('month.finalized')).toEqual({ platform: [], a: [], b: [] })
  expect(await closeMonth(system.dependencies.money, key, system.rows.users['insight:admin'].uid)).toMatchObject({
    ok: true,
  })
  const expected = async (organizationId: bigint) => {
    const { paymentYen, paymentIncludingTaxYen } = await paymentsOf(organizationId)
    expect(paymentYen).toBeGreaterThan(0n)
    return {
      mediumId: '21',
      month: '2026-06',
      organizationId: `${organizationId}`,
      paymentYen: Number(paymentYen),
      paymentIncludingTaxYen: Number(paymentIncludingTaxYen),
    }
  }
  expect(await sentOf('month.finalized')).toEqual({
    platform: [{ mediumId: '21', month: '2026-06' }],
    a: [await expected(system.rows.a.organizationId)],
    b: [await expected(system.rows.b.organizationId)],
  })
})

test('statements and payments are sent to the platform and to their organisation, by whatever way they are paid', async () => {
  const { a, b } = system.rows
  const issued = await sentOf('statement.issued')
  expect([issued.platform.length, issued.a.length, issued.b.length]).toEqual([2, 1, 1])
  expect(issued.a[0]).toMatchObject({ organizationId: `${a.organizationId}`, month: '2026-06', revision: 0 })
  expect(issued.platform).toEqual(expect.arrayContaining([issued.a[0], issued.b[0]]))

  clock.set('2026-08-03T12:00:00+09:00')
  const ofB = await paymentsOf(b.organizationId)
  await ask('mutation ($ids: [ID!]!) { markPaid(ids: $ids, paidOn: "2026-07-31") }', { ids: [`${ofB.id}`] })
  expect((await sentOf('payment.paid')).a).toEqual([])
  clock.set('2026-07-20T12:00:00+09:00')
  const { transfers } = await ask<{ transfers: { nodes: { id: string }[] } }>(
    `mutation { createTransferBatch(request: { dueOn: "2026-07-31", transferOn: "2026-07-31" })
      { transfers(limit: 9, offset: 0) { nodes { id } } } }`,
  )
  const id = transfers.nodes[0]!.id
  await ask('mutation ($id: ID!) { exportTransferBatch(id: $id) { id } }', {
    id: await system.dependencies.database.inScope(SYSTEM, async tx => {
      const row = tx.selectFrom('transfers').select('batchId').where('id', '=', BigInt(id))
      return `${(await row.executeTakeFirstOrThrow()).batchId}`
    }),
  })
  expect((await sentOf('payment.paid')).a).toEqual([])
  clock.set('2026-08-03T12:00:00+09:00')
  await ask(
    'mutation ($ids: [ID!]!) { settleTransfers(ids: $ids, state: paid, on: "2026-07-31", reason: "入出金明細で確認") }',
    { ids: [id] },
  )
  const paid = await sentOf('payment.paid')
  expect(paid.a).toEqual([expect.objectContaining({ transferId: id, organizationId: `${a.organizationId}` })])
  expect(paid.b).toEqual([
    expect.objectContaining({ organizationId: `${b.organizationId}`, paymentYen: Number(ofB.paymentYen) }),
  ])
  expect(paid.platform).toEqual([...paid.b, ...paid.a])
  for (const data of Object.values(paid).flat()) {
    const { paymentIncludingTaxYen, withholdingYen, feeBorneByPayeeYen, transferAmountYen } = data as Record<
      string,
      number
    >
    expect(transferAmountYen).toBe(paymentIncludingTaxYen! - withholdingYen! - feeBorneByPayeeYen!)
  }
})
