import { day } from '@pc/domain/month/day.ts'
import { type YearMonth, yearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeTransferFees } from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { firstOpenMonth } from '../../core/server/first-month.ts'
import { type JobFacts, preparersOf, unresolvedFailures } from '../../core/server/month-readiness.ts'
import { accountsFinding } from './accounts-finding.ts'
import { poolsFinding } from './books-findings.ts'
import { monthCloseBoard } from './close-board.ts'
import type { CheckKind } from './close-checks.ts'
import { green } from './close-finding.ts'
import { lawFinding } from './law-finding.ts'
import { registrationFinding } from './registration-finding.ts'

const job = (id: bigint, parts: Partial<JobFacts> = {}): JobFacts => ({
  ...{ id, kind: 'csv', jobStatus: 'success', userUid: 'a', withdrawnAt: null, reversedByDividendId: null },
  ...parts,
})

describe('who prepared a month', () => {
  test('those whose entries are in it, and who computed it', () => {
    expect(preparersOf([job(1n), job(2n, { userUid: 'b' }), job(3n)], 'c')).toEqual(['a', 'b', 'c'])
    expect(preparersOf([], null)).toEqual([])
  })
  test.each<[string, Partial<JobFacts>]>([
    ['failed', { jobStatus: 'failed' }],
    ['failed and was withdrawn', { jobStatus: 'failed', withdrawnAt: new Date(0) }],
    ['was turned back', { reversedByDividendId: 9n }],
    ['was a reset', { kind: 'reset' }],
  ])('an entry that %s makes nobody a second person', (_what, parts) => {
    expect(preparersOf([job(1n), job(2n, { userUid: 'b', ...parts })], null)).toEqual(['a'])
  })
})

test('a failure blocks the close until it is withdrawn, or made good by its kind or a reset', () => {
  const failed = job(1n, { jobStatus: 'failed', kind: 'ssp' })
  expect(unresolvedFailures([failed])).toEqual([failed])
  expect(unresolvedFailures([failed, job(2n, { kind: 'ssp_live' })])).toEqual([failed])
  expect(unresolvedFailures([job(2n, { kind: 'ssp' }), failed])).toEqual([failed])
  for (const cure of [job(2n, { kind: 'ssp' }), job(2n, { kind: 'reset' })]) {
    expect(unresolvedFailures([failed, cure])).toEqual([])
  }
  expect(unresolvedFailures([{ ...failed, withdrawnAt: new Date(0) }])).toEqual([])
})

describe('finalised to paid', async () => {
  const tested = await testDatabase()
  const stats = await openTestDuckDb()
  const { database } = tested
  const books = await settlementBooks(database, stats.store)
  afterAll(async () => {
    await stats.drop()
    await tested.drop()
  })
  /** Medium 1 carries everything on, medium 2 has one payment to make. */
  const mediumOf = (mediumId: bigint, thresholdYen: bigint) => {
    const rule = { ...sampleRule(mediumId * 100n + 1n, 10_000n), mediumId }
    const agreement = {
      ...sampleAgreement(mediumId, [rule], { terms: { payoutThresholdYen: thresholdYen } }),
      mediumId,
    }
    return { ...sampleMonth(202606, { agreements: [agreement] }), mediumId }
  }
  const months = [mediumOf(1n, 1_000_000n), mediumOf(2n, 1n)]
  beforeAll(async () => {
    await database.inScope(SYSTEM, tx => writeAgreements(tx, months))
    await writeOwnAds(stats.store, months, 1n)
  })

  test.each([
    [1n, 'paid'],
    [2n, 'finalized'],
  ])('medium %s is %s', async (mediumId, state) => {
    const key = { mediumId, month: months[0]!.month }
    expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
    expect(await closeMonth(books, key, books.userUid)).toMatchObject({ ok: true })
    const row = await database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('monthStates')
        .select(['state', 'paidAt', 'finalizedAt', 'hash'])
        .where('mediumId', '=', mediumId)
        .executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({ state, paidAt: state === 'paid' ? row.finalizedAt : null })
    expect(row.hash).not.toBeNull()
  })
})

