import { day } from '@pc/domain/month/day.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { FINDING_KINDS, type FindingKind } from '@pc/features/payments/month-close/server/close-finding.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { healthyMonth, registrationNumberOf, writeHealthyBooks } from '@pc/testing/books/healthy-books.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { bookManualOperations, holdRulesFrom, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { moneyDependencies } from '../apps/server/money-dependencies.ts'

/**
 * Every kind of finding: a medium whose month is damaged in one way has that finding and no other, and the undamaged
 * medium beside it has none. A kind without a damage does not compile.
 */
const { tested, stats, database, books } = await openBooks()
const money = moneyDependencies({
  ...books.payments,
  jobs: books.manualOperations.jobs,
  webOrigin: 'https://console.example.jp',
})
const MONTH = 202606 as YearMonth
const USUAL = '2026-07-05T12:00:00+09:00'
const HEALTHY = 100n

interface Damage {
  /** The month to use instead of the healthy one. */
  readonly month?: (healthy: MonthInput) => MonthInput
  /** Earlier months, closed as they are unless `isBeforeOpen`. */
  readonly before?: readonly bigint[]
  readonly isBeforeOpen?: boolean
  /** Which figures arrive; default: those of every day. */
  readonly figures?: 'none' | 'two days'
  /** Runs before the month is computed. */
  readonly enter?: (tx: Transaction, mediumId: bigint) => Promise<unknown>
  readonly isUncomputed?: boolean
  /** Runs after the month was computed and checked; `$` stands for the medium's id, and triggers are off. */
  readonly damage?: string
  /** Further findings that the damage always causes. */
  readonly brings?: readonly FindingKind[]
  /** A change of the whole database for one look at the board, and its reversal. */
  readonly everywhere?: readonly [string, string]
  /** When, and as whom, the board is read. */
  readonly at?: string
  readonly by?: string
}

const alter = (columns: string) => (tx: Transaction, mediumId: bigint) =>
  sql`update agreements set ${sql.raw(columns)} where medium_id = ${mediumId}`.execute(tx)
const withAgreement =
  (parts: Partial<MonthInput['agreements'][number]>) =>
  (healthy: MonthInput): MonthInput => ({
    ...healthy,
    agreements: healthy.agreements.map(agreement => ({ ...agreement, ...parts })),
  })
const feeOfPayee = (healthy: MonthInput): MonthInput => ({
  ...healthy,
  agreements: healthy.agreements.map(each => ({ ...each, terms: { ...each.terms, feePaidBy: 'publisher' } })),
})
const withPool = (healthy: MonthInput): MonthInput => {
  const weights = healthy.agreements.map(({ agreementId, rules }) => ({
    ...{ agreementId, publisherId: rules[0]!.publisherId, weight: 1n },
  }))
  return { ...healthy, poolJobs: [{ jobId: 1n, kind: 'ssp', method: 'payment', poolYen: 1_000n, weights }] }
}
const withAdjustment =
  (yen: bigint) =>
  (healthy: MonthInput): MonthInput => ({
    ...healthy,
    adjustments: healthy.agreements.map(({ agreementId, rules }) =>
      sampleAdjustment(agreementId, rules[0]!.publisherId, yen),
    ),
  })
const covered = "freelance_coverage = 'covered'"
const notCovered = "freelance_coverage = 'not_covered', small_supplier_coverage = 'not_covered'"
const ofMonth = `where medium_id = $ and month = ${MONTH}`
const accountOf = 'where id = $ + 9000'
const job = (state: string, failure: string) => `
  insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, job_status, failure_code, failure_text, completed_at)
  select id, $, ${MONTH}, 'csv', 'payment', 0, ${MONTH}, '${state}', ${failure} from dividend_operations where month = ${MONTH}`
const ingest = (state: string) =>
  [
    `insert into ingest_batches (batch_no, dataset, batch_id, content_sha256, state, source_name, first_day, last_day)
     overriding system value values (9999, 'summary-daily', 'x', 'x', '${state}', 'x', '2026-06-01', '2026-06-30')`,
    'delete from ingest_batches where batch_no = 9999',
  ] as const
