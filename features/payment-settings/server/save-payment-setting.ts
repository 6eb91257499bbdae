import { MAX_ENTRY_YEN } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import type { SettingSection } from '@pc/domain/payment/setting-section.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { rolesWith } from '@pc/domain/setup/setup-step.ts'
import { TRANSFER_DESTINATION_LABELS_JA } from '@pc/domain/transfer/transfer-destination-labels.ja.ts'
import { isReturnFee, MAX_RETURN_FEE_YEN, type TransferDestination } from '@pc/domain/transfer/transfer-fee.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, dayAt, thisMonth } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import {
  type DatedRate,
  lastFinalizedMonth,
  lockSection,
  PAYOUT_COLUMNS,
  type PayoutSetting,
  RETURNS_VERSION,
  raiseRevision,
  readReturnsRule,
  type TransferFee,
} from './payment-setting-store.ts'

export type SettingWrite = Write<'write:update', 'insight:dividend.'>
export type Refused = Refusal<RefusalCode>
export type RateSection = 'consumption_tax' | 'input_tax_deduction'
export type FeeLine = Pick<TransferFee, 'destination' | 'fromAmountYen' | 'feeYen'>

export const rowIdOf = (section: SettingSection) => auditRowId('settings', section)

export function amountProblem(amountYen: bigint, field: string): Refused | undefined {
  if (amountYen < 0n) return refusal('payment-setting/amount-negative', ['input', field])
  return amountYen > MAX_ENTRY_YEN ? refusal('payment-setting/amount-too-large', ['input', field]) : undefined
}

/**
 * Saves the platform's payout settings that apply from a month on; replaces those of the same month.
 * Tested by `scenarios/second-person.test.ts`.
 */
export async function savePayoutSetting(
  line: PayoutSetting,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('payout', expectedRevision, write, async () => {
    const { tx } = write
    const problem = await monthProblem(write, line.validFromMonth as YearMonth)
    if (problem) return refused(problem)
    if (line.taxPeriodStartMonth < 1 || line.taxPeriodStartMonth > 12)
      return refused(refusal('payment-setting/tax-period-month', ['input', 'taxPeriodStartMonth']))
    const wrong = amountProblem(line.payoutThresholdYen, 'payoutThreshold')
    if (wrong) return refused(wrong)
    if (!isReturnFee(line.returnFeeYen)) {
      const data = { max: MAX_RETURN_FEE_YEN.toString() }
      return refused(refusal('transfer/return-fee-out-of-range', ['input', 'returnFee'], data))
    }
    const before = await tx
      .selectFrom('paymentSettings')
      .select(PAYOUT_COLUMNS)
      .where('validFromMonth', '=', line.validFromMonth)
      .executeTakeFirst()
    const { validFromMonth: _month, ...values } = line
    const rule = await readTwoPersonsRule(tx)
    await tx
      .insertInto('paymentSettings')
      .values(line)
      .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet({ ...values, updatedAt: sql<Date>`now()` }))
      .execute()
    const tooEarly = await switchedOffTooEarly(write, clock, rule, ['input', 'needsTwoPersons'])
    if (tooEarly) return refused(tooEarly)
    return ok({ before: before ?? null, after: line })
  })
}

/** Saves a tax rate that applies to revenue generated from a month on. */
export async function saveDatedRate(
  section: RateSection,
  { validFromMonth, percent }: DatedRate,
  expectedRevision: number | undefined,
  write: SettingWrite,
): Promise<Result<number, Refused>> {
  return edit(section, expectedRevision, write, async () => {
    const { tx } = write
    // Months before the first rate have none, so no finalised month was computed with one.
    const first = await firstRateMonth(write, section)
    const problem = validFromMonth < first ? undefined : await monthProblem(write, validFromMonth)
    if (problem) return refused(problem)
    if (percent < 0 || percent > 100) {
      return refused(refusal('payment-setting/percent-out-of-range', ['input', 'percent']))
    }
    const before = await findRate(write, section, validFromMonth)
    if (section === 'consumption_tax') {
      await tx
        .insertInto('consumptionTaxRates')
        .values({ validFromMonth, ratePercent: percent })
        .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet({ ratePercent: percent }))
        .execute()
    } else {
      await tx
        .insertInto('inputTaxDeductions')
        .values({ validFromMonth, deductiblePercent: percent })
        .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet({ deductiblePercent: percent }))
        .execute()
    }
    return ok({
      before: before === undefined ? null : { validFromMonth, percent: before },
      after: { validFromMonth, percent },
    })
  })
}

