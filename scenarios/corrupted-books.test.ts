import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { Invariant } from '@pc/domain/settlement/violation.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
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
import { beforeAll, describe, expect, test } from 'vitest'

/** Two finalised months, in which a superuser then changes rows behind the program's back. */
const { tested, stats, database, books } = await openBooks()
const MEDIUM = 1n
const FIRST = 202606 as YearMonth
const KEY = { mediumId: MEDIUM, month: 202607 as YearMonth }
const TABLES = [
  'month_states',
  'month_closings',
  'monthly_agreement_snapshots',
  'monthly_snapshot_inputs',
  'monthly_payments',
  'monthly_publisher_payments',
  'monthly_rule_snapshots',
  'monthly_carried_buckets',
  'monthly_adjustments',
  'monthly_tax_lines',
  'monthly_paid_buckets',
  'monthly_pools',
  'opening_balances',
  'dividends',
  'dividend_rows',
  'dividend_weights',
  'dividend_ledger_lines',
]

const agreements = [
  sampleAgreement(
    1n,
    [
      sampleRule(101n, 100_003n, { share: { sspRateUnits: 3333, isTargetForSspAllocation: true } }),
      sampleRule(102n, 50_001n),
    ],
    {
      terms: { minimumRevenueType: 'by_agreement', minimumRevenueYen: 500_000n, fixedRevenueYen: 10_000n },
      invoiceRegistrationNumber: 'T7123456789012',
      qualifiedMonths: [FIRST],
    },
  ),
  sampleAgreement(2n, [sampleRule(201n, 7n, { minimumRevenueYen: 9_000n })], {
    terms: { minimumRevenueType: 'by_publisher' },
  }),
  sampleAgreement(3n, [sampleRule(301n, 900n)], { terms: { payoutThresholdYen: 5_000n } }),
]
const OPENING = { agreementId: 3n, publisherId: 301n, originMonth: 201909 as YearMonth, amountYen: 250n }

beforeAll(async () => {
  const settings = {
    settings: { payoutThresholdYen: 1n, businessDayShift: 'previous' as const, rules: 'returns_per_rate' as const },
    taxTable: STANDARD_TAX_TABLE,
  }
  await database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, settings)
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements }])
    const balance = { ...OPENING, bookedMonth: FIRST, isQualified: false }
    expect(await saveOpeningBalances({ tx, record() {}, recordNothing() {} }, [balance])).toMatchObject({ ok: true })
  })
  for (const [index, month] of [FIRST, KEY.month].entries()) {
    const input = sampleMonth(month, {
      agreements,
      poolJobs: [
        {
          jobId: 1n,
          kind: 'ssp',
          method: 'payment',
          poolYen: 10_001n,
          weights: [{ agreementId: 1n, publisherId: 101n, weight: 3n }],
        },
      ],
      adjustments: [sampleAdjustment(3n, 301n, 100n)],
    })
    await writeOwnAds(stats.store, [input], BigInt(index + 1))
    await bookManualOperations(books, input)
    if (index === 1) {
      // Reset and booked again, so that the ledger has reversing lines.
      const reset = {
        mediumId: MEDIUM,
        month,
        kind: 'reset',
        method: 'payment',
        extraRevenueYen: null,
        extraRevenueMonth: '',
        notes: '',
      } as const
      const id = await database.inScope(SYSTEM, tx =>
        createManualOperation(tx, books.manualOperations, { input: reset, rawRows: [], userUid: books.userUid }),
      )
      if (!id.ok) throw new Error(JSON.stringify(id.refusals))
      await runManualOperation(books.manualOperations, id.value)
      await bookManualOperations(books, input)
    }
    const key = { mediumId: MEDIUM, month }
    expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
    const closed = await closeMonth(books, key, books.userUid)
    expect(closed).toMatchObject({ ok: true })
  }
})

const violations = async () =>
  (
    await Promise.all(
      [FIRST, KEY.month].map(month => monthViolations({ database, stats: stats.store }, { ...KEY, month })),
    )
  ).flat()