const fees = [
  'create table kept_fees as select * from transfer_fees; delete from transfer_fees',
  'insert into transfer_fees overriding system value select * from kept_fees; drop table kept_fees',
] as const

const DAMAGES: Readonly<Record<FindingKind, Damage>> = {
  'month-not-over': { at: '2026-06-20T12:00:00+09:00' },
  'previous-month-open': { before: [500_000n], isBeforeOpen: true },
  'ingest-running': { everywhere: ingest('applying') },
  'ingest-failed': { everywhere: ingest('failed') },
  'statistics-missing': { figures: 'none' },
  'statistics-days-missing': { figures: 'two days' },
  'own-ads-zero': { month: healthy => healthyMonth(MONTH, healthy.mediumId, 0n) },
  'jobs-unfinished': { damage: job('pending', 'null, null, null') },
  'jobs-failed': { damage: job('failed', "'x', 'x', now()") },
  'late-correction-missing': {
    before: [500_000n],
    // Late figures of the closed month, whose correction failed and was withdrawn.
    enter: (_tx, mediumId) => figuresOf(healthyMonth(addMonths(MONTH, -1), mediumId, 50_000n), undefined),
    damage: `insert into ingest_batches (batch_no, dataset, batch_id, content_sha256, state, first_day, last_day, applied_at)
      overriding system value values (9998, 'summary-daily', 'late', 'late', 'applied', '2026-05-01', '2026-05-31', now());
      with failed as (
        insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, job_status, failure_code, failure_text, completed_at, withdrawn_at)
        select id, $, ${MONTH}, 'csv', 'payment', 0, ${MONTH}, 'failed', 'x', 'x', now(), now() from dividend_operations where month = ${MONTH}
        returning id)
      insert into late_corrections (dividend_id, medium_id, origin_month, data_version) select id, $, 202605, 'x' from failed`,
  },
  'not-computable': {
    month: ({ agreements, ...healthy }) => ({
      ...healthy,
      agreements: agreements.map(each => ({ ...each, rules: [], terms: { ...each.terms, fixedRevenueYen: 1_000n } })),
    }),
    isUncomputed: true,
  },
  'not-computed': { isUncomputed: true },
  'draft-outdated': { damage: 'update agreements set is_payment_disabled = true where medium_id = $' },
  'rules-proposed': {
    everywhere: ['update settlement_rules set is_proposed = true', 'update settlement_rules set is_proposed = false'],
  },
  'openings-later': {
    enter: (tx, mediumId) =>
      saveOpeningBalances({ tx, record() {}, recordNothing() {} }, [
        {
          ...{ agreementId: mediumId, publisherId: mediumId * 100n + 1n, amountYen: 1_000n, isQualified: false },
          ...{ originMonth: 202605 as YearMonth, bookedMonth: 202607 as YearMonth },
        },
      ]),
  },
  'pool-mismatch': {
    month: withPool,
    damage: `update dividend_ledger_lines set allocated_yen = allocated_yen - 1 ${ofMonth}`,
  },
  'pool-gone': {
    before: [500_000n],
    damage: `insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, job_status, completed_at)
      select id, $, month, 'ssp', 'payment', 0, month, 'success', now() from dividend_operations where month = 202605`,
  },
  'account-missing': { month: withAgreement({ accounts: [] }) },
  'account-shared': {
    // Two payees of one medium.
    month(healthy) {
      const { agreements } = healthyMonth(MONTH, healthy.mediumId + 1_000n)
      const beside = agreements.map(each => ({
        ...{ ...each, mediumId: healthy.mediumId },
        rules: each.rules.map(rule => ({ ...rule, mediumId: healthy.mediumId })),
      }))
      return { ...healthy, agreements: [...healthy.agreements, ...beside] }
    },
    damage: "update bank_accounts set number = '7777777' where id in ($ + 9000, $ + 10000)",
  },
  'holder-unwritable': { damage: `update bank_accounts set holder = 'ｶ@ﾄﾘﾋｷ' ${accountOf}` },
  'transfer-too-large': {
    damage: `update monthly_payments set payment_tax_yen = 1000000000000 - payment_yen, payment_including_tax_yen = 1000000000000 ${ofMonth}`,
  },
  'yearly-limit': {
    damage: `update monthly_paid_buckets set is_qualified = false, amount_yen = 1000000001 ${ofMonth}`,
  },
  'registration-lapsed': {
    month: withAgreement({ invoiceRegistrationNumber: registrationNumberOf(1n), qualifiedMonths: [MONTH] }),
    enter: tx =>
      tx
        .updateTable('invoiceRegisterResults')
        .set({ endedOn: day('2026-06-30') })
        .execute(),
  },
  'registration-unseen': {
    month: withAgreement({ invoiceRegistrationNumber: registrationNumberOf(2n), qualifiedMonths: [MONTH] }),
    enter: tx =>
      tx.deleteFrom('invoiceRegisterResults').where('registrationNumber', '=', registrationNumberOf(2n)).execute(),
  },
  'unlawful-terms': { month: feeOfPayee, enter: alter(covered) },
  'shifted-too-far': {
    enter: alter(`${covered}, is_shift_agreed_in_writing = true`),
    damage: `update monthly_payments set due_on = '2026-08-03' ${ofMonth}`,
  },
  'kept-back': { enter: alter(`${covered}, is_payment_disabled = true`) },
  overdue: { enter: alter(covered), at: '2026-08-01T12:00:00+09:00' },
  reduced: { month: withAdjustment(-1_000n), enter: alter(covered) },
  'fee-of-unknown': { month: feeOfPayee },
  'tax-treatment-unconfirmed': { enter: alter('tax_treatment_confirmed_at = null') },
  'total-unusual': {
    before: [1_000_000n, 1_000_000n, 1_000_000n],
    month: healthy => healthyMonth(MONTH, healthy.mediumId, 2_500_000n),
  },
  'total-paid-unusual': {
    before: [1_000_000n, 1_000_000n, 1_000_000n],
    month: healthy => healthyMonth(MONTH, healthy.mediumId, 1_000_000n),
    damage: `update monthly_payments set payment_yen = 2500000 ${ofMonth}`,
    brings: ['statement-incomplete'],
  },
  'agreements-paid-unusual': {
    before: [200_000n, 200_000n, 200_000n],
    month: healthy => healthyMonth(MONTH, healthy.mediumId, 200_000n),
    damage: `update monthly_payments set payment_yen = 700000 ${ofMonth}`,
    brings: ['statement-incomplete'],
  },
  'agreements-unusual': {
    before: [200_000n, 200_000n, 200_000n],
    month: healthy => healthyMonth(MONTH, healthy.mediumId, 700_000n),
  },
  'invariant-violated': { damage: `update monthly_payments set revenue_tax_yen = revenue_tax_yen + 1 ${ofMonth}` },
  'statement-settings': {
    everywhere: [
      'create table kept_settings as select * from statement_settings; delete from statement_settings',
      'insert into statement_settings overriding system value select * from kept_settings; drop table kept_settings',
    ],
  },
  'statement-incomplete': { damage: `update bank_accounts set holder = ' ' ${accountOf}` },
  'fee-unknown': { month: feeOfPayee, enter: alter(notCovered), everywhere: fees },
  'fee-prices-missing': { everywhere: fees },
  'same-person': { month: withAdjustment(1_000n), by: books.userUid },
}

