import { type AgreementTerms, checkAgreementTerms } from '@pc/domain/agreement/agreement-terms.ts'
import { RENEWAL_NOTICE_DAYS } from '@pc/domain/agreement/contract-renewal.ts'
import { blockingFindings, lawFindings } from '@pc/domain/agreement/law-guard.ts'
import { valueAsOf, withVersion } from '@pc/domain/agreement/terms-history.ts'
import { normalizeRegistrationNumber } from '@pc/domain/bank/registration-number.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { type Clock, dayAt, thisMonth, today } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { lastFinalizedMonth } from '@pc/platform/postgres/month-lock.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { factsOf } from './agreement-facts.ts'
import type { AgreementInput } from './agreement-input.ts'
import { type AgreementRow, findAgreements } from './agreement-store.ts'
import { readTermsHistories, type TermsVersion, writeTerms } from './agreement-terms-store.ts'
import { type AccountAssignment, assignBankAccounts } from './assign-bank-accounts.ts'

type Refusals = readonly Refusal<RefusalCode>[]
type Path = readonly (string | number)[]
type Saved = Result<AgreementRow, Refusal<RefusalCode>>

export interface AgreementSubmission {
  readonly input: AgreementInput
  /** Undefined: the accounts stay as they are. */
  readonly accounts: readonly AccountAssignment[] | undefined
  /** Where the input stands in the arguments, for the form. */
  readonly path: Path
}

const RESOURCE = 'insight:agreement.'
const MAX_NAME = 200
const MAX_CODE = 50
const MAX_NOTES = 5_000
const CONSTRAINTS = {
  agreements_code_key: { code: 'agreement/code-taken', field: 'code' },
  agreements_medium_id_fkey: { code: 'agreement/medium-unknown', field: 'mediumId' },
  agreements_organization_id_fkey: { code: 'agreement/organization-unknown', field: 'organizationId' },
} as const
const DEFAULT_TERMS: AgreementTerms = {
  feePaidBy: 'product',
  paymentTiming: 'a_month_later',
  minimumRevenueType: 'none',
  fixedRevenueYen: 0n,
  minimumRevenueYen: 0n,
  payoutThresholdYen: null,
}

/** A new agreement, whose terms hold from `validFromMonth` (default: this month). */
export async function createAgreement(write: Write, clock: Clock, submission: AgreementSubmission): Promise<Saved> {
  const { tx } = write
  const { input, path } = submission
  const missing = missingFields(input, path)
  if (missing.length > 0) return { ok: false, refusals: missing }
  const mediumId = input.mediumId ?? 0n
  const lastFinalized = await lastFinalizedMonth(tx, mediumId)
  const validFromMonth = input.validFromMonth ?? thisMonth(clock)
  const terms = { ...DEFAULT_TERMS, ...input.terms }
  const fields = ownFields(input, undefined, clock)
  const refusals = [
    ...checkTexts(input, path),
    ...repath(checkAgreementTerms(terms), path),
    ...monthRefusals([], { validFromMonth, value: terms }, lastFinalized, path),
    ...renewalRefusals({ ...NEW_FACTS, ...fields }, path),
    ...lawRefusals({ ...NEW_FACTS, ...fields }, terms, input, clock, path),
  ]
  if (refusals.length > 0) return { ok: false, refusals }
  const values = {
    ...fields,
    ...terms,
    name: input.name?.trim() ?? '',
    code: plainCode(input.code ?? ''),
    mediumId,
    organizationId: input.organizationId ?? 0n,
    validFromMonth,
  }
  const inserted = await attempt(path, () =>
    tx.insertInto('agreements').values(values).returning('id').executeTakeFirstOrThrow(),
  )
  if (!inserted.ok) return inserted
  return finish(write, submission, inserted.value.id, lastFinalized, null, clock)
}

/**
 * Changes an agreement. Terms that differ from those in force in `validFromMonth` become a version from that month on;
 * a month that is final refuses them.
 */