describe('the walls of the database', () => {
  test.each(TABLES)('%s: nobody changes, removes or empties rows of a finalised month', async table => {
    const column =
      {
        ...{ month_states: 'input_hash', month_closings: 'finalized_at', monthly_payments: 'payment_yen' },
        opening_balances: 'amount_yen',
      }[table] ?? 'month'
    const set = ['dividend_rows', 'dividend_weights'].includes(table)
      ? 'agreement_id = agreement_id'
      : `${column} = ${column}`
    const changed =
      table === 'month_states'
        ? "input_hash = 'x'"
        : table === 'monthly_payments'
          ? 'payment_yen = payment_yen + 1'
          : set
    for (const url of [tested.adminUrl, tested.ownerUrl]) {
      await withClient(url, async client => {
        await client.query("select set_config('app.scope', 'all', false)")
        for (const statement of [
          `update ${table} set ${changed}`,
          `delete from ${table}`,
          `truncate ${table} cascade`,
        ]) {
          await expect(client.query(statement), statement).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
        }
      })
    }
  })

  test('nothing is added to a finalised month', async () => {
    const add = withClient(tested.adminUrl, client =>
      client.query(
        "insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month) values (1, 1, 202607, 'csv', 'payment', 1, 202607)",
      ),
    )
    await expect(add).rejects.toMatchObject({ constraint: 'closed_month' })
  })

  /** Triggers stand for foreign keys here. A superuser tries them without the wall around finalised months. */
  test('a part of a month has its owner, keeps it, and goes with it', async () => {
    await withClient(tested.adminUrl, async client => {
      const { rows: parts } = await client.query<{ owner: string; part: string; reference: string }>(
        `select tgrelid::regclass::text as owner, args[1] as part, args[2] as reference from pg_trigger,
          string_to_array(replace(encode(tgargs, 'escape'), '\\000', '|'), '|') as args
        where tgfoid = 'app.remove_parts'::regproc order by 1, 2`,
      )
      expect(parts).toHaveLength(7)
      await client.query('begin')
      for (const table of new Set(parts.flatMap(({ owner, part }) => [owner, part]))) {
        const { rows: walls } = await client.query<{ name: string }>(
          "select tgname as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgname !~ '_(owned_insert|owned_update|go_with_owner|same_id)$'",
          [table],
        )
        for (const { name } of walls) await client.query(`alter table ${table} disable trigger ${name}`)
      }
      await client.query('savepoint whole')
      const tried = async (statement: string) => {
        const result = await client.query(statement).catch((error: { constraint?: string }) => error)
        await client.query('rollback to savepoint whole')
        return result
      }
      for (const { owner, part, reference } of parts) {
        const orphan = `(jsonb_populate_record(null::${part}, to_jsonb(p) || '{"${reference}": -1}')).*`
        expect(await tried(`update ${part} set ${reference} = -${reference}`)).toMatchObject({
          constraint: `${part}_owned_update`,
        })
        expect(
          await tried(
            `with p as (delete from ${part} returning *) insert into ${part} overriding system value select ${orphan} from p limit 1`,
          ),
        ).toMatchObject({ constraint: `${part}_owned_insert` })
        expect(await tried(`update ${owner} set id = default`)).toMatchObject({ constraint: `${owner}_same_id` })
        const { rows } = await client.query(`select 1 from ${part}`)
        await client.query(`delete from ${owner}`)
        const left = await client.query(`select 1 from ${part}`)
        await client.query('rollback to savepoint whole')
        expect({ part, before: rows.length > 0, left: left.rows.length }).toEqual({ part, before: true, left: 0 })
      }
      await client.query('rollback')
    })
  })
})

