import { day } from '@pc/domain/month/day.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { RETURNS_FIRST_MONTH } from '@pc/domain/settlement/random-month.ts'
import type { AgreementInput, MonthInput, RuleInput, RuleVersion } from '@pc/domain/settlement/settlement-input.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import type { PaymentDependencies } from '@pc/features/payments/core/server/compute-month.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { daysOf } from '@pc/features/payments/core/server/month-statistics.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import type { ManualOperationDependencies } from '@pc/features/payments/manual-operations/server/manual-operation-dependencies.ts'
import { rebookPools } from '@pc/features/payments/manual-operations/server/manual-operation-ledger.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { monthEntryAdapter } from '@pc/features/payments/month-close/server/month-entry-adapter.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql } from 'kysely'
import { type FactRow, importFacts } from '../statistics/stats-rows.ts'

/** A job queue that drops all jobs: tests run a job where they need it. */
const NO_QUEUE: Jobs = {
  enqueue: async () => null,
  enqueueAll: async () => {},
  work: async () => {},
  close: async () => {},
}

export interface SettlementBooks {
  readonly payments: PaymentDependencies & { readonly clock: ReturnType<typeof fixedClock> }
  readonly manualOperations: ManualOperationDependencies
  readonly userUid: string
}

/**
 * The dependencies of payments and manual operations over a test's database. The clock is later than every month of the
 * samples.
 */
export async function settlementBooks(
  database: Database,
  stats: StatsStore,
  jobs: Jobs = NO_QUEUE,
): Promise<SettlementBooks> {
  const clock = fixedClock('2028-01-10T12:00:00+09:00')
  const months = monthEntryAdapter({ jobs, stats })
  const userUid = await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    const user = await tx
      .insertInto('users')
      .values({ email: 'keiri@example.jp' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return user.uid
  })
  return {
    payments: { database, stats, clock, rebookPools },
    manualOperations: { database, clock, jobs, months },
    userUid,
  }
}

/** Writes the settings of the whole database; the sample's values apply to every month. */
export async function writeSettings(
  tx: Transaction,
  { settings, taxTable }: Pick<MonthInput, 'settings' | 'taxTable'>,
) {
  const { rules, ...decisions } = settings
  await tx.updateTable('paymentSettings').set(decisions).execute()
  // Without a version, the first one applies until RETURNS_FIRST_MONTH, then the second.
  await (rules === undefined ? holdRulesFrom(tx, RETURNS_FIRST_MONTH) : holdRulesFrom(tx, 202012, rules))
  await tx.deleteFrom('consumptionTaxRates').execute()
  await tx
    .insertInto('consumptionTaxRates')
    .values([...taxTable])
    .execute()
}

/** Settles months from `month` on by this version, earlier months by the first one. */
export async function holdRulesFrom(tx: Transaction, month: number, version: RuleVersion = 'returns_per_rate') {
  await tx.updateTable('settlementRules').set({ validFromMonth: 999912 }).execute()
  await tx.updateTable('settlementRules').set({ validFromMonth: month }).where('version', '=', version).execute()
}

