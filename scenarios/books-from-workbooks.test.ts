import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { randomMonth, randomSource } from '@pc/domain/settlement/random-month.ts'
import { settled } from '@pc/domain/settlement/sample-month.ts'
import type { GeneratedBucket, MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import type { AccountMailPort } from '@pc/features/access/server/account-mail-port.ts'
import { confirmImport } from '@pc/features/imports/server/confirm-import.ts'
import { demandImporter, type Importer } from '@pc/features/imports/server/import-access.ts'
import type { ImportKind } from '@pc/features/imports/server/import-kind.ts'
import { previewImport } from '@pc/features/imports/server/preview-import.ts'
import { FEE_PAYERS, MINIMUM_REVENUE_TYPES, PAYMENT_TIMINGS } from '@pc/features/imports/server/workbook-labels.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { importKinds } from '../apps/server/import-kinds.ts'
import { accepted } from './transfer-fixture.ts'

/** An operator's whole books come over in files: 500 agreements, their terms, 2,000 rules, accounts, and what each was still owed. */
const SEED = 20_261_124
const AGREEMENTS = 500
const RULES_EACH = 4
const ORIGIN_MONTHS = [201403, 201909, 202309, 202310, 202510, 202511, 202512] as YearMonth[]

const { stats, database, books } = await openBooks()
function everyBalance(): MonthInput {
  const size = { agreements: AGREEMENTS, rulesPerAgreement: RULES_EACH, poolJobs: 0, adjustments: 0 }
  const input = randomMonth(SEED, size, true)
  const random = randomSource(SEED)
  const openingOf = (): readonly GeneratedBucket[] =>
    ORIGIN_MONTHS.filter((_, index) => index === 0 || random.percent(30)).map(generatedMonth => {
      const amount = BigInt(1 + random.below(random.oneOf([50, 90_000])))
      return { generatedMonth, amountYen: random.percent(10) ? -amount : amount }
    })
  return {
    ...input,
    agreements: input.agreements.map(agreement => ({
      ...agreement,
      rules: agreement.rules.map(rule => {
        const opening = openingOf()
        return { ...rule, carried: opening, opening }
      }),
    })),
  }
}

type Rows = readonly (readonly (string | bigint)[])[]
type Book = readonly [kind: string, header: readonly string[], rows: Rows]

const yesNo = (is: boolean) => (is ? 'はい' : 'いいえ')
const percent = (units: number) => `${Math.trunc(units / 100)}.${String(units % 100).padStart(2, '0')}`
const FIRST_MONTH = '2020-12'
const ACCOUNT = ['銀行コード', '支店コード', '口座番号']
const accountCells = (id: bigint) => ['0001', '001', id]

/** The files of an operator who leaves another system, in the order of an empty one. */
function workbooksOf({ month, mediumId, agreements }: MonthInput): readonly Book[] {
  const organizations = [...new Set(agreements.map(({ organizationId }) => organizationId))]
  const rules = agreements.flatMap(agreement => agreement.rules.map(rule => ({ agreement, rule })))
  const accounts = agreements.flatMap(agreement => agreement.accounts.map(account => ({ agreement, account })))
  return [
    ['organizations', ['組織名'], organizations.map(id => [`組織${id}`])],
    [
      'publishers',
      ['パブリッシャー名', '組織名'],
      rules.map(({ agreement, rule }) => [`媒体${rule.publisherId}`, `組織${agreement.organizationId}`]),
    ],
    [
      'agreements',
      [
        ...['契約コード', '契約名', '媒体ID', '組織名', '適用開始月', '解約日', '支払停止'],
        ...['適格請求書発行事業者', '登録番号'],
      ],
      agreements.map(each => [
        ...[`C-${each.agreementId}`, each.partnerName, mediumId, `組織${each.organizationId}`, FIRST_MONTH],
        ...[each.terminatedOn ?? '', yesNo(each.isPaymentDisabled), yesNo(each.qualifiedMonths.length > 0)],
        each.invoiceRegistrationNumber ?? '',
      ]),
    ],
    [
      'terms',
      [
        ...['契約コード', '適用開始月', '支払期日', '振込手数料の負担', '最低保証', '固定額（月額、円）'],
        ...['最低保証額（月額、円）', '支払下限額（円）'],
      ],
      agreements.map(({ agreementId, terms }) => [
        ...[`C-${agreementId}`, FIRST_MONTH, PAYMENT_TIMINGS[terms.paymentTiming], FEE_PAYERS[terms.feePaidBy]],
        ...[MINIMUM_REVENUE_TYPES[terms.minimumRevenueType], terms.fixedRevenueYen, terms.minimumRevenueYen],
        terms.payoutThresholdYen ?? '',
      ]),
    ],
    [
      'rules',
      [
        ...['契約コード', 'パブリッシャー名', '適用開始月', '自社広告の支払率（%）', 'SSPの支払率（%）'],
        ...['動画SSPの支払率（%）', 'ライブSSPの支払率（%）', 'SSPの配分', '動画SSPの配分', 'ライブSSPの配分'],
        ...['固定額（月額、円）', '最低保証額（月額、円）'],
      ],
      rules.map(({ agreement, rule: { publisherId, share, fixedRevenueYen, minimumRevenueYen } }) => [
        ...[`C-${agreement.agreementId}`, `媒体${publisherId}`, FIRST_MONTH, percent(share.ownAdsRateUnits)],
        ...[percent(share.sspRateUnits), percent(share.videoSspRateUnits), percent(share.liveSspRateUnits)],
        ...[yesNo(share.isTargetForSspAllocation), yesNo(share.isTargetForVideoSspAllocation)],
        ...[yesNo(share.isTargetForLiveSspAllocation), fixedRevenueYen, minimumRevenueYen],
      ]),
    ],
    [
      'bank-accounts',
      ['組織名', ...ACCOUNT, '口座名義（カナ）'],
      accounts.map(({ agreement, account }) => [
        ...[`組織${agreement.organizationId}`, ...accountCells(account.bankAccountId), 'ｶ)ﾄﾘﾋｷ'],
      ]),
    ],
    [
      'agreement-accounts',
      ['契約コード', '利用開始月', ...ACCOUNT],
      accounts.map(({ agreement, account }) => [
        ...[`C-${agreement.agreementId}`, formatYearMonth(account.usedFromMonth)],
        ...accountCells(account.bankAccountId),
      ]),
    ],
    [
      'opening-balances',
      ['契約コード', 'パブリッシャー名', '発生月', '金額（税抜）', '適格請求書発行事業者', '引継月'],
      rules.flatMap(({ agreement, rule }) =>
        (rule.opening ?? []).map(({ generatedMonth, amountYen }) => [
          ...[`C-${agreement.agreementId}`, `媒体${rule.publisherId}`, formatYearMonth(generatedMonth), amountYen],
          ...[yesNo(agreement.qualifiedMonths.includes(generatedMonth)), formatYearMonth(month)],
        ]),
      ),
    ],
  ]
}

/** Previewed by one administrator and confirmed by another one; the same file again changes nothing. */
async function bringIn([name, header, rows]: Book): Promise<void> {
  const jobs: Jobs = {
    enqueue: async () => null,
    enqueueAll: async () => {},
    work: async () => {},
    close: async () => {},
  }
  const { clock } = books.payments
  const kinds = importKinds({ clock, jobs, mail: NO_MAIL })
  const kind = kinds.find(one => one.name === name)!
  const parts = { database, clock, kinds }
  const progress = { signal: AbortSignal.timeout(120_000), onRows() {} }
  const bytes = Buffer.from([header, ...rows].map(row => row.join(',')).join('\r\n'))
  const preview = async () =>
    accepted(
      await previewImport(parts, kind, administrator(kind, books.userUid), { name: `${name}.csv`, bytes }, progress),
    )
  const seen = await preview()
  // Terms that are those of a new agreement are there already.
  const saved = seen.newCount + seen.changedCount + (name === 'terms' ? seen.unchangedCount : 0)
  expect([name, saved, seen.refusedCount]).toEqual([name, rows.length, 0])
  const { id: importId, previewSha256 } = seen
  const confirmation = { importId, previewSha256, withoutRefused: false, sendsInvitations: false }
  const stop = new AbortController()
  const stopped = { signal: stop.signal, onRows: (done: number) => (done > 0 ? stop.abort() : undefined) }
  // Between two portions; nothing of the first one stays, or the second attempt would find other rows.
  if (name === 'rules')
    await expect(confirmImport(parts, kind, administrator(kind, approverUid), confirmation, stopped)).rejects.toThrow()
  const confirmed = accepted(await confirmImport(parts, kind, administrator(kind, approverUid), confirmation, progress))
  expect([name, confirmed.isNewPreview]).toEqual([name, false])
  expect([name, (await preview()).unchangedCount]).toEqual([name, rows.length])
}

const approverUid = await database.inScope(SYSTEM, async tx => {
  const email = 'shoninsha@example.jp'
  return (await tx.insertInto('users').values({ email }).returning('uid').executeTakeFirstOrThrow()).uid
})

function administrator(kind: ImportKind, uid: string): Importer {
  const viewer: Viewer = {
    ...{ uid, email: `${uid}@example.jp`, roles: ['admin'], organizationId: null },
    scope: { kind: 'all' },
  }
  return demandImporter(viewer, kind, { requestId: '', sourceAddress: '' })
}

/** No file of this test invites anybody. */
const NO_MAIL = {} as AccountMailPort

/** The medium and the master of banks: what an operator has before the first file. */
async function writeSurroundings(tx: Transaction, { mediumId, settings, taxTable }: MonthInput): Promise<void> {
  await writeSettings(tx, { settings, taxTable })
  await tx.insertInto('media').values({ id: mediumId, name: 'ニュースメディア' }).execute()
  const names = { name: '試験', kana: 'ｼｹﾝ', hira: 'しけん', roma: 'shiken' }
  const bank = await tx
    .insertInto('banks')
    .values({ code: '0001', ...names })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('bankBranches')
    .values({ bankId: bank.id, code: '001', ...names })
    .execute()
}

/** What the statistics and the expected month call a publisher is the number that the system gave it. */
async function withGivenNumbers(input: MonthInput): Promise<MonthInput> {
  const { publishers, agreements } = await database.inScope(SYSTEM, async tx => ({
    publishers: await tx.selectFrom('publishers').select(['id', 'name']).execute(),
    agreements: await tx.selectFrom('agreements').select(['id', 'code']).execute(),
  }))
  const publisherIds = new Map(publishers.map(({ id, name }) => [name, id]))
  const agreementIds = new Map(agreements.map(({ id, code }) => [code, id]))
  return {
    ...input,
    agreements: input.agreements.map(agreement => ({
      ...agreement,
      agreementId: agreementIds.get(`C-${agreement.agreementId}`)!,
      rules: agreement.rules.map(rule => ({ ...rule, publisherId: publisherIds.get(`媒体${rule.publisherId}`)! })),
    })),
  }
}

/** `code month number` of every account that an agreement uses. */
async function usedAccounts(): Promise<readonly string[]> {
  const rows = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('agreementBankAccounts as u')
      .innerJoin('agreements as a', 'a.id', 'u.agreementId')
      .innerJoin('bankAccounts as b', 'b.id', 'u.bankAccountId')
      .select(['a.code', 'u.usedFromMonth', 'b.number'])
      .execute(),
  )
  return rows.map(({ code, usedFromMonth, number }) => `${code} ${usedFromMonth} ${Number(number)}`).toSorted()
}