/** The invariant, the corruption, and its reversal. */
const CORRUPTIONS: readonly (readonly [Invariant, string, string])[] = [
  [
    'I1',
    'update monthly_payments set ads_revenue_yen = ads_revenue_yen + 1 where month = 202607 and agreement_id = 1',
    'update monthly_payments set ads_revenue_yen = ads_revenue_yen - 1 where month = 202607 and agreement_id = 1',
  ],
  [
    'I2',
    'update monthly_publisher_payments set ssp_revenue_yen = ssp_revenue_yen + 1 where month = 202607 and publisher_id = 101',
    'update monthly_publisher_payments set ssp_revenue_yen = ssp_revenue_yen - 1 where month = 202607 and publisher_id = 101',
  ],
  [
    'I3',
    'update monthly_payments set cumulative_revenue_yen = cumulative_revenue_yen + 1 where month = 202607 and agreement_id = 2',
    'update monthly_payments set cumulative_revenue_yen = cumulative_revenue_yen - 1 where month = 202607 and agreement_id = 2',
  ],
  [
    'I4',
    'update monthly_payments set carried_over_revenue_yen = carried_over_revenue_yen + 1 where month = 202607 and agreement_id = 3',
    'update monthly_payments set carried_over_revenue_yen = carried_over_revenue_yen - 1 where month = 202607 and agreement_id = 3',
  ],
  [
    'I4',
    'update opening_balances set amount_yen = amount_yen + 1',
    'update opening_balances set amount_yen = amount_yen - 1',
  ],
  ['I4', 'update opening_balances set origin_month = 201908', 'update opening_balances set origin_month = 201909'],
  // Two months of one balance, with an unchanged sum.
  [
    'I4',
    `update monthly_carried_buckets b set open_yen = open_yen + d, next_yen = next_yen + d
      from (values (201909, 1), (202606, -1)) moved (of, d) where of = b.generated_month and b.month = 202606
      and b.monthly_publisher_payment_id = (select id from monthly_publisher_payments where month = 202606 and publisher_id = 301)`,
    `update monthly_carried_buckets b set open_yen = open_yen + d, next_yen = next_yen + d
      from (values (201909, -1), (202606, 1)) moved (of, d) where of = b.generated_month and b.month = 202606
      and b.monthly_publisher_payment_id = (select id from monthly_publisher_payments where month = 202606 and publisher_id = 301)`,
  ],
  [
    'I5',
    'update opening_balances set amount_yen = amount_yen + 1',
    'update opening_balances set amount_yen = amount_yen - 1',
  ],
  [
    'I5',
    'update monthly_payments set payment_yen = payment_yen + 1 where month = 202606 and agreement_id = 1',
    'update monthly_payments set payment_yen = payment_yen - 1 where month = 202606 and agreement_id = 1',
  ],
  [
    'I6',
    "update monthly_payments set outcome = 'held' where month = 202607 and agreement_id = 1",
    "update monthly_payments set outcome = 'scheduled' where month = 202607 and agreement_id = 1",
  ],
  [
    'I7',
    'update monthly_payments set bank_account_id = bank_account_id + 1 where month = 202607 and agreement_id = 1',
    'update monthly_payments set bank_account_id = bank_account_id - 1 where month = 202607 and agreement_id = 1',
  ],
  [
    'I8',
    'update monthly_pools set retained_yen = retained_yen + 1 where month = 202607',
    'update monthly_pools set retained_yen = retained_yen - 1 where month = 202607',
  ],
  [
    'I9',
    "insert into dividend_ledger_lines (dividend_id, medium_id, month, kind, method, booking, agreement_id, publisher_id, line, quota_yen, allocated_yen, amount_yen) select id, 1, 202607, 'ssp', 'payment', booking, 1, 102, 0, 5, 5, 0 from dividends where month = 202607 and kind = 'ssp' and reversed_by_dividend_id is null",
    'delete from dividend_ledger_lines where month = 202607 and publisher_id = 102',
  ],
  [
    'I10',
    'update monthly_payments set minimum_top_up_revenue_yen = minimum_top_up_revenue_yen - 1, revenue_yen = revenue_yen - 1 where month = 202607 and agreement_id = 1',
    'update monthly_payments set minimum_top_up_revenue_yen = minimum_top_up_revenue_yen + 1, revenue_yen = revenue_yen + 1 where month = 202607 and agreement_id = 1',
  ],
  [
    'I11',
    'update monthly_publisher_payments set revenue_yen = revenue_yen - 1 where month = 202607 and publisher_id = 201',
    'update monthly_publisher_payments set revenue_yen = revenue_yen + 1 where month = 202607 and publisher_id = 201',
  ],
  [
    'I12',
    'update monthly_payments set payment_tax_yen = payment_tax_yen + 1 where month = 202607 and agreement_id = 1',
    'update monthly_payments set payment_tax_yen = payment_tax_yen - 1 where month = 202607 and agreement_id = 1',
  ],
  [
    'I13',
    'update monthly_paid_buckets set deductible_tax_yen = deductible_tax_yen + 1 where month = 202607',
    'update monthly_paid_buckets set deductible_tax_yen = deductible_tax_yen - 1 where month = 202607',
  ],
  [
    'I14',
    'update monthly_paid_buckets set amount_yen = amount_yen + 1 where month = 202607',
    'update monthly_paid_buckets set amount_yen = amount_yen - 1 where month = 202607',
  ],
  [
    'I15',
    'update dividend_ledger_lines set amount_yen = amount_yen + 1 where month = 202607 and reverses_dividend_id is not null',
    'update dividend_ledger_lines set amount_yen = amount_yen - 1 where month = 202607 and reverses_dividend_id is not null',
  ],
  [
    'I16',
    'update monthly_rule_snapshots set own_ads_rate_units = own_ads_rate_units - 1 where month = 202607',
    'update monthly_rule_snapshots set own_ads_rate_units = own_ads_rate_units + 1 where month = 202607',
  ],
  [
    'I17',
    'update monthly_snapshot_inputs set input = replace(input, \'"code":"C-1"\', \'"code":"C-9"\') where month = 202607',
    'update monthly_snapshot_inputs set input = replace(input, \'"code":"C-9"\', \'"code":"C-1"\') where month = 202607',
  ],
  ['I18', "update month_states set state = 'open', finalized_at = null, hash = null where month = 202606", ''],
  [
    'I21',
    'update monthly_payments set revenue_tax_yen = revenue_tax_yen + 1 where month = 202607 and agreement_id = 1',
    'update monthly_payments set revenue_tax_yen = revenue_tax_yen - 1 where month = 202607 and agreement_id = 1',
  ],
  [
    'I22',
    'update monthly_snapshot_inputs set input = replace(input, \'"days":[["201n","2333333 \', \'"days":[["201n","2333334 \') where month = 202607',
    'update monthly_snapshot_inputs set input = replace(input, \'"days":[["201n","2333334 \', \'"days":[["201n","2333333 \') where month = 202607',
  ],
  [
    'I23',
    "update monthly_payments set due_on = '2026-08-30' where month = 202607 and agreement_id = 1",
    "update monthly_payments set due_on = '2026-08-31' where month = 202607 and agreement_id = 1",
  ],
  [
    'I24',
    'update monthly_agreement_snapshots set qualified_invoice_issuer = true where month = 202607 and agreement_id = 2',
    'update monthly_agreement_snapshots set qualified_invoice_issuer = false where month = 202607 and agreement_id = 2',
  ],
  // A well-formed number of a payee that was not registered at the end of the month.
  [
    'I24',
    "update monthly_agreement_snapshots set qualified_invoice_issuer = true, invoice_registration_number = 'T7123456789012' where month = 202607 and agreement_id = 2",
    'update monthly_agreement_snapshots set qualified_invoice_issuer = false, invoice_registration_number = null where month = 202607 and agreement_id = 2',
  ],
  [
    'I24',
    'update monthly_publisher_payments set organization_id = 2 where month = 202607 and publisher_id = 201',
    'update monthly_publisher_payments set organization_id = 1 where month = 202607 and publisher_id = 201',
  ],
]