/** Writes the payer's settings and source account, without which no month can be closed through the API. */
export async function writeStatementSettings(tx: Transaction): Promise<void> {
  await tx
    .insertInto('statementSettings')
    .values({
      validFromMonth: 202012,
      payerName: '株式会社サンプル',
      payerAddress: '東京都千代田区1-1-1',
      payerRegistrationNumber: 'T4011001098993',
      deemedConfirmationDays: 14,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await tx
    .insertInto('transferSources')
    .values({
      ...{ validFromMonth: 202012, clientCode: '1234567890', clientName: 'ｶ)ｻﾝﾌﾟﾙ', bankCode: '0009', bankName: 'ﾐﾂｲ' },
      ...{ branchCode: '001', branchName: 'ﾎﾝﾃﾝ', accountType: 'ordinary', accountNumber: '7654321' },
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Writes the fees of that bank, without which no month can be closed through the API where payees bear them. */
export async function writeTransferFees(tx: Transaction): Promise<void> {
  const destinations = ['same_branch', 'same_bank', 'other_bank'] as const
  await tx
    .insertInto('transferFees')
    .values(
      destinations.map(destination => ({
        ...{ sourceBankCode: '0009', destination, validFrom: day('2020-12-01'), fromAmountYen: 0n },
        feeYen: destination === 'other_bank' ? 660n : 0n,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Writes the agreements of a first month with everything they refer to, with the ids of the sample. */
export async function writeAgreements(
  tx: Transaction,
  inputs: readonly (Pick<MonthInput, 'mediumId' | 'agreements'> & Partial<Pick<MonthInput, 'month'>>)[],
  accountNumberOf: (bankAccountId: bigint) => string = () => '1234567',
) {
  const agreements = inputs.flatMap(input => input.agreements)
  const organizationIds = [...new Set(agreements.map(each => each.organizationId))]
  for (const input of inputs) {
    await tx
      .insertInto('media')
      .values({ id: input.mediumId, name: `メディア${input.mediumId}` })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  for (const id of organizationIds) {
    await sql`insert into organizations (id, name) overriding system value values (${id}, ${`組織${id}`}) on conflict do nothing`.execute(
      tx,
    )
  }
  await sql`insert into banks (id, code, name, kana, hira, roma) overriding system value values (1, '0001', '銀行', 'ｷﾞﾝｺｳ', 'ぎんこう', 'ginko') on conflict do nothing`.execute(
    tx,
  )
  await sql`insert into bank_branches (id, bank_id, code, name, kana, hira, roma) overriding system value values (1, 1, '001', '本店', 'ﾎﾝﾃﾝ', 'ほんてん', 'honten') on conflict do nothing`.execute(
    tx,
  )
  await writeStatementSettings(tx)
  for (const agreement of agreements) await writeAgreement(tx, agreement, accountNumberOf)
  for (const { month, agreements: ofMonth } of inputs) if (month) await writeOpenings(tx, month, ofMonth)
}

/** Writes the opening balances that the inputs of a first month carry. */
async function writeOpenings(tx: Transaction, bookedMonth: YearMonth, agreements: readonly AgreementInput[]) {
  const entries = agreements.flatMap(({ agreementId, qualifiedMonths, rules }) =>
    rules.flatMap(({ publisherId, opening = [] }) =>
      opening.map(({ generatedMonth: originMonth, amountYen }) => ({
        ...{ agreementId, publisherId, originMonth, bookedMonth, amountYen },
        isQualified: qualifiedMonths.includes(originMonth),
      })),
    ),
  )
  const saved = await saveOpeningBalances({ tx, record() {}, recordNothing() {} }, entries)
  if (!saved.ok) throw new Error(JSON.stringify(saved.refusals))
}

async function writeAgreement(
  tx: Transaction,
  agreement: AgreementInput,
  accountNumberOf: (bankAccountId: bigint) => string,
): Promise<void> {
  const { agreementId: id, mediumId, organizationId, terms } = agreement
  const isQualified = agreement.qualifiedMonths.length > 0
  await sql`insert into agreements (id, medium_id, organization_id, name, code, fee_paid_by, payment_timing,
      minimum_revenue_type, fixed_revenue_yen, minimum_revenue_yen, payout_threshold_yen, is_qualified_invoice_issuer,
      invoice_registration_number, tax_treatment_confirmed_at)
    overriding system value values (${id}, ${mediumId}, ${organizationId}, ${`契約${id}`}, ${`C-${id}`}, ${terms.feePaidBy},
      ${terms.paymentTiming}, ${terms.minimumRevenueType}, ${terms.fixedRevenueYen}, ${terms.minimumRevenueYen},
      ${terms.payoutThresholdYen}, ${isQualified}, ${agreement.invoiceRegistrationNumber}, now())`.execute(tx)
  for (const rule of agreement.rules) await writeRule(tx, agreement, rule)
  for (const { bankAccountId, usedFromMonth } of agreement.accounts) {
    await sql`insert into bank_accounts (id, organization_id, bank_id, bank_branch_id, type_name, number, holder, state, decided_at)
      overriding system value values (${bankAccountId}, ${organizationId}, 1, 1, 'ordinary', ${accountNumberOf(bankAccountId)}, 'ｶ)ﾄﾘﾋｷ', 'approved', now())
      on conflict do nothing`.execute(tx)
    await tx.insertInto('agreementBankAccounts').values({ agreementId: id, bankAccountId, usedFromMonth }).execute()
  }
  await changeAgreement(tx, agreement)
}

async function writeRule(tx: Transaction, { agreementId, organizationId }: AgreementInput, rule: RuleInput) {
  const { share, publisherId } = rule
  await sql`insert into publishers (id, organization_id, name) overriding system value
    values (${publisherId}, ${organizationId}, ${`媒体${publisherId}`}) on conflict do nothing`.execute(tx)
  await sql`insert into agreement_publisher_rules (id, agreement_id, publisher_id, medium_id, fixed_revenue_yen,
      minimum_revenue_yen, payment_rate, ssp_payment_rate, video_ssp_payment_rate, live_ssp_payment_rate,
      is_target_for_ssp_allocation, is_target_for_video_ssp_allocation, is_target_for_live_ssp_allocation)
    overriding system value values (${rule.ruleId}, ${agreementId}, ${publisherId}, ${rule.mediumId},
      ${rule.fixedRevenueYen}, ${rule.minimumRevenueYen}, ${share.ownAdsRateUnits}, ${share.sspRateUnits},
      ${share.videoSspRateUnits}, ${share.liveSspRateUnits}, ${share.isTargetForSspAllocation},
      ${share.isTargetForVideoSspAllocation}, ${share.isTargetForLiveSspAllocation})`.execute(tx)
}

/** Changes the properties that may differ from month to month. */
export async function changeAgreement(tx: Transaction, agreement: AgreementInput): Promise<void> {
  await tx
    .updateTable('agreements')
    .set({
      isPaymentDisabled: agreement.isPaymentDisabled,
      terminatedAt: agreement.terminatedOn && new Date(`${agreement.terminatedOn}T12:00:00+09:00`),
    })
    .where('id', '=', agreement.agreementId)
    .execute()
}

/**
 * Writes the own-ads amounts of the inputs as statistics: a row for every day of the month, or only for the first and
 * the last.
 */
export async function writeOwnAds(
  stats: StatsStore,
  inputs: readonly MonthInput[],
  batchNo: bigint,
  { hasEveryDay = true, shownMicroYen = 0n } = {},
): Promise<void> {
  const rows = inputs.flatMap(({ mediumId, month, agreements }) => {
    const rules = agreements.flatMap(agreement => agreement.rules)
    return rules.flatMap((rule, index) =>
      ownAdsRows({ mediumId, month, rule, batchNo, shownMicroYen, isEveryDay: hasEveryDay && index === 0 }),
    )
  })
  await importFacts(stats, batchNo, { publisher_day: rows })
}

function ownAdsRows(of: {
  readonly mediumId: bigint
  readonly month: YearMonth
  readonly rule: RuleInput
  readonly batchNo: bigint
  readonly shownMicroYen: bigint
  readonly isEveryDay: boolean
}): FactRow[] {
  const { mediumId, month, rule, batchNo, shownMicroYen, isEveryDay } = of
  const days = daysOf(month)
  const third = rule.ownAdsMicroYen / 3n
  const amounts = new Map([
    [days[0]!, third],
    [days.at(-1)!, rule.ownAdsMicroYen - third],
  ])
  const written = isEveryDay ? days : [...amounts.keys()]
  return written.map(date => ({
    ...NO_FIGURES,
    date,
    medium_id: mediumId,
    publisher_id: rule.publisherId,
    batch_no: batchNo,
    ads_revenue_micro_yen: amounts.get(date) ?? 0n,
    publisher_revenue_micro_yen: date === days[0] ? shownMicroYen : 0n,
  }))
}

const NO_FIGURES: FactRow = {
  follower: null,
  ...Object.fromEntries(
    [
      'article_impression',
      'article_click',
      'article_watch',
      'video_impression',
      'video_click',
      'video_watch',
      'live_impression',
      'live_click',
      'live_watch',
      'ads_revenue_micro_yen',
      'ssp_revenue_micro_yen',
      'video_ssp_revenue_micro_yen',
      'live_ssp_revenue_micro_yen',
      'publisher_revenue_micro_yen',
    ].map(column => [column, 0n]),
  ),
}

/**
 * Enters and runs the pools and corrections of a month as staff would. Rows may name any earlier month.
 * @returns the ids that the jobs were given, by the sample's id and method
 */
export async function bookManualOperations(
  books: Pick<SettlementBooks, 'manualOperations' | 'userUid'>,
  input: MonthInput,
): Promise<ReadonlyMap<string, bigint>> {
  const { manualOperations, userUid } = books
  const { mediumId, month } = input
  const ids = new Map<string, bigint>()
  const enter = async (key: string, entry: Pick<Parameters<typeof createManualOperation>[2], 'input' | 'rawRows'>) => {
    const created = await manualOperations.database.inScope(SYSTEM, tx =>
      createManualOperation(tx, manualOperations, { ...entry, userUid, isCorrection: true }),
    )
    if (!created.ok) throw new Error(JSON.stringify(created.refusals))
    await runManualOperation(manualOperations, created.value)
    ids.set(key, created.value)
  }
  const common = { mediumId, month, extraRevenueMonth: '', notes: '' }
  for (const { jobId, kind, method, poolYen, weights } of input.poolJobs) {
    await enter(`${jobId}/${method}`, {
      input: { ...common, kind, method, extraRevenueYen: poolYen },
      rawRows: weights.map(({ agreementId, publisherId, weight }) => ({
        ...EMPTY_ROW,
        agreementId: `${agreementId}`,
        publisherId: `${publisherId}`,
        weight: `${weight}`,
      })),
    })
  }
  const byJob = Map.groupBy(input.adjustments, row => `${row.jobId}/${row.method}`)
  for (const [key, rows] of [...byJob].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { method } = rows[0]!
    await enter(key, {
      input: { ...common, kind: 'csv', method, extraRevenueYen: null },
      rawRows: rows.map(row => ({
        ...EMPTY_ROW,
        agreementId: `${row.agreementId}`,
        publisherId: `${row.publisherId}`,
        amount: `${row.amountYen}`,
        reason: row.reason,
        originMonth:
          row.originMonth === null
            ? ''
            : `${Math.trunc(row.originMonth / 100)}-${String(row.originMonth % 100).padStart(2, '0')}`,
      })),
    })
  }
  return ids
}

const EMPTY_ROW = { agreementId: '', publisherId: '', amount: '', weight: '', reason: '', originMonth: '' }
