import { forbiddenCharacters, impossibleSigns, toHalfWidthKana } from '@pc/domain/bank/half-width-kana.ts'
import {
  JOURNAL_ACCOUNTS,
  type JournalAccount,
  MAX_JOURNAL_ACCOUNT_TEXT,
} from '@pc/domain/journal/journal-accounts.ja.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { MAX_TRANSFER_LIMIT_YEN, MIN_TRANSFER_LIMIT_YEN } from '@pc/domain/transfer/transfer-records.ts'
import { type Clock, thisMonth, today } from '@pc/platform/clock.ts'
import type { JournalAccountLine, TransferSourceLine, WithholdingLine } from './payment-setting-store.ts'
import { amountProblem, edit, monthProblem, type Refused, type SettingWrite } from './save-payment-setting.ts'

/** The sending account, without the names of bank and branch, which come from the bank master. */
export type TransferSourceInput = Omit<TransferSourceLine, 'bankName' | 'branchName' | 'updatedAt'>

/** Greatest length of bank and branch names in the header of a bank file, in bytes (half-width kana). */
const BANK_NAME_BYTES = 15
const CLIENT_NAME_BYTES = 40
/** Bytes at the end of a record in which a bank's result file marks transfers as paid or returned. */
const MARK_BYTES = 7

/**
 * Saves the sending account and its bank's file format, from a month of transfer on. Existing batches keep theirs, so a new
 * setting begins this month or later; the first one may begin in any month.
 */
export async function saveTransferSource(
  input: TransferSourceInput,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('transfer_source', expectedRevision, write, async () => {
    const { tx } = write
    const values = { ...input, clientName: toHalfWidthKana(input.clientName.trim()) }
    const lines = await tx.selectFrom('transferSources').selectAll().orderBy('validFromMonth').execute()
    const problems = sourceProblems(values)
    if (lines.length > 0 && input.validFromMonth < thisMonth(clock)) {
      const earliest = formatYearMonth(thisMonth(clock))
      problems.push(refusal('payment-setting/month-past', ['input', 'validFromMonth'], { earliest }))
    }
    const { bankCode, branchCode } = input
    const branch = await tx
      .selectFrom('bankBranches as r')
      .innerJoin('banks as b', 'b.id', 'r.bankId')
      .select(['b.kana as bankName', 'r.kana as branchName'])
      .where('b.code', '=', bankCode)
      .where('r.code', '=', branchCode)
      .executeTakeFirst()
    if (!branch) problems.push(refusal('payment-setting/bank-unknown', ['input', 'bankCode'], { bankCode, branchCode }))
    if (!branch || problems.length > 0) return refused(...problems)
    const row = {
      ...values,
      bankName: fileName(branch.bankName, input.extraCharacters),
      branchName: fileName(branch.branchName, input.extraCharacters),
      updatedAt: new Date(clock.now()),
    }
    await tx
      .insertInto('transferSources')
      .values(row)
      .onConflict(conflict => conflict.column('validFromMonth').doUpdateSet(row))
      .execute()
    const before = lines.find(line => line.validFromMonth === input.validFromMonth)
    return ok({ before: before ?? null, after: row })
  })
}

/** The name for a bank file; '' when it has characters that the file cannot hold, because the bank only needs the codes. */
function fileName(kana: string, extraCharacters: string): string {
  const text = toHalfWidthKana(kana)
  return forbiddenCharacters(text, extraCharacters).length > 0 ? '' : text.slice(0, BANK_NAME_BYTES)
}