describe('before the first transfer', async () => {
  const tested = await testDatabase()
  const stats = await openTestDuckDb()
  const { database } = tested
  const { payments, userUid } = await settlementBooks(database, stats.store)
  afterAll(async () => {
    await stats.drop()
    await tested.drop()
  })
  const input = sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(101n, 10_000n)])] })
  const key = { mediumId: 1n, month: input.month }
  const closesFrom = (now: YearMonth) => firstOpenMonth(database, stats.store, now)
  const checkOf = async (kind: CheckKind, month: YearMonth = key.month) => {
    const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, month, userUid)
    return board[0]?.checks.find(check => check.kind === kind)
  }
  /** What the work damages is rolled back. */
  const undone = async (work: (tx: Transaction) => Promise<void>) => {
    const undo = new Error('undo')
    const failed = database.inScope(SYSTEM, async tx => {
      await work(tx)
      throw undo
    })
    await expect(failed).rejects.toBe(undo)
  }

  test('new terms begin with the month that is closed first', async () => {
    expect(await closesFrom(yearMonth(2026, 11)), 'nothing is there').toBe(202610)
    await database.inScope(SYSTEM, tx => writeAgreements(tx, [input]))
    await writeOwnAds(stats.store, [input], 1n)
    expect(await closesFrom(yearMonth(2026, 11)), 'the first statistics').toBe(202606)
  })

  test('prices that are missing are said, although who pays the fee does not need them for the statement', async () => {
    const check = () => checkOf('transfer_fees')
    await database.inScope(SYSTEM, tx => writeTransferFees(tx))
    expect(await checkOf('law'), 'nothing is computed yet').toMatchObject({ state: 'waiting' })
    expect(await computeMonth(payments, key)).toMatchObject({ ok: true })
    expect(await check()).toMatchObject({ state: 'green' })
    await database.inScope(SYSTEM, tx =>
      tx.deleteFrom('transferFees').where('destination', '=', 'other_bank').execute(),
    )
    expect(await check()).toMatchObject({
      state: 'amber',
      detail: expect.stringMatching(/^振込元の銀行（0009）の他行宛の振込手数料が登録されていません。/),
      link: '/adjustments/settings',
    })
  })

  test('a pool that the month before had and this one has not is said', async () => {
    await undone(async tx => {
      expect(await poolsFinding(tx, { ...key, month: yearMonth(2026, 7) })).toMatchObject({ state: 'green' })
      const { id: operationId } = await tx
        .insertInto('dividendOperations')
        .values({ month: key.month })
        .onConflict(conflict => conflict.column('month').doUpdateSet({ month: key.month }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('dividends')
        .values({
          ...{ operationId, ...key, kind: 'ssp_video', method: 'payment', extraRevenueYen: 0n },
          ...{ extraRevenueMonth: key.month, jobStatus: 'success', completedAt: new Date(0) },
        })
        .execute()
      expect(await poolsFinding(tx, { ...key, month: yearMonth(2026, 7) })).toMatchObject({
        state: 'amber',
        detail: '前月に登録した「動画SSP収益の分配」が、この月にはありません。登録漏れがないか確認してください。',
        link: '/adjustments/dividend/month=2026-07',
      })
      await tx.updateTable('dividends').set({ jobStatus: 'failed', failureCode: 'x', failureText: 'x' }).execute()
      expect(await poolsFinding(tx, { ...key, month: yearMonth(2026, 7) }), 'it was never allocated').toMatchObject({
        state: 'green',
      })
    })
    expect(await checkOf('pools', yearMonth(2026, 7))).toMatchObject({ state: 'green' })
  })

  test('an account of two payees, and an amount that no transfer holds, are said', async () => {
    const found = (tx: Transaction) => accountsFinding(tx, key)
    await undone(async tx => {
      expect(await found(tx)).toMatchObject({ state: 'green' })
      const copied = async (account: number) => {
        await sql`insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
          overriding system value select ${account}::bigint, 2, bank_id, bank_branch_id, type_name,
            ${account === 92 ? sql`number` : sql`'7654321'`}, holder, state, decided_at from bank_accounts limit 1`.execute(
          tx,
        )
        await sql`insert into agreements (id, organization_id, medium_id, name, code)
          overriding system value select ${account}::bigint, 2, medium_id, 'b', ${`b${account}`} from agreements limit 1`.execute(
          tx,
        )
        for (const table of ['monthly_agreement_snapshots', 'monthly_payments']) {
          await sql`insert into ${sql.ref(table)} overriding system value
            select (jsonb_populate_record(p, jsonb_build_object('id', 1000 + ${account}::int, 'organization_id', 2,
              'monthly_agreement_snapshot_id', 1000 + ${account}::int, 'agreement_id', ${account}::int,
              'bank_account_id', ${account}::int))).* from ${sql.ref(table)} p
            where month = ${key.month} order by id limit 1`.execute(tx)
        }
      }
      await sql`insert into organizations (id, name) overriding system value values (2, '乙社') on conflict do nothing`.execute(
        tx,
      )
      await copied(91)
      expect(await found(tx), 'another account of another payee').toMatchObject({ state: 'green' })
      await copied(92)
      expect(await found(tx)).toMatchObject({
        state: 'amber',
        detail: expect.stringMatching(/^同じ口座（.+ .+ \*{4}\d{3}）が、複数の組織（.+、.+）の振込先になっています。/),
        link: '/bank-accounts',
      })
    })
    await undone(async tx => {
      await sql`insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
        overriding system value select 93, organization_id, bank_id, bank_branch_id, type_name, '7654321', 'ｶ/ｱｵｿﾞﾗ', state, decided_at
        from bank_accounts limit 1`.execute(tx)
      await sql`update monthly_payments set bank_account_id = 93 where month = ${key.month}`.execute(tx)
      expect(await found(tx)).toMatchObject({
        state: 'amber',
        detail: expect.stringContaining('の口座名義に、振込データで使えない文字（/）があります'),
        link: '/bank-accounts',
      })
      await sql`update transfer_sources set extra_characters = '/'`.execute(tx)
      expect(await found(tx), 'this bank takes it').toMatchObject({ state: 'green' })
    })
    await undone(async tx => {
      const amount = (yen: bigint) =>
        sql`update monthly_payments set payment_tax_yen = ${yen} - payment_yen, payment_including_tax_yen = ${yen}
          where month = ${key.month}`.execute(tx)
      await amount(9_999_999_999n)
      expect(await found(tx)).toMatchObject({ state: 'green' })
      await amount(10_000_000_000n)
      expect(await found(tx), 'nothing to do: it is sent in two records').toMatchObject({
        state: 'green',
        detail: expect.stringContaining(
          'へは、差引前の額で2件に分けて振り込みます（10,000,000,000円、限度額は9,999,999,999円）。',
        ),
      })
      await sql`update transfer_sources set transfer_limit_yen = 10000000`.execute(tx)
      expect(await found(tx), 'more records than are made').toMatchObject({
        state: 'amber',
        detail: expect.stringContaining('（10,000,000,000円）は、1件の限度額（10,000,000円）では999件に収まりません。'),
      })
      await sql`update transfer_sources set transfer_limit_yen = 9999999999`.execute(tx)
      await amount(1_000_000_000_000n)
      expect(await found(tx), 'more than a file holds').toMatchObject({
        state: 'amber',
        detail: expect.stringContaining('が、1つの振込データの上限（999,999,999,999円）を超えます'),
      })
    })
  })

  test('payments of a tax period above the limit of an unregistered payee are said', async () => {
    await undone(async tx => {
      const found = () => registrationFinding(tx, key, [])
      const paid = (yen: bigint) =>
        sql`update monthly_paid_buckets set is_qualified = false, amount_yen = ${yen} - tax_yen
          where month = ${key.month}`.execute(tx)
      await paid(1_000_000_000n)
      expect(await found()).toMatchObject({ state: 'green' })
      await paid(1_000_000_001n)
      expect(await found()).toMatchObject({
        state: 'amber',
        detail: expect.stringContaining('2026-01からの課税期間の上限（1,000,000,000円）を1円超えます'),
      })
      await tx.updateTable('paymentSettings').set({ taxPeriodStartMonth: 4 }).execute()
      expect(await found()).toMatchObject({ detail: expect.stringContaining('2026-04からの課税期間') })
    })
  })

  test('a payment that the law forbids refuses the close; one that it asks about is said', async () => {
    expect(await checkOf('law')).toMatchObject({ state: 'green' })
    await undone(async tx => {
      const found = () => lawFinding(tx, key, day('2026-07-05'))
      const draft = (parts: object) =>
        tx.updateTable('monthlyPayments').set(parts).where('month', '=', key.month).execute()
      await tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).execute()
      expect(await found()).toEqual(green('対象の契約1件を確認しました。'))
      await draft({ feePaidBy: 'publisher' })
      expect(await found()).toMatchObject({
        state: 'red',
        detail: expect.stringMatching(/^取適法・フリーランス法に反する条件の支払が1件（.+）あります。.*2026年7月31日/),
        link: expect.stringMatching(/^\/managements\/agreements\/edit\/\d+$/),
      })
      await tx.updateTable('agreements').set({ isShiftAgreedInWriting: true }).execute()
      await draft({ feePaidBy: 'product', dueOn: '2026-08-03' })
      expect(await found()).toMatchObject({ state: 'red', link: '/adjustments/settings' })
      await draft({ dueOn: '2026-07-31', hasDiscardedRows: true })
      expect(await found()).toMatchObject({ state: 'amber', detail: expect.stringMatching(/^減額や取り消しのある/) })
      await tx.updateTable('agreements').set({ freelanceCoverage: 'unknown' }).execute()
      expect(await found()).toMatchObject({ state: 'green' })
      await draft({ feePaidBy: 'publisher', hasDiscardedRows: false })
      expect(await found()).toMatchObject({
        state: 'amber',
        detail: expect.stringContaining('未確認のまま、手数料を差し引く'),
      })
    })
  })

  test('after a close they begin with the month after it, and never later than now', async () => {
    expect(await closeMonth({ payments }, key, userUid)).toMatchObject({ ok: true })
    expect(await closesFrom(yearMonth(2026, 11))).toBe(202607)
    expect(await closesFrom(yearMonth(2026, 6))).toBe(202606)
  })
})