function accountsOf({ agreements }: MonthInput): readonly string[] {
  return agreements
    .flatMap(({ agreementId, accounts }) =>
      accounts.map(({ bankAccountId, usedFromMonth }) => `C-${agreementId} ${usedFromMonth} ${bankAccountId}`),
    )
    .toSorted()
}

test('books that come from workbooks alone are settled and closed, and no yen is lost or made', async () => {
  const written = everyBalance()
  const key = { mediumId: written.mediumId, month: written.month }
  const openings = written.agreements.flatMap(({ rules }) => rules.flatMap(rule => rule.opening ?? []))
  const openingYen = sumBy(openings, bucket => bucket.amountYen)
  expect(written.agreements.flatMap(agreement => agreement.rules)).toHaveLength(AGREEMENTS * RULES_EACH)
  await database.inScope(SYSTEM, tx => writeSurroundings(tx, written))
  for (const book of workbooksOf(written)) {
    // Approved accounts can be used after some days.
    if (book[0] === 'agreement-accounts') books.payments.clock.set('2028-01-20T12:00:00+09:00')
    await bringIn(book)
  }
  const input = await withGivenNumbers(written)
  await writeOwnAds(stats.store, [input], 1n)

  const { settled: computed } = accepted(await computeMonth(books.payments, key))
  const expected = settled(input)
  const sumsOf = ({ payments }: typeof computed) => [
    sumBy(payments, each => each.carriedOverRevenueYen),
    sumBy(payments, each => each.revenueYen),
    sumBy(payments, each => each.paymentYen),
    sumBy(payments, each => each.paymentTaxYen),
    sumBy(payments, each => each.carriedOverToNextYen),
  ]
  expect(sumsOf(computed)).toEqual(sumsOf(expected))
  const yenOf = (month: typeof computed) =>
    new Map(month.payments.map(each => [each.agreementId, [each.paymentYen, each.carriedOverToNextYen]]))
  expect(yenOf(computed)).toEqual(yenOf(expected))
  expect(await usedAccounts()).toEqual(accountsOf(written))
  accepted(await closeMonth(books, key, books.userUid))

  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ carriedYen: bigint; revenueYen: bigint; paymentYen: bigint; nextYen: bigint; agreements: bigint }>`
      select sum(carried_over_revenue_yen)::bigint as carried_yen, sum(revenue_yen)::bigint as revenue_yen,
        sum(payment_yen)::bigint as payment_yen, sum(carried_over_to_next_yen)::bigint as next_yen, count(*) as agreements
      from monthly_payments`.execute(tx),
  )
  const { carriedYen, revenueYen, paymentYen, nextYen, agreements } = rows[0]!
  expect([agreements, carriedYen]).toEqual([BigInt(AGREEMENTS), openingYen])
  expect(openingYen + revenueYen).toBe(paymentYen + nextYen)
  const byMonth = await database.inScope(SYSTEM, tx =>
    sql<{ month: YearMonth; openYen: bigint }>`select generated_month as month, sum(open_yen)::bigint as open_yen
      from monthly_carried_buckets where generated_month < month group by generated_month order by generated_month`.execute(
      tx,
    ),
  )
  expect(byMonth.rows.map(row => [row.month, row.openYen])).toEqual(
    ORIGIN_MONTHS.map(month => [
      month,
      sumBy(openings, bucket => (bucket.generatedMonth === month ? bucket.amountYen : 0n)),
    ]),
  )
  expect(await monthViolations({ database, stats: stats.store }, key)).toEqual([])
  expect(await database.inScope(SYSTEM, tx => verifyMediumChain(tx, key.mediumId))).toEqual([])
})