const mediumOf = (kind: FindingKind) => HEALTHY + 1n + BigInt(FINDING_KINDS.indexOf(kind))
const monthOf = (kind: FindingKind): MonthInput => {
  const healthy = healthyMonth(MONTH, mediumOf(kind))
  return DAMAGES[kind].month?.(healthy) ?? healthy
}
/** Bypasses every rule: triggers neither maintain counts nor refuse anything. */
const force = (statements: string) =>
  withClient(tested.adminUrl, async client => {
    await client.query(`set session_replication_role = replica; ${statements}`)
  })

let batchNo = 0n
async function figuresOf(input: MonthInput, days: Damage['figures']): Promise<void> {
  if (days === 'none') return
  batchNo += 1n
  await writeOwnAds(stats.store, [input], batchNo, { hasEveryDay: days === undefined })
}

const audit = { ...books.payments, jobs: books.manualOperations.jobs, webOrigin: '' }
async function computed(mediumId: bigint, month: YearMonth): Promise<void> {
  expect(await computeMonth(books.payments, { mediumId, month })).toMatchObject({ ok: true })
  await auditMonth(audit, { mediumId, month }, 'compute')
}

async function kindsOf(at = USUAL, viewerUid = 'somebody else'): Promise<ReadonlyMap<bigint, readonly FindingKind[]>> {
  const rows = await monthCloseBoard({ ...money.payments, clock: fixedClock(at) }, MONTH, viewerUid)
  return new Map(rows.map(({ mediumId, checks }) => [mediumId, checks.flatMap(check => check.kinds)]))
}