export async function updateAgreement(
  write: Write,
  clock: Clock,
  id: bigint,
  submission: AgreementSubmission,
): Promise<Saved> {
  const { tx } = write
  const { input, path } = submission
  await tx.selectFrom('agreements').select('id').where('id', '=', id).forUpdate().execute()
  const [before] = await findAgreements(tx, [id])
  if (!before) return { ok: false, refusals: [refusal('record/not-found', [...path, 'id'])] }
  const stale = await editedByOther(tx, {
    resource: RESOURCE,
    rowId: id,
    revision: before.revision,
    expectedRevision: input.expectedRevision,
  })
  if (stale) return { ok: false, refusals: [stale] }
  const lastFinalized = await lastFinalizedMonth(tx, before.mediumId)
  const state = await stateOf(tx, before)
  const validFromMonth = input.validFromMonth ?? thisMonth(clock)
  const inForce = valueAsOf(state.history, validFromMonth) ?? state.history[0]?.value ?? DEFAULT_TERMS
  const terms = { ...inForce, ...input.terms }
  const hasNewTerms = !isSame(terms, inForce)
  const fields = ownFields(input, before, clock)
  const refusals = [
    ...fixedFields(input, before, path),
    ...checkTexts(input, path),
    ...repath(checkAgreementTerms(terms), path),
    ...(hasNewTerms ? monthRefusals(state.history, { validFromMonth, value: terms }, lastFinalized, path) : []),
    ...terminationRefusals(fields.terminatedAt, before.terminatedAt, lastFinalized, path),
    ...renewalRefusals({ ...before, ...fields }, path),
    ...lawRefusals({ ...before, ...fields }, terms, input, clock, path),
  ]
  if (refusals.length > 0) return { ok: false, refusals }
  if (hasNewTerms) await writeTerms(tx, id, validFromMonth, terms)
  const isOldCode = input.code === undefined || input.code.trim() === before.code
  const code = isOldCode ? before.code : plainCode(input.code)
  const set = { ...fields, name: input.name?.trim() ?? before.name, code }
  const updated = await attempt(path, () => tx.updateTable('agreements').set(set).where('id', '=', id).execute())
  if (!updated.ok) return updated
  return finish(write, submission, id, lastFinalized, state, clock)
}

interface AgreementState {
  readonly row: AgreementRow
  readonly history: readonly TermsVersion[]
}

async function stateOf(tx: Transaction, row: AgreementRow): Promise<AgreementState> {
  return { row, history: (await readTermsHistories(tx, [row.id])).get(row.id) ?? [] }
}

/** Accounts, revision and audit row, after the row itself has been written. */
async function finish(
  write: Write,
  { accounts, path }: AgreementSubmission,
  id: bigint,
  lastFinalized: YearMonth | null,
  before: AgreementState | null,
  clock: Clock,
): Promise<Saved> {
  const { tx } = write
  const [row] = await findAgreements(tx, [id])
  if (!row) return { ok: false, refusals: [refusal('record/not-found', [...path, 'id'])] }
  const assigned =
    accounts && (await assignBankAccounts(tx, row, accounts, lastFinalized, today(clock), ['agreementBankAccounts']))
  if (assigned && assigned.refusals.length > 0) return { ok: false, refusals: assigned.refusals }
  const was = before && auditOf(before, assigned?.before)
  const is = auditOf(await stateOf(tx, row), assigned?.after)
  if (was && isSame(was, is)) {
    write.recordNothing()
    return ok(row)
  }
  if (before) {
    const next = { revision: row.revision + 1, updatedAt: new Date() }
    await tx.updateTable('agreements').set(next).where('id', '=', id).execute()
  }
  const [after = row] = await findAgreements(tx, [id])
  write.record({
    action: before ? 'update' : 'create',
    resource: RESOURCE,
    rowId: id,
    before: was && { ...was, revision: row.revision },
    after: { ...is, revision: after.revision },
  })
  return ok(after)
}

/** What the audit log keeps of an agreement. */
function auditOf({ row, history }: AgreementState, accounts: readonly AccountAssignment[] | undefined): object {
  const { revision: _revision, updatedAt: _updatedAt, organizationName: _name, ...kept } = row
  return {
    ...kept,
    terms: history.map(({ validFromMonth, value }) => ({ validFromMonth, ...value })),
    ...(accounts === undefined ? {} : { agreementBankAccounts: accounts }),
  }
}