/** Sets the first booking month of the rules for returned transfers; refused once a month was closed by them. */
export async function saveReturnsFirstMonth(
  month: YearMonth,
  expectedRevision: number | undefined,
  write: SettingWrite,
): Promise<Result<number, Refused>> {
  return edit('settlement_rule', expectedRevision, write, async () => {
    const before = await readReturnsRule(write.tx)
    const last = await lastFinalizedMonth(write.tx)
    if (last !== null && before.firstMonth <= last) {
      const data = { first: formatYearMonth(before.firstMonth) }
      return refused(refusal('payment-setting/returns-begun', ['validFromMonth'], data))
    }
    const problem = await monthProblem(write, month, ['validFromMonth'])
    if (problem) return refused(problem)
    await write.tx
      .updateTable('settlementRules')
      .set({ validFromMonth: month, isProposed: false, updatedAt: sql<Date>`now()` })
      .where('version', '=', RETURNS_VERSION)
      .execute()
    return ok({ before: { validFromMonth: before.firstMonth }, after: { validFromMonth: month } })
  })
}

/** Deletes a setting that no finalised month was computed with. The first one stays, because every month needs one. */
export async function removeDatedLine(
  section: keyof typeof TABLES,
  validFromMonth: YearMonth,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit(section, expectedRevision, write, async () => {
    const { tx } = write
    const problem = await monthProblem(write, validFromMonth)
    if (problem) return refused(problem)
    const rule = await readTwoPersonsRule(tx)
    const table = TABLES[section]
    const rows = await tx.selectFrom(table).selectAll().orderBy('validFromMonth').execute()
    const before = rows.find(row => row.validFromMonth === validFromMonth)
    if (!before) return refused(refusal('payment-setting/not-found', ['validFromMonth']))
    if (rows[0] === before) return refused(refusal('payment-setting/first-line', ['validFromMonth']))
    await tx.deleteFrom(table).where('validFromMonth', '=', validFromMonth).execute()
    const tooEarly = await switchedOffTooEarly(write, clock, rule, ['validFromMonth'])
    if (tooEarly) return refused(tooEarly)
    return ok({ before, after: null })
  })
}

type TwoPersonsRule = readonly { readonly validFromMonth: number; readonly needsTwoPersons: boolean }[]

const readTwoPersonsRule = (tx: Transaction): Promise<TwoPersonsRule> =>
  tx.selectFrom('paymentSettings').select(['validFromMonth', 'needsTwoPersons']).orderBy('validFromMonth').execute()

/**
 * Whether the requirement of a second person would end too early: it may end only from a future month on, so that nobody
 * who prepared a month can switch it off for that month. Where no other person could close a month it may end at once.
 */
async function switchedOffTooEarly(
  { tx, permit }: SettingWrite,
  clock: Clock,
  before: TwoPersonsRule,
  path: readonly string[],
): Promise<Refused | undefined> {
  const now = thisMonth(clock)
  const after = await readTwoPersonsRule(tx)
  const needs = (rule: TwoPersonsRule, month: number) =>
    rule.findLast(line => line.validFromMonth <= month)?.needsTwoPersons ?? false
  const months = [...before, ...after].map(line => line.validFromMonth).filter(month => month <= now)
  if (!months.some(month => needs(before, month) && !needs(after, month))) return undefined
  const closers = rolesWith({ action: 'write:update', resource: 'insight:dividend.' }, 'operator')
  const { rows } = await sql`select from users u left join invitations i on i.uid = u.uid
    where u.enabled and u.uid <> ${permit.viewer.uid}
      and (u.oidc_subject is not null or u.email_verified_at is not null or i.uid is null or i.accepted_at is not null)
      and exists (select from user_roles r where r.uid = u.uid and r.role_name = any (${[...closers]}::text[]))
    limit 1`.execute(tx)
  if (rows.length === 0) return undefined
  return refusal('payment-setting/second-person-begun', path, { earliest: formatYearMonth(addMonths(now, 1)) })
}

const TABLES = {
  payout: 'paymentSettings',
  consumption_tax: 'consumptionTaxRates',
  input_tax_deduction: 'inputTaxDeductions',
} as const
export const DESTINATIONS = ['same_branch', 'same_bank', 'other_bank'] as const