beforeAll(async () => {
  const all = [healthyMonth(MONTH, HEALTHY), ...FINDING_KINDS.map(monthOf)]
  await database.inScope(SYSTEM, async tx => {
    await writeHealthyBooks(tx, all)
    await holdRulesFrom(tx, MONTH)
    await tx.updateTable('paymentSettings').set({ needsTwoPersons: true }).execute()
  })
  // Some damages would not even fit into their tables.
  for (const table of ['dividend_ledger_lines', 'monthly_payments', 'monthly_paid_buckets', 'bank_accounts']) {
    await force(`do $$ declare c text; begin
      for c in select conname from pg_constraint where contype = 'c' and conrelid = '${table}'::regclass loop
        execute 'alter table ${table} drop constraint ' || quote_ident(c);
      end loop; end $$`)
  }
  books.payments.clock.set(USUAL)
  await figuresOf(all[0]!, undefined)
  await computed(HEALTHY, MONTH)
  for (const kind of FINDING_KINDS) {
    const { before = [], isBeforeOpen, figures, enter, isUncomputed, damage } = DAMAGES[kind]
    const mediumId = mediumOf(kind)
    for (const [at, yen] of before.entries()) {
      const month = addMonths(MONTH, at - before.length)
      await figuresOf(healthyMonth(month, mediumId, yen), undefined)
      await computed(mediumId, month)
      if (!isBeforeOpen) expect(await closeMonth(money, { mediumId, month }, books.userUid)).toMatchObject({ ok: true })
    }
    const input = monthOf(kind)
    await figuresOf(input, figures)
    await database.inScope(SYSTEM, async tx => enter?.(tx, mediumId))
    await bookManualOperations(books, input)
    if (!isUncomputed) await computed(mediumId, MONTH)
    if (damage) await force(damage.replaceAll('$', `${mediumId}`))
    if (kind === 'invariant-violated') {
      await auditMonth(audit, { mediumId, month: MONTH }, 'nightly')
    }
  }
}, 240_000)

test('a month that is not damaged has no finding', async () => {
  const rows = await monthCloseBoard({ ...money.payments, clock: fixedClock(USUAL) }, MONTH, 'somebody else')
  const healthy = rows.find(row => row.mediumId === HEALTHY)!
  expect(healthy.checks.filter(check => check.state !== 'green')).toEqual([])
  expect(healthy.canFinalize).toBe(true)
})

describe('a month that is damaged in one way has one finding', () => {
  /** One look for all damages that affect only their own medium. */
  let usual: ReturnType<typeof kindsOf>
  beforeAll(async () => {
    usual = kindsOf()
    await usual
  })
  test.each(FINDING_KINDS)('%s', async kind => {
    const { everywhere, at, by, brings = [] } = DAMAGES[kind]
    const asUsual = await usual
    if (!everywhere && !at && !by) return expect(asUsual.get(mediumOf(kind))).toEqual([kind, ...brings])
    expect(asUsual.get(mediumOf(kind)), 'not yet').toEqual([])
    if (everywhere) await force(everywhere[0])
    const found = await kindsOf(at, by)
    if (everywhere) await force(everywhere[1])
    expect(found.get(mediumOf(kind))).toEqual([kind])
  })
})