const NEW_FACTS = {
  payeeKind: 'company',
  smallSupplierCoverage: 'unknown',
  freelanceCoverage: 'unknown',
  isShiftAgreedInWriting: false,
  isQualifiedInvoiceIssuer: false,
  invoiceRegistrationNumber: null,
  acknowledgedLawRuleIds: [],
  contractEndMonth: null,
  renewalNoticeDays: null,
} as const

/** The columns of the agreement's row that the input names; undefined keys are left out. */
function ownFields(input: AgreementInput, before: AgreementRow | undefined, clock: Clock) {
  const number = input.invoiceRegistrationNumber
  const terminatedAt = terminationOf(input, before, clock)
  return {
    ...(terminatedAt === undefined ? {} : { terminatedAt }),
    ...(input.isPaymentDisabled === undefined ? {} : { isPaymentDisabled: input.isPaymentDisabled }),
    ...(input.notes === undefined ? {} : { notes: input.notes?.trim() || null }),
    ...(input.payeeKind === undefined ? {} : { payeeKind: input.payeeKind }),
    ...(input.smallSupplierCoverage === undefined ? {} : { smallSupplierCoverage: input.smallSupplierCoverage }),
    ...(input.freelanceCoverage === undefined ? {} : { freelanceCoverage: input.freelanceCoverage }),
    ...(input.isShiftAgreedInWriting === undefined ? {} : { isShiftAgreedInWriting: input.isShiftAgreedInWriting }),
    ...(input.isQualifiedInvoiceIssuer === undefined
      ? {}
      : { isQualifiedInvoiceIssuer: input.isQualifiedInvoiceIssuer }),
    ...(number === undefined
      ? {}
      : { invoiceRegistrationNumber: (number && normalizeRegistrationNumber(number)) || null }),
    ...(input.contractEndMonth === undefined ? {} : { contractEndMonth: input.contractEndMonth }),
    ...(input.renewalNoticeDays === undefined ? {} : { renewalNoticeDays: input.renewalNoticeDays }),
    ...(input.acknowledgedLawRuleIds === undefined
      ? {}
      : { acknowledgedLawRuleIds: [...input.acknowledgedLawRuleIds] }),
  }
}

/** Statements and accounting tell agreements apart by it: ＡＧ－０１ is AG-01. */
function plainCode(code: string): string {
  return code.normalize('NFKC').trim()
}

function terminationOf(input: AgreementInput, before: AgreementRow | undefined, clock: Clock): Date | null | undefined {
  if (input.isTerminated === false) return null
  if (input.terminatedAt !== undefined) return input.terminatedAt
  if (!input.isTerminated) return undefined
  return before?.terminatedAt ?? new Date(clock.now())
}

function missingFields(input: AgreementInput, path: Path): Refusals {
  const missing: Refusal<RefusalCode>[] = []
  if (!input.name?.trim()) missing.push(refusal('agreement/name-required', [...path, 'name']))
  if (!input.code?.trim()) missing.push(refusal('agreement/code-required', [...path, 'code']))
  if (input.mediumId === undefined) missing.push(refusal('agreement/medium-unknown', [...path, 'mediumId']))
  if (input.organizationId === undefined)
    missing.push(refusal('agreement/organization-unknown', [...path, 'organizationId']))
  return missing
}

function checkTexts(input: AgreementInput, path: Path): Refusals {
  const refusals: Refusal<RefusalCode>[] = []
  const { name, code, notes } = input
  if (name !== undefined && !hasLength(name, MAX_NAME))
    refusals.push(refusal('agreement/name-required', [...path, 'name']))
  if (code !== undefined && !hasLength(code, MAX_CODE))
    refusals.push(refusal('agreement/code-required', [...path, 'code']))
  for (const [field, text] of Object.entries({ name, code })) {
    if (hasHiddenCharacter(text?.trim() ?? '')) refusals.push(refusal('name/hidden-characters', [...path, field]))
  }
  if ((notes?.length ?? 0) > MAX_NOTES)
    refusals.push(refusal('agreement/notes-too-long', [...path, 'notes'], { max: MAX_NOTES }))
  return refusals
}

