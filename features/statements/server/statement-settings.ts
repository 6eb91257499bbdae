import { checkRegistrationNumber, normalizeRegistrationNumber } from '@pc/domain/bank/registration-number.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, thisMonth } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'

/** The payer's data on statements, for documents issued from a month on. */
export type StatementSettings = Selectable<Tables['statementSettings']>

export interface StatementSettingsInput {
  readonly validFromMonth: YearMonth
  readonly payerName: string
  readonly payerAddress: string
  readonly payerRegistrationNumber: string
  readonly deemedConfirmationDays: number
}

const MIN_AUTO_CONFIRM_DAYS = 1
const MAX_AUTO_CONFIRM_DAYS = 90

const isInForce = (month: YearMonth) => sql<boolean>`valid_from_month <= ${month}`

/** The settings for documents that are issued in the month; undefined when none were entered. */
export function settingsFor(tx: Transaction, month: YearMonth): Promise<StatementSettings | undefined> {
  return tx
    .selectFrom('statementSettings')
    .selectAll()
    .where(isInForce(month))
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A subquery: 0 when {@link settingsFor} would find nothing. */
export function settingsCount(month: YearMonth): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from statement_settings where ${isInForce(month)})`
}

/** The latest first. */
export function listSettings(tx: Transaction): Promise<StatementSettings[]> {
  return tx.selectFrom('statementSettings').selectAll().orderBy('validFromMonth', 'desc').execute()
}

/**
 * Adds the settings of a month, or corrects them. Issued documents do not change. Settings of a month that is over cannot
 * be changed, except for the first ones.
 */
export async function saveStatementSettings(
  write: Write<'write:create', 'insight:statement.'>,
  clock: Clock,
  input: StatementSettingsInput,
  expectedRevision: number | null | undefined,
): Promise<Result<StatementSettings, Refusal<RefusalCode>>> {
  const { tx } = write
  const values = {
    ...input,
    payerName: input.payerName.trim(),
    payerAddress: input.payerAddress.trim(),
    payerRegistrationNumber: normalizeRegistrationNumber(input.payerRegistrationNumber),
  }
  const wrong = problemsOf(values)
  if (wrong.length > 0) return refused(...wrong)
  const before = await tx
    .selectFrom('statementSettings')
    .selectAll()
    .where('validFromMonth', '=', values.validFromMonth)
    .forUpdate()
    .executeTakeFirst()
  const any = await tx.selectFrom('statementSettings').select('validFromMonth').limit(1).executeTakeFirst()
  if (any && values.validFromMonth < thisMonth(clock)) {
    return refused(refusal('statement/settings-month-taken', ['input', 'validFromMonth']))
  }
  const rowId = String(values.validFromMonth)
  if (before) {
    const { revision } = before
    const stale = await editedByOther(tx, { resource: 'insight:statement.', rowId, revision, expectedRevision })
    if (stale) return refused(stale)
  }
  const revision = (before?.revision ?? 0) + 1
  const row = { ...values, revision, updatedAt: new Date(clock.now()) }
  const after = await tx
    .insertInto('statementSettings')
    .values(row)
    .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
  const resource = 'insight:statement.'
  write.record({ action: before ? 'update' : 'create', resource, rowId, before: before ?? null, after })
  return ok(after)
}

function problemsOf(input: StatementSettingsInput): Refusal<RefusalCode>[] {
  const refusals: Refusal<RefusalCode>[] = []
  if (input.payerName === '') refusals.push(refusal('statement/payer-name-missing', ['input', 'payerName']))
  // The payer is a company, so its number must have a valid check digit.
  const number = checkRegistrationNumber(input.payerRegistrationNumber, 'company')
  if (number.verdict === 'invalid') {
    const code = number.isFormatValid ? 'statement/number-check-digit' : 'statement/number-invalid'
    refusals.push(refusal(code, ['input', 'payerRegistrationNumber']))
  }
  const days = input.deemedConfirmationDays
  if (!Number.isInteger(days) || days < MIN_AUTO_CONFIRM_DAYS || days > MAX_AUTO_CONFIRM_DAYS) {
    const range = { min: MIN_AUTO_CONFIRM_DAYS, max: MAX_AUTO_CONFIRM_DAYS }
    refusals.push(refusal('statement/days-out-of-range', ['input', 'deemedConfirmationDays'], range))
  }
  return refusals
}