function sourceProblems(input: TransferSourceInput): Refused[] {
  const problems: Refused[] = []
  if (!/^\d{1,10}$/.test(input.clientCode)) {
    problems.push(refusal('payment-setting/client-code-invalid', ['input', 'clientCode']))
  }
  if (input.clientName === '' || input.clientName.length > CLIENT_NAME_BYTES) {
    problems.push(refusal('payment-setting/client-name-missing', ['input', 'clientName']))
  }
  const characters = forbiddenCharacters(input.clientName, input.extraCharacters).join('')
  if (characters !== '') {
    problems.push(refusal('payment-setting/not-in-bank-file', ['input', 'clientName'], { characters }))
  }
  const impossible = impossibleSigns(input.extraCharacters).join('')
  if (impossible !== '') {
    problems.push(refusal('payment-setting/not-a-sign', ['input', 'extraCharacters'], { characters: impossible }))
  }
  if (!/^\d{7}$/.test(input.accountNumber)) {
    problems.push(refusal('payment-setting/account-number-invalid', ['input', 'accountNumber']))
  }
  const { transferLimitYen: limitYen } = input
  if (limitYen < MIN_TRANSFER_LIMIT_YEN || limitYen > MAX_TRANSFER_LIMIT_YEN) {
    problems.push(refusal('payment-setting/transfer-limit-out-of-range', ['input', 'transferLimit']))
  }
  if (!areMarksPossible(input)) {
    problems.push(refusal('payment-setting/result-marks-invalid', ['input', 'resultPaidMarks']))
  }
  return problems
}

function areMarksPossible(input: TransferSourceInput): boolean {
  const { resultMarkOffset: offset, resultMarkLength: length, resultPaidMarks: paid, resultReturnedMarks } = input
  const returned = resultReturnedMarks ?? []
  if (offset === null && length === null && paid === null && resultReturnedMarks === null) return true
  if (offset === null || length === null || paid === null || paid.length === 0) return false
  if (offset < 0 || length < 1 || offset + length > MARK_BYTES) return false
  const marks = [...paid, ...returned]
  return new Set(marks).size === marks.length && marks.every(mark => /^[ -~]*$/.test(mark) && mark.length === length)
}

/** Saves withholding tax rates from a day of payment on; past payments do not change. */
export async function saveWithholdingRate(
  input: WithholdingLine,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('withholding', expectedRevision, write, async () => {
    const { tx } = write
    const problems: Refused[] = []
    if (input.validFrom < today(clock)) problems.push(refusal('payment-setting/day-past', ['input', 'validFrom']))
    const wrong = amountProblem(input.thresholdYen, 'threshold')
    if (wrong) problems.push(wrong)
    for (const name of ['rateUpToThreshold', 'rateAboveThreshold', 'rateNonResident'] as const) {
      const isRate = input[name] >= 0 && input[name] <= 10_000
      if (!isRate) problems.push(refusal('payment-setting/rate-out-of-range', ['input', name]))
    }
    if (problems.length > 0) return refused(...problems)
    const before = await tx
      .selectFrom('withholdingRates')
      .selectAll()
      .where('validFrom', '=', input.validFrom)
      .executeTakeFirst()
    await tx
      .insertInto('withholdingRates')
      .values(input)
      .onConflict(conflict => conflict.column('validFrom').doUpdateSet(input))
      .execute()
    return ok({ before: before ?? null, after: input })
  })
}

/** Deletes withholding rates by which nothing was paid yet. */
export async function removeWithholdingRate(
  validFrom: Day,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('withholding', expectedRevision, write, async () => {
    const { tx } = write
    const rows = await tx.selectFrom('withholdingRates').selectAll().orderBy('validFrom').execute()
    const before = rows.find(row => row.validFrom === validFrom)
    if (!before) return refused(refusal('payment-setting/not-found', ['validFrom']))
    if (before === rows[0]) return refused(refusal('payment-setting/first-line', ['validFrom']))
    if (validFrom <= today(clock)) return refused(refusal('payment-setting/line-in-use', ['validFrom']))
    await tx.deleteFrom('withholdingRates').where('validFrom', '=', validFrom).execute()
    return ok({ before, after: null })
  })
}