describe('deliberate corruption, one for each invariant', () => {
  beforeAll(() =>
    withClient(tested.adminUrl, async client => {
      await client.query("insert into organizations (id, name) overriding system value values (2, '別の組織')")
      const { rows } = await client.query<{ table: string; name: string }>(
        "select conrelid::regclass::text as table, conname as name from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conrelid::regclass::text = any ($1)",
        [TABLES],
      )
      for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
      for (const table of TABLES) await client.query(`alter table ${table} disable trigger user`)
    }),
  )
  const state = new Map<string, unknown>()

  test('before, everything holds', async () => {
    expect(await violations()).toEqual([])
  })

  test.each(CORRUPTIONS)('%s: %s', async (invariant, corrupt, restore) => {
    await withClient(tested.adminUrl, async client => {
      if (restore === '')
        state.set('states', (await client.query('select * from month_states where month = 202606')).rows[0])
      const { rowCount } = await client.query(corrupt)
      expect(rowCount).toBeGreaterThan(0)
    })
    const found = await violations()
    expect(found.map(each => each.invariant)).toContain(invariant)
    expect(found.every(each => each.row !== '' && each.detail !== '')).toBe(true)
    await withClient(tested.adminUrl, async client => {
      if (restore !== '') return void (await client.query(restore))
      const before = state.get('states') as { finalized_at: Date; hash: string }
      await client.query(
        "update month_states set state = 'finalized', finalized_at = $1, hash = $2 where month = 202606",
        [before.finalized_at, before.hash],
      )
    })
    expect(await violations()).toEqual([])
  })
})
