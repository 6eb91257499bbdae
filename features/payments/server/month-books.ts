import type { AgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { isQualifiedInvoiceIssuer } from '@pc/domain/agreement/invoice-issuer.ts'
import type { RevenueShare } from '@pc/domain/agreement/revenue-share.ts'
import { checkRegistrationNumber, type PayeeKind } from '@pc/domain/bank/registration-number.ts'
import type { TaxTable } from '@pc/domain/money/consumption-tax.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { BusinessDayShift } from '@pc/domain/month/due-date.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { addMonths, type YearMonth, yearOf } from '@pc/domain/month/year-month.ts'
import type { DeductionTable } from '@pc/domain/payment/deduction.ts'
import type {
  AdjustmentRow,
  AgreementInput,
  GeneratedBucket,
  PoolJobInput,
  RuleInput,
  SettlementSettings,
} from '@pc/domain/payment/settlement-input.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'

/** What the database contributes to a month; the own-ads amounts are still missing. */
export interface MonthBooks {
  readonly settings: SettlementSettings
  readonly needsTwoPersons: boolean
  readonly taxTable: TaxTable
  readonly deductionTable: DeductionTable
  readonly holidays: HolidayCalendar
  readonly agreements: readonly BookedAgreement[]
  readonly poolJobs: readonly PoolJobInput[]
  readonly adjustments: readonly AdjustmentRow[]
  readonly dataVersion: string
  /** Moves with every job and reset of the month. */
  readonly inputSeq: bigint
}

export interface BookedAgreement extends AgreementInput {
  readonly name: string
  readonly code: string
  readonly payeeKind: PayeeKind
  /** Null: nobody has looked the number up. */
  readonly isRegistered: boolean | null
  /** Publishers whose rule is in force; others are there for what they are still owed. */
  readonly earningPublisherIds: ReadonlySet<bigint>
}

/** Everything of one state of the database: use a repeatable-read transaction, or compare with what was read before. */
export async function readMonthBooks(tx: Transaction, key: MonthKey): Promise<MonthBooks> {
  const state = await tx
    .selectFrom('monthStates')
    .select('inputSeq')
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .executeTakeFirst()
  const settings = await readSettings(tx, key.month)
  const adjustments = await readAdjustments(tx, key)
  return {
    ...settings,
    taxTable: (await tx.selectFrom('consumptionTaxRates').selectAll().orderBy('validFromMonth').execute()).map(row => ({
      validFromMonth: row.validFromMonth as YearMonth,
      ratePercent: row.ratePercent,
    })),
    deductionTable: (await tx.selectFrom('inputTaxDeductions').selectAll().orderBy('validFromMonth').execute()).map(
      row => ({ validFromMonth: row.validFromMonth as YearMonth, deductiblePercent: row.deductiblePercent }),
    ),
    holidays: await readHolidays(tx, key.month),
    agreements: await readAgreements(tx, key, adjustments),
    poolJobs: await readPoolJobs(tx, key),
    adjustments,
    dataVersion: await readDataVersion(tx, key.month),
    inputSeq: state?.inputSeq ?? 0n,
  }
}

/** Names the statistics of the month: it differs when a batch was added, replaced or withdrawn. */
export async function readDataVersion(tx: Transaction, month: YearMonth): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(batch_no || ':' || content_sha256, ',' order by batch_no), ''), 'UTF8')), 'hex') as version
    from ingest_batches where state = 'applied'
      and first_day <= (make_date(${month} / 100, ${month} % 100, 1) + interval '1 month - 1 day')::date
      and last_day >= make_date(${month} / 100, ${month} % 100, 1)`.execute(tx)
  return rows[0]!.version
}

async function readSettings(tx: Transaction, month: YearMonth) {
  const row = await tx
    .selectFrom('paymentSettings')
    .selectAll()
    .where('validFromMonth', '<=', month)
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    settings: {
      payoutThresholdYen: row.payoutThresholdYen,
      businessDayShift: row.businessDayShift as BusinessDayShift,
    },
    needsTwoPersons: row.needsTwoPersons,
  }
}

/** The years in which payments of the month can be due; older and later ones would only make the snapshot longer. */
async function readHolidays(tx: Transaction, month: YearMonth): Promise<HolidayCalendar> {
  const known = await tx
    .selectFrom('holidayImports')
    .select(['firstYear', 'lastYear'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const firstYear = Math.max(known?.firstYear ?? 0, yearOf(month))
  const lastYear = Math.min(known?.lastYear ?? 0, yearOf(addMonths(month, 3)))
  const rows = await tx
    .selectFrom('holidays')
    .selectAll()
    .where(sql<boolean>`extract(year from day) between ${firstYear} and ${lastYear}`)
    .orderBy('day')
    .execute()
  return { firstYear, lastYear, holidays: new Map(rows.map(row => [row.day as Day, row.name])) }
}

/** The agreements of the month and their rules, without what the statistics add. */
export function readAgreementsOf(tx: Transaction, key: MonthKey): Promise<readonly BookedAgreement[]> {
  return readAgreements(tx, key, [])
}

interface AgreementSqlRow {
  readonly id: bigint
  readonly organizationId: bigint
  readonly name: string
  readonly code: string
  readonly partnerName: string
  readonly terminatedAt: Date | null
  readonly isPaymentDisabled: boolean
  readonly payeeKind: PayeeKind
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  readonly validFromMonth: number
  readonly feePaidBy: AgreementTerms['feePaidBy']
  readonly paymentTiming: AgreementTerms['paymentTiming']
  readonly minimumRevenueType: AgreementTerms['minimumRevenueType']
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  readonly payoutThresholdYen: bigint | null
}

async function readAgreements(
  tx: Transaction,
  key: MonthKey,
  adjustments: readonly AdjustmentRow[],
): Promise<readonly BookedAgreement[]> {
  const { mediumId, month } = key
  // The version in force; where the agreement only begins later but owes a balance, its first one.
  const { rows } = await sql<AgreementSqlRow>`
    select a.id, a.organization_id, a.name, a.code, o.name as partner_name, a.terminated_at, a.is_payment_disabled,
      a.payee_kind, a.is_qualified_invoice_issuer, a.invoice_registration_number, t.valid_from_month, t.fee_paid_by,
      t.payment_timing, t.minimum_revenue_type, t.fixed_revenue_yen, t.minimum_revenue_yen, t.payout_threshold_yen
    from agreements a join organizations o on o.id = a.organization_id
    join lateral (select * from agreement_terms_history h where h.agreement_id = a.id
      order by (valid_from_month <= ${month}) desc,
        case when valid_from_month <= ${month} then -valid_from_month else valid_from_month end limit 1) t on true
    where a.medium_id = ${mediumId} order by a.id`.execute(tx)
  const rules = await readRules(tx, key)
  const accounts = Map.groupBy(await readAccounts(tx, key), account => account.agreementId)
  const needed = neededMonths(rules, adjustments)
  const qualified = await readQualifiedMonths(tx, key, needed)
  const spans = await readRegister(tx, key)
  return rows.flatMap((row): BookedAgreement[] => {
    const booked = rules.get(row.id) ?? []
    const ofAgreement = booked.map(each => each.rule)
    const owes = ofAgreement.some(rule => rule.carried.length > 0)
    if (row.validFromMonth > month && !owes) return []
    const { invoiceRegistrationNumber: number, payeeKind } = row
    const registered = number === null ? undefined : spans.get(number)
    const isRegistered =
      registered === undefined ? null : isQualifiedInvoiceIssuer(number, payeeKind, registered, month)
    const canBeOne = number !== null && checkRegistrationNumber(number, payeeKind).verdict !== 'invalid'
    const isQualified = row.isQualifiedInvoiceIssuer && canBeOne && isRegistered !== false
    return [
      {
        agreementId: row.id,
        mediumId,
        organizationId: row.organizationId,
        name: row.name,
        code: row.code,
        payeeKind,
        isRegistered,
        earningPublisherIds: new Set(booked.filter(each => each.isInForce).map(each => each.rule.publisherId)),
        partnerName: row.partnerName,
        terms: {
          feePaidBy: row.feePaidBy,
          paymentTiming: row.paymentTiming,
          minimumRevenueType: row.minimumRevenueType,
          fixedRevenueYen: row.fixedRevenueYen,
          minimumRevenueYen: row.minimumRevenueYen,
          payoutThresholdYen: row.payoutThresholdYen,
        },
        terminatedOn: row.terminatedAt && dayAt(row.terminatedAt.getTime()),
        isPaymentDisabled: row.isPaymentDisabled,
        accounts: (accounts.get(row.id) ?? []).map(({ bankAccountId, usedFromMonth }) => ({
          bankAccountId,
          usedFromMonth: usedFromMonth as YearMonth,
        })),
        invoiceRegistrationNumber: number,
        qualifiedMonths: qualifiedMonthsOf(needed.get(row.id) ?? new Set(), month, isQualified, qualified.get(row.id)),
        rules: ofAgreement,
      },
    ]
  })
}

/** Months that are not recorded count as the running one does. */
function qualifiedMonthsOf(
  needed: ReadonlySet<YearMonth>,
  month: YearMonth,
  isQualified: boolean,
  recorded: ReadonlyMap<number, boolean> | undefined,
): readonly YearMonth[] {
  const earlier = [...needed].filter(each => each !== month && (recorded?.get(each) ?? isQualified))
  return [...earlier, ...(isQualified ? [month] : [])].toSorted((a, b) => a - b)
}

/** Months whose revenue may be paid with this one: what is carried, and what is corrected. */
function neededMonths(
  rules: ReadonlyMap<bigint, readonly BookedRule[]>,
  adjustments: readonly AdjustmentRow[],
): ReadonlyMap<bigint, ReadonlySet<YearMonth>> {
  const needed = new Map<bigint, Set<YearMonth>>()
  const note = (agreementId: bigint, month: YearMonth) => {
    const months = needed.get(agreementId) ?? new Set()
    needed.set(agreementId, months.add(month))
  }
  for (const [agreementId, list] of rules)
    for (const { rule } of list) for (const { generatedMonth } of rule.carried) note(agreementId, generatedMonth)
  for (const { agreementId, originMonth } of adjustments) if (originMonth !== null) note(agreementId, originMonth)
  return needed
}

async function readAccounts(tx: Transaction, { mediumId }: MonthKey) {
  return tx
    .selectFrom('agreementBankAccounts as u')
    .innerJoin('bankAccounts as b', 'b.id', 'u.bankAccountId')
    .innerJoin('agreements as a', 'a.id', 'u.agreementId')
    .select(['u.agreementId', 'u.bankAccountId', 'u.usedFromMonth'])
    .where('a.mediumId', '=', mediumId)
    .where('b.enabled', '=', true)
    .orderBy('u.agreementId')
    .orderBy('u.usedFromMonth')
    .execute()
}

/** Whether the payee was a qualified issuer, as finalised months recorded it. */
async function readQualifiedMonths(
  tx: Transaction,
  { mediumId, month }: MonthKey,
  needed: ReadonlyMap<bigint, ReadonlySet<YearMonth>>,
): Promise<ReadonlyMap<bigint, ReadonlyMap<number, boolean>>> {
  const months = [...new Set([...needed.values()].flatMap(each => [...each]))].filter(each => each < month)
  const byAgreement = new Map<bigint, Map<number, boolean>>()
  if (months.length === 0) return byAgreement
  const rows = await tx
    .selectFrom('monthlyAgreementSnapshots')
    .select(['agreementId', 'month', 'qualifiedInvoiceIssuer'])
    .where('mediumId', '=', mediumId)
    .where('month', 'in', months)
    .where('hasBeenFinalized', '=', true)
    .execute()
  for (const row of rows) {
    const recorded = byAgreement.get(row.agreementId) ?? new Map<number, boolean>()
    byAgreement.set(row.agreementId, recorded.set(row.month, row.qualifiedInvoiceIssuer))
  }
  return byAgreement
}

async function readRegister(tx: Transaction, { mediumId }: MonthKey) {
  const rows = await tx
    .selectFrom('invoiceRegisterResults as r')
    .select(['r.registrationNumber', 'r.registeredOn', 'r.endedOn'])
    .where('r.registrationNumber', 'in', eb =>
      eb
        .selectFrom('agreements')
        .select('invoiceRegistrationNumber')
        .$castTo<{ invoiceRegistrationNumber: string }>()
        .where('mediumId', '=', mediumId)
        .where('invoiceRegistrationNumber', 'is not', null),
    )
    .execute()
  return Map.groupBy(
    rows.map(row => ({
      number: row.registrationNumber,
      registeredOn: row.registeredOn as Day,
      endedOn: row.endedOn as Day | null,
    })),
    row => row.number,
  )
}

interface RuleSqlRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  readonly paymentRate: number
  readonly sspPaymentRate: number
  readonly videoSspPaymentRate: number
  readonly liveSspPaymentRate: number
  readonly isTargetForSspAllocation: boolean
  readonly isTargetForVideoSspAllocation: boolean
  readonly isTargetForLiveSspAllocation: boolean
  readonly isInForce: boolean
}

interface BookedRule {
  readonly rule: RuleInput
  readonly isInForce: boolean
}

async function readRules(tx: Transaction, key: MonthKey): Promise<ReadonlyMap<bigint, readonly BookedRule[]>> {
  const { mediumId, month } = key
  const carried = await readCarried(tx, key)
  const { rows } = await sql<RuleSqlRow>`
    select r.id, r.agreement_id, r.publisher_id, r.medium_id, h.fixed_revenue_yen, h.minimum_revenue_yen, h.payment_rate,
      h.ssp_payment_rate, h.video_ssp_payment_rate, h.live_ssp_payment_rate, h.is_target_for_ssp_allocation,
      h.is_target_for_video_ssp_allocation, h.is_target_for_live_ssp_allocation, h.valid_from_month <= ${month} as is_in_force
    from agreement_publisher_rules r
    join agreements a on a.id = r.agreement_id
    join lateral (select * from agreement_publisher_rule_history v where v.rule_id = r.id
      order by (valid_from_month <= ${month}) desc,
        case when valid_from_month <= ${month} then -valid_from_month else valid_from_month end limit 1) h on true
    where a.medium_id = ${mediumId} order by r.agreement_id, r.publisher_id`.execute(tx)
  const rules = new Map<bigint, BookedRule[]>()
  for (const row of rows) {
    const balance = carried.get(`${row.agreementId}/${row.publisherId}`)
    carried.delete(`${row.agreementId}/${row.publisherId}`)
    if (!row.isInForce && !balance) continue
    push(rules, row.agreementId, { rule: ruleOf(row, balance?.buckets ?? []), isInForce: row.isInForce })
  }
  // A rule that is gone while something is owed keeps its row until that is paid.
  for (const { agreementId, publisherId, ruleId, buckets } of carried.values()) {
    const rule: RuleInput = {
      ruleId,
      mediumId,
      publisherId,
      fixedRevenueYen: 0n,
      minimumRevenueYen: 0n,
      share: NO_SHARE,
      ownAdsMicroYen: 0n,
      carried: buckets,
    }
    push(rules, agreementId, { rule, isInForce: false })
  }
  return rules
}

const NO_SHARE: RevenueShare = {
  ownAdsRateUnits: 0,
  sspRateUnits: 0,
  videoSspRateUnits: 0,
  liveSspRateUnits: 0,
  isTargetForSspAllocation: false,
  isTargetForVideoSspAllocation: false,
  isTargetForLiveSspAllocation: false,
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function ruleOf(row: RuleSqlRow, carried: readonly GeneratedBucket[]): RuleInput {
  const isInForce = row.isInForce
  return {
    ruleId: row.id,
    mediumId: row.mediumId,
    publisherId: row.publisherId,
    fixedRevenueYen: isInForce ? row.fixedRevenueYen : 0n,
    minimumRevenueYen: isInForce ? row.minimumRevenueYen : 0n,
    share: {
      ownAdsRateUnits: row.paymentRate,
      sspRateUnits: row.sspPaymentRate,
      videoSspRateUnits: row.videoSspPaymentRate,
      liveSspRateUnits: row.liveSspPaymentRate,
      isTargetForSspAllocation: isInForce && row.isTargetForSspAllocation,
      isTargetForVideoSspAllocation: isInForce && row.isTargetForVideoSspAllocation,
      isTargetForLiveSspAllocation: isInForce && row.isTargetForLiveSspAllocation,
    },
    ownAdsMicroYen: 0n,
    carried,
  }
}

interface CarriedBalance {
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly ruleId: bigint
  readonly buckets: GeneratedBucket[]
}

/** What the last month that has rows leaves over; of a draft it is an estimate. */
async function readCarried(tx: Transaction, { mediumId, month }: MonthKey): Promise<Map<string, CarriedBalance>> {
  const rows = await tx
    .selectFrom('monthlyCarriedBuckets as b')
    .innerJoin('monthlyPublisherPayments as p', 'p.id', 'b.monthlyPublisherPaymentId')
    .select(['p.agreementId', 'p.publisherId', 'p.ruleId', 'b.generatedMonth', 'b.nextYen'])
    .where('b.mediumId', '=', mediumId)
    .where('b.month', '=', eb =>
      eb
        .selectFrom('monthlyPayments as q')
        .where('q.mediumId', '=', mediumId)
        .where('q.month', '<', month)
        .select(q => q.fn.max('q.month').as('month')),
    )
    .where('b.nextYen', '<>', 0n)
    .orderBy('p.agreementId')
    .orderBy('p.publisherId')
    .orderBy('b.generatedMonth')
    .execute()
  const carried = new Map<string, CarriedBalance>()
  for (const { agreementId, publisherId, ruleId, generatedMonth, nextYen } of rows) {
    const key = `${agreementId}/${publisherId}`
    const balance = carried.get(key) ?? { agreementId, publisherId, ruleId, buckets: [] }
    balance.buckets.push({ generatedMonth: generatedMonth as YearMonth, amountYen: nextYen })
    carried.set(key, balance)
  }
  return carried
}

/** Successful jobs that no reset has reversed. */
async function readPoolJobs(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly PoolJobInput[]> {
  const jobs = await tx
    .selectFrom('dividends')
    .select(['id', 'kind', 'method', 'extraRevenueYen'])
    .where('mediumId', '=', mediumId)
    .where('month', '=', month)
    .where('jobStatus', '=', 'success')
    .where('reversedByDividendId', 'is', null)
    .where('kind', 'in', ['ssp', 'ssp_video', 'ssp_live'])
    .orderBy('id')
    .execute()
  if (jobs.length === 0) return []
  const weights = await tx
    .selectFrom('dividendWeights')
    .select(['dividendId', 'agreementId', 'publisherId', 'weight'])
    .where(
      'dividendId',
      'in',
      jobs.map(job => job.id),
    )
    .orderBy('dividendId')
    .orderBy('agreementId')
    .orderBy('publisherId')
    .execute()
  const byJob = Map.groupBy(weights, weight => weight.dividendId)
  return jobs.map(job => ({
    jobId: job.id,
    kind: job.kind as PoolJobInput['kind'],
    method: job.method as PoolJobInput['method'],
    poolYen: job.extraRevenueYen,
    weights: (byJob.get(job.id) ?? []).map(({ agreementId, publisherId, weight }) => ({
      agreementId,
      publisherId,
      weight,
    })),
  }))
}

async function readAdjustments(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly AdjustmentRow[]> {
  const rows = await tx
    .selectFrom('dividends as d')
    .innerJoin('dividendRows as r', 'r.dividendId', 'd.id')
    .select([
      'd.id',
      'd.method',
      'r.line',
      'r.agreementId',
      'r.publisherId',
      'r.amountYen',
      'r.reason',
      'r.originMonth',
    ])
    .where('d.mediumId', '=', mediumId)
    .where('d.month', '=', month)
    .where('d.jobStatus', '=', 'success')
    .where('d.reversedByDividendId', 'is', null)
    .where('d.kind', '=', 'csv')
    .orderBy('d.id')
    .orderBy('r.line')
    .execute()
  return rows.map(row => ({
    jobId: row.id,
    line: row.line,
    agreementId: row.agreementId,
    publisherId: row.publisherId,
    method: row.method as AdjustmentRow['method'],
    amountYen: row.amountYen ?? 0n,
    reason: (row.reason ?? 'other') as AdjustmentRow['reason'],
    originMonth: row.originMonth as YearMonth | null,
  }))
}