describe('the statistics of a month are those that payments are made from', async () => {
  const tested = await testDatabase()
  const stats = await openTestDuckDb()
  const { database } = tested
  const { payments, userUid } = await settlementBooks(database, stats.store)
  afterAll(async () => {
    await stats.drop()
    await tested.drop()
  })
  const month = 202606
  const NOTHING = 1n
  const ARTICLES = 2n
  const POOLS = 3n
  const EVENTS = 4n
  const WITHOUT_REVENUE = 5n
  const inputs = [NOTHING, ARTICLES, POOLS, EVENTS, WITHOUT_REVENUE].map(mediumId => {
    const share = mediumId === POOLS ? { ownAdsRateUnits: 0, sspRateUnits: 4000 } : {}
    const rule = { ...sampleRule(mediumId * 100n + 1n, 0n, { share }), mediumId }
    return { ...sampleMonth(month, { agreements: [{ ...sampleAgreement(mediumId, [rule]), mediumId }] }), mediumId }
  })
  const ofMedium = (mediumId: bigint) => inputs.filter(each => each.mediumId === mediumId)
  beforeAll(async () => {
    await database.inScope(SYSTEM, tx => writeAgreements(tx, inputs))
    const article = { article_id: 1n, impression: 9n, click: 1n, watch: 0n, ads_revenue_micro_yen: 5_000_000n }
    const row = (date: string) => ({
      ...article,
      publisher_revenue_micro_yen: 0n,
      date,
      publisher_id: 201n,
      batch_no: 1n,
    })
    await importFacts(stats.store, 1n, {
      article_day: ['2026-06-01', '2026-06-30'].map(date => ({ ...row(date), medium_id: ARTICLES })),
    })
    await writeOwnAds(stats.store, ofMedium(EVENTS), 2n)
    await writeOwnAds(stats.store, ofMedium(WITHOUT_REVENUE), 3n)
    await database.inScope(SYSTEM, tx =>
      sql`insert into ingest_batches (batch_no, dataset, batch_id, revision, content_sha256, state, source_name, received_at,
          applied_at, first_day, last_day)
        overriding system value values (2, 'events', 'e', 1, 'e', 'applied', 'e', now(), now(), '2026-06-01', '2026-06-30')`.execute(
        tx,
      ),
    )
  })

  test.each([
    ['none at all', NOTHING, 'red', /この月の統計（パブリッシャーの日別）が届いていません。/],
    ['those of articles alone', ARTICLES, 'red', /記事や動画の統計だけでは0円になります。/],
    ['events alone', EVENTS, 'red', /この月の統計（パブリッシャーの日別）が届いていません。/],
    ['those of publishers without revenue', WITHOUT_REVENUE, 'amber', /広告収益がすべて0円です。/],
    ['none, and no share of own ads', POOLS, 'green', /統計の不足はありません。/],
  ])('%s: the board and the close agree', async (_what, mediumId, state, detail) => {
    const key = { mediumId, month: inputs[0]!.month }
    expect(await computeMonth(payments, key)).toMatchObject({ ok: true })
    const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, key.month, userUid)
    const statistics = board.find(row => row.mediumId === mediumId)?.checks.find(({ kind }) => kind === 'statistics')
    expect(statistics).toMatchObject({ state, detail: expect.stringMatching(detail) })
    const closed = await closeMonth({ payments }, key, userUid)
    const reasons = closed.ok ? [] : closed.refusals.map(({ code }) => code)
    expect(reasons.includes('payment/statistics-missing')).toBe(state === 'red')
  })
})