function hasLength(text: string, max: number): boolean {
  const { length } = text.trim()
  return length > 0 && length <= max
}

function fixedFields(input: AgreementInput, before: AgreementRow, path: Path): Refusals {
  const refusals: Refusal<RefusalCode>[] = []
  if (input.mediumId !== undefined && input.mediumId !== before.mediumId)
    refusals.push(refusal('agreement/medium-fixed', [...path, 'mediumId']))
  if (input.organizationId !== undefined && input.organizationId !== before.organizationId)
    refusals.push(refusal('agreement/organization-fixed', [...path, 'organizationId']))
  return refusals
}

function monthRefusals(
  history: readonly TermsVersion[],
  version: { readonly validFromMonth: YearMonth; readonly value: AgreementTerms },
  lastFinalized: YearMonth | null,
  path: Path,
): Refusals {
  const changed = withVersion<AgreementTerms>(history, version, lastFinalized)
  return changed.ok ? [] : repath(changed.refusals, path)
}

/** The month of termination counts in full, so it may be the last one that is final, but no earlier one. */
function terminationRefusals(
  terminatedAt: Date | null | undefined,
  before: Date | null,
  lastFinalized: YearMonth | null,
  path: Path,
): Refusals {
  if (lastFinalized === null || terminatedAt === undefined || terminatedAt?.getTime() === before?.getTime()) return []
  const months = [terminatedAt, before].flatMap(at => (at ? [monthOfDay(dayAt(at.getTime()))] : []))
  if (months.every(month => month >= lastFinalized)) return []
  return [refusal('agreement/terminated-in-finalized-month', [...path, 'terminatedAt'])]
}

function renewalRefusals(
  { contractEndMonth, renewalNoticeDays: days }: Pick<AgreementRow, 'contractEndMonth' | 'renewalNoticeDays'>,
  path: Path,
): Refusals {
  if (days === null) return []
  const { least, most } = RENEWAL_NOTICE_DAYS
  const refusals: Refusal<RefusalCode>[] = []
  if (days < least || days > most)
    refusals.push(refusal('agreement/renewal-notice-out-of-range', [...path, 'renewalNoticeDays'], { least, most }))
  if (contractEndMonth === null) refusals.push(refusal('agreement/contract-end-missing', [...path, 'contractEndMonth']))
  return refusals
}

function lawRefusals(
  facts: Parameters<typeof factsOf>[0],
  terms: AgreementTerms,
  input: AgreementInput,
  clock: Clock,
  path: Path,
): Refusals {
  const acknowledged = input.acknowledgedLawRuleIds ?? facts.acknowledgedLawRuleIds
  const findings = lawFindings(factsOf(facts, terms), today(clock), acknowledged)
  return blockingFindings(findings)
    .filter(finding => finding.severity === 'error' || input.acknowledgedLawRuleIds !== undefined)
    .map(({ field, text, source, ruleId, severity }) =>
      refusal('agreement/law', [...path, inputField(field)], { text, source, ruleId, severity }),
    )
}

/** The rules of `domain/agreement` name their fields as they are stored. */
function repath(refusals: Refusals, path: Path): Refusals {
  return refusals.map(({ code, path: [, field], data }) => refusal(code, [...path, inputField(String(field))], data))
}

function inputField(field: string): string {
  return field === 'isQualifiedInvoiceIssuer' ? 'qualifiedInvoiceIssuer' : field.replace(/Yen$/, '')
}

async function attempt<T>(path: Path, work: () => Promise<T>): Promise<Result<T, Refusal<RefusalCode>>> {
  try {
    return ok(await work())
  } catch (error) {
    const known = Object.fromEntries(
      Object.entries(CONSTRAINTS).map(([name, { code, field }]) => [name, { code, path: [...path, field] }]),
    )
    return { ok: false, refusals: [refusalOfConstraint<RefusalCode>(error, known)] }
  }
}

function isSame(a: object, b: object): boolean {
  return comparable(a) === comparable(b)
}

function comparable(value: object): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
}