/** Saves a bank's complete fee list from a day on; replaces the list of the same day. */
export async function saveTransferFees(
  input: { readonly sourceBankCode: string; readonly validFrom: Day; readonly lines: readonly FeeLine[] },
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('transfer_fee', expectedRevision, write, async () => {
    const { tx } = write
    const { sourceBankCode, validFrom, lines } = input
    const known = await tx
      .selectFrom('transferFees')
      .selectAll()
      .where('sourceBankCode', '=', sourceBankCode)
      .orderBy('destination')
      .orderBy('fromAmountYen')
      .execute()
    const problems = feeProblems(input)
    // A new list may not change past transfers. The bank's first list may begin on any day.
    if (known.length > 0 && validFrom < dayAt(clock.now())) {
      problems.push(refusal('payment-setting/fee-day-past', ['input', 'validFrom']))
    }
    if (problems.length > 0) return refused(...problems)
    await tx
      .deleteFrom('transferFees')
      .where('sourceBankCode', '=', sourceBankCode)
      .where('validFrom', '=', validFrom)
      .execute()
    await tx
      .insertInto('transferFees')
      .values(lines.map(line => ({ ...line, sourceBankCode, validFrom })))
      .execute()
    const replaced = known.filter(row => row.validFrom === validFrom)
    return ok({
      before: replaced.length === 0 ? null : { sourceBankCode, validFrom, lines: replaced.map(feeText).join('、') },
      after: { sourceBankCode, validFrom, lines: lines.map(feeText).join('、') },
    })
  })
}

function feeProblems({ sourceBankCode, lines }: { sourceBankCode: string; lines: readonly FeeLine[] }): Refused[] {
  const problems: Refused[] = []
  if (!/^\d{4}$/.test(sourceBankCode)) {
    problems.push(refusal('payment-setting/bank-code-invalid', ['input', 'sourceBankCode']))
  }
  const wrong = lines
    .flatMap(line => [line.feeYen, line.fromAmountYen])
    .map(amount => amountProblem(amount, 'lines'))
    .find(problem => problem !== undefined)
  if (wrong) problems.push(wrong)
  for (const destination of DESTINATIONS) {
    const amounts = lines.filter(line => line.destination === destination).map(line => line.fromAmountYen)
    const data = { destination: TRANSFER_DESTINATION_LABELS_JA[destination] }
    if (!amounts.includes(0n)) problems.push(refusal('payment-setting/fee-line-missing', ['input', 'lines'], data))
    if (new Set(amounts).size < amounts.length) {
      problems.push(refusal('payment-setting/fee-line-twice', ['input', 'lines'], data))
    }
  }
  return problems
}

function feeText({ destination, fromAmountYen, feeYen }: FeeLine): string {
  const label = TRANSFER_DESTINATION_LABELS_JA[destination as TransferDestination] ?? destination
  return `${label} ${fromAmountYen}円以上 ${feeYen}円`
}

async function firstRateMonth({ tx }: SettingWrite, section: RateSection): Promise<number> {
  const { month } = await tx
    .selectFrom(TABLES[section])
    .select(eb => eb.fn.min('validFromMonth').as('month'))
    .executeTakeFirstOrThrow()
  return month ?? 0
}

async function findRate(
  { tx }: SettingWrite,
  section: RateSection,
  validFromMonth: YearMonth,
): Promise<number | undefined> {
  if (section === 'consumption_tax') {
    const query = tx.selectFrom('consumptionTaxRates').select('ratePercent')
    return (await query.where('validFromMonth', '=', validFromMonth).executeTakeFirst())?.ratePercent
  }
  const query = tx.selectFrom('inputTaxDeductions').select('deductiblePercent')
  return (await query.where('validFromMonth', '=', validFromMonth).executeTakeFirst())?.deductiblePercent
}

/** Refuses a month that is finalised: a setting from it on would contradict what the month was computed with. */
export async function monthProblem(
  { tx }: SettingWrite,
  month: YearMonth,
  path: readonly string[] = ['input', 'validFromMonth'],
): Promise<Refused | undefined> {
  const last = await lastFinalizedMonth(tx)
  if (last === null || month > last) return undefined
  return refusal('payment-setting/month-finalized', path, {
    month: formatYearMonth(last),
    earliest: formatYearMonth(addMonths(last, 1)),
  })
}

interface Edited {
  readonly before: object | null
  readonly after: object | null
}

/** Edits a section: locks it, compares the revision, runs `work`, raises the revision, records it. @returns the new revision */
export async function edit(
  section: SettingSection,
  expectedRevision: number | undefined,
  write: SettingWrite,
  work: () => Promise<Result<Edited, Refused>>,
): Promise<Result<number, Refused>> {
  const resource = 'insight:dividend.'
  const rowId = rowIdOf(section)
  const revision = await lockSection(write.tx, section)
  const stale = await editedByOther(write.tx, { resource, rowId, revision, expectedRevision })
  if (stale) return refused(stale)
  const done = await work()
  if (!done.ok) return done
  const { before, after } = done.value
  await raiseRevision(write.tx, section, revision + 1)
  write.record({
    action: after === null ? 'delete' : before === null ? 'create' : 'update',
    resource,
    rowId,
    before: before && { ...before, revision },
    after: { ...after, revision: revision + 1 },
  })
  return ok(revision + 1)
}
