import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import {
  bookManualOperations,
  writeAgreements,
  writeOwnAds,
  writeSettings,
} from '@pc/testing/books/settlement-books.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { auditMonth } from './audit-month.ts'
import { findChecked } from './checked-months.ts'
import { prepareClose } from './prepare-close.ts'

/** A close takes over what the audit has checked, unless anything that was checked is another by then. */
const { tested, stats, database, books } = await openBooks()
const BEFORE = 202606 as YearMonth
const KEY = { mediumId: 1n, month: 202607 as YearMonth }
const parts = { ...books.payments, jobs: books.manualOperations.jobs, webOrigin: 'http://x' }

const agreements = [1n, 2n].map(id =>
  sampleAgreement(
    id,
    [sampleRule(id * 100n + 1n, 100_003n, { share: { sspRateUnits: 3333, isTargetForSspAllocation: true } })],
    // The second carries its balance on.
    { terms: { payoutThresholdYen: id === 2n ? 1_000_000n : 1n } },
  ),
)
const monthOf = (month: YearMonth) =>
  sampleMonth(month, {
    agreements,
    poolJobs: [
      {
        ...{ jobId: 1n, kind: 'ssp', method: 'payment', poolYen: 10_001n },
        weights: [{ agreementId: 1n, publisherId: 101n, weight: 3n }],
      },
    ],
  })
const bySuperuser = (statement: string) =>
  withClient(tested.adminUrl, async client => {
    await client.query('set session_replication_role = replica')
    await client.query(statement)
  })

beforeAll(async () => {
  await database.inScope(SYSTEM, async tx => {
    const settings = {
      payoutThresholdYen: 1n,
      businessDayShift: 'previous' as const,
      rules: 'returns_per_rate' as const,
    }
    await writeSettings(tx, { settings, taxTable: STANDARD_TAX_TABLE })
    await writeAgreements(tx, [{ mediumId: KEY.mediumId, agreements }])
  })
  for (const [index, month] of [BEFORE, KEY.month].entries()) {
    await writeOwnAds(stats.store, [monthOf(month)], BigInt(index + 1))
    await bookManualOperations(books, monthOf(month))
  }
  const before = { ...KEY, month: BEFORE }
  expect(await computeMonth(parts, before)).toMatchObject({ ok: true })
  expect(await closeMonth(books, before, books.userUid)).toMatchObject({ ok: true })
})

beforeEach(async () => {
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, KEY, 'compute')).toEqual([])
})

test('what the audit has checked and hashed is not read again', async () => {
  const { prepared } = findChecked(database, KEY)!
  expect(await prepareClose(parts, KEY)).toEqual(prepared)
  expect((await prepareClose(parts, KEY)).link).toBe(prepared.link)
})

/** Of each of these a superuser writes rows again, past the walls: another version, with whatever content. */
const WRITTEN = {
  'a row of the month': 'update monthly_publisher_payments set updated_at = now() where month = 202607',
  'a snapshot': 'update monthly_snapshot_inputs set input = input where month = 202607',
  'a row of the month before': 'update monthly_payments set updated_at = now() where month = 202606',
  'a balance of the month before': 'update monthly_carried_buckets set next_yen = next_yen where month = 202606',
  'the chain so far': 'update month_states set hash = hash where month = 202606',
  'a weight of a pool': 'update dividend_weights set weight = weight',
  'a line of the ledger': 'update dividend_ledger_lines set line = line where month = 202607',
  'terms of an agreement': 'update agreements set name = name where id = 1',
}

test.each(Object.entries(WRITTEN))('%s that is written after the audit is checked again', async (_what, statement) => {
  const { link } = findChecked(database, KEY)!.prepared
  await bySuperuser(statement)
  const prepared = await prepareClose(parts, KEY)
  expect(prepared.link).not.toBe(link)
  expect(prepared.link).toEqual(link)
})

test('what is altered after the audit stops the close', async () => {
  const alter = (sign: '+' | '-') =>
    bySuperuser(`update monthly_payments set revenue_tax_yen = revenue_tax_yen ${sign} 1,
      agreement_top_up_yen = agreement_top_up_yen ${sign} 1 where month = 202607 and agreement_id = 1`)
  await alter('+')
  try {
    expect(await closeMonth(books, KEY, books.userUid)).toMatchObject({ ok: false })
  } finally {
    await alter('-')
  }
})

test('figures that change without a new version of the statistics stop the close', async () => {
  const changed = monthOf(KEY.month)
  const more = changed.agreements.map(each => ({
    ...each,
    rules: each.rules.map(rule => ({ ...rule, ownAdsMicroYen: rule.ownAdsMicroYen + 1_000_000n })),
  }))
  await writeOwnAds(stats.store, [{ ...changed, agreements: more }], 2n)
  try {
    const prepared = await prepareClose(parts, KEY)
    expect(prepared.link).toBeUndefined()
    expect(prepared.violations).toContainEqual(expect.objectContaining({ invariant: 'I22' }))
  } finally {
    await writeOwnAds(stats.store, [changed], 2n)
  }
})

test('the estimate that is kept at the close is what the reports show then', async () => {
  const { shown, link } = findChecked(database, KEY)!.prepared
  expect(shown?.map(each => each.shownMicroYen)).toEqual([0n, 0n])
  await writeOwnAds(stats.store, [monthOf(KEY.month)], 2n, { shownMicroYen: 7_000_000n })
  const prepared = await prepareClose(parts, KEY)
  expect(prepared.link).toBe(link)
  expect(prepared.shown?.map(each => each.shownMicroYen)).toEqual([7_000_000n, 7_000_000n])
})

test('a close of what the audit has checked chains the same as one without an audit', async () => {
  const taken = await prepareClose(parts, KEY)
  // A version of its own for the same content: nothing is taken over.
  await bySuperuser('update monthly_payments set payment_yen = payment_yen where month = 202607')
  const again = await prepareClose(parts, KEY)
  expect(again.link).not.toBe(taken.link)
  expect(again.link).toEqual(taken.link)
  expect(await closeMonth(books, KEY, books.userUid)).toMatchObject({ ok: true, value: { mediumIds: [KEY.mediumId] } })
})