/** Deletes a setting of the sending account that has not begun. */
export async function removeTransferSource(
  month: YearMonth,
  expectedRevision: number | undefined,
  write: SettingWrite,
  clock: Clock,
): Promise<Result<number, Refused>> {
  return edit('transfer_source', expectedRevision, write, async () => {
    const { tx } = write
    const rows = await tx.selectFrom('transferSources').selectAll().orderBy('validFromMonth').execute()
    const before = rows.find(row => row.validFromMonth === month)
    if (!before) return refused(refusal('payment-setting/not-found', ['validFromMonth']))
    if (before === rows[0]) return refused(refusal('payment-setting/first-line', ['validFromMonth']))
    if (month <= thisMonth(clock)) return refused(refusal('payment-setting/line-in-use', ['validFromMonth']))
    await tx.deleteFrom('transferSources').where('validFromMonth', '=', month).execute()
    return ok({ before, after: null })
  })
}

/** An account title for journal entries; absent parts are empty. */
export interface JournalAccountInput {
  readonly account: JournalAccount
  readonly name: string
  readonly subAccount?: string | null | undefined
  readonly department?: string | null | undefined
}

/** Saves the titles of all accounts, for entries from a month on. */
export async function saveJournalAccounts(
  validFromMonth: YearMonth,
  given: readonly JournalAccountInput[],
  expectedRevision: number | undefined,
  write: SettingWrite,
): Promise<Result<number, Refused>> {
  return edit('journal_account', expectedRevision, write, async () => {
    const { tx } = write
    const problem = await monthProblem(write, validFromMonth)
    if (problem) return refused(problem)
    const inputs = new Map(given.map(input => [input.account, input]))
    const rows = (Object.keys(JOURNAL_ACCOUNTS) as JournalAccount[]).map(account => {
      const { name = '', subAccount, department } = inputs.get(account) ?? {}
      const parts = { name: name.trim(), subAccount: subAccount?.trim() ?? '', department: department?.trim() ?? '' }
      return { account, validFromMonth, ...parts }
    })
    const isText = (text: string) => text.length <= MAX_JOURNAL_ACCOUNT_TEXT && !/\p{Cc}/u.test(text)
    const problems = rows
      .filter(({ name, ...row }) => name === '' || ![name, row.subAccount, row.department].every(isText))
      .map(({ account }) =>
        refusal('payment-setting/account-name-missing', ['input', 'names'], { account: JOURNAL_ACCOUNTS[account] }),
      )
    if (problems.length > 0) return refused(...problems)
    const before = await tx
      .selectFrom('journalAccounts')
      .selectAll()
      .where('validFromMonth', '=', validFromMonth)
      .orderBy('account')
      .execute()
    await tx.deleteFrom('journalAccounts').where('validFromMonth', '=', validFromMonth).execute()
    await tx.insertInto('journalAccounts').values(rows).execute()
    return ok({
      before: before.length === 0 ? null : { validFromMonth, ...namesOf(before) },
      after: { validFromMonth, ...namesOf(rows) },
    })
  })
}

/** Deletes the titles that begin in a month; the earlier ones apply again. */
export async function removeJournalAccounts(
  month: YearMonth,
  expectedRevision: number | undefined,
  write: SettingWrite,
): Promise<Result<number, Refused>> {
  return edit('journal_account', expectedRevision, write, async () => {
    const { tx } = write
    const problem = await monthProblem(write, month)
    if (problem) return refused(problem)
    const rows = await tx.selectFrom('journalAccounts').selectAll().orderBy('validFromMonth').execute()
    const before = rows.filter(row => row.validFromMonth === month)
    if (before.length === 0) return refused(refusal('payment-setting/not-found', ['validFromMonth']))
    if (rows[0]?.validFromMonth === month) return refused(refusal('payment-setting/first-line', ['validFromMonth']))
    await tx.deleteFrom('journalAccounts').where('validFromMonth', '=', month).execute()
    return ok({ before: { validFromMonth: month, ...namesOf(before) }, after: null })
  })
}

function namesOf(rows: readonly JournalAccountLine[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ account, ...row }) => [account, [row.name, row.subAccount, row.department].filter(Boolean).join('／')]),
  )
}
