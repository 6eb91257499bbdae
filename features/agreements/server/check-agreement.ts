import { AGREEMENT_FIELD_NAMES, type AgreementInput } from '@pc/domain/agreement/agreement-record.ts'
import { type AgreementTerms, checkAgreementTerms, isTerminatedOn } from '@pc/domain/agreement/agreement-terms.ts'
import {
  isAgreementCode,
  isAgreementName,
  MAX_AGREEMENT_NOTES,
  plainAgreementCode,
} from '@pc/domain/agreement/agreement-texts.ts'
import { RENEWAL_NOTICE_DAYS } from '@pc/domain/agreement/contract-renewal.ts'
import { blockingFindings, lawFindings } from '@pc/domain/agreement/law-guard.ts'
import { valueAsOf, withVersion } from '@pc/domain/agreement/terms-history.ts'
import { treatyFormRefusals } from '@pc/domain/agreement/treaty-form.ts'
import { normalizeRegistrationNumber } from '@pc/domain/bank/registration-number.ts'
import { retiredMedium } from '@pc/domain/medium/medium.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { fieldsOf, givenOf } from '@pc/domain/record/record-fields.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { type Clock, dayAt, thisMonth, today } from '@pc/platform/clock.ts'
import type { LockedMedia } from '@pc/platform/postgres/media-lock.ts'
import { factsOf } from './agreement-facts.ts'
import type { AgreementRow } from './agreement-store.ts'
import type { TermsVersion } from './agreement-terms-store.ts'
import type { PlatformTerms } from './platform-terms.ts'
import type { AgreementSpan } from './refuse-two-earners.ts'

type Refusals = readonly Refusal<RefusalCode>[]
type Path = readonly (string | number)[]

const DEFAULT_TERMS: AgreementTerms = {
  feePaidBy: 'product',
  paymentTiming: 'a_month_later',
  minimumRevenueType: 'none',
  fixedRevenueYen: 0n,
  minimumRevenueYen: 0n,
  payoutThresholdYen: null,
}

export interface AgreementState {
  readonly row: AgreementRow
  readonly history: readonly TermsVersion[]
}
/** What the checks need besides the agreement, read once for all agreements of a request. */
export interface AgreementSurroundings {
  readonly clock: Clock
  /** Who saves. */
  readonly uid: string
  readonly lastFinalized: ReadonlyMap<bigint, YearMonth | null>
  readonly media: LockedMedia
  readonly platform: PlatformTerms
}

/**
 * The columns of a new agreement, and what is wrong with them.
 * Tested by `features/agreements/server/agreements-api.test.ts`.
 */
export function checkNewAgreement(input: AgreementInput<Date>, path: Path, around: AgreementSurroundings) {
  const { clock } = around
  const mediumId = input.mediumId ?? 0n
  const validFromMonth = input.validFromMonth ?? thisMonth(clock)
  const terms = { ...DEFAULT_TERMS, ...input.terms }
  const fields = { ...ownFields(input, undefined, clock), ...confirmation(input, undefined, around) }
  const lastFinalized = around.lastFinalized.get(mediumId) ?? null
  const refusals: Refusals = [
    ...checkTexts(input, path),
    ...repath(checkAgreementTerms(terms), path),
    ...monthRefusals([], { validFromMonth, value: terms }, lastFinalized, path),
    ...retirementRefusals(around, mediumId, validFromMonth, {
      ...{ medium: [...path, 'mediumId'], firstMonth: [...path, 'validFromMonth'] },
    }),
    ...renewalRefusals({ ...NEW_FACTS, ...fields }, path),
    ...confirmationRefusals(input, undefined, path),
    ...repath(treatyFormRefusals({ ...NEW_FACTS, ...fields }), path),
    ...lawRefusals({ ...NEW_FACTS, ...fields }, terms, input, around, path),
  ]
  const values = {
    ...fields,
    ...terms,
    name: input.name?.trim() ?? '',
    code: plainAgreementCode(input.code ?? ''),
    mediumId,
    organizationId: input.organizationId ?? 0n,
    validFromMonth,
  }
  return { values, refusals }
}

/** The row and terms of an agreement after a change, and what is wrong with them. */
export function checkAgreementChange(
  input: AgreementInput<Date>,
  path: Path,
  { row: before, history }: AgreementState,
  around: AgreementSurroundings,
) {
  const { clock } = around
  const lastFinalized = around.lastFinalized.get(before.mediumId) ?? null
  const validFromMonth = input.validFromMonth ?? thisMonth(clock)
  const inForce = valueAsOf(history, validFromMonth) ?? history[0]?.value ?? DEFAULT_TERMS
  const terms = { ...inForce, ...input.terms }
  const hasNewTerms = (Object.keys(terms) as (keyof AgreementTerms)[]).some(name => terms[name] !== inForce[name])
  const isOldCode = input.code === undefined || input.code.trim() === before.code
  const after: AgreementRow = {
    ...before,
    ...ownFields(input, before, clock),
    ...confirmation(input, before, around),
    name: input.name?.trim() ?? before.name,
    code: isOldCode ? before.code : plainAgreementCode(input.code ?? ''),
  }
  const firstMonth = history[0]?.validFromMonth ?? validFromMonth
  const span: AgreementSpan = { agreementFrom: firstMonth, terminatedAt: before.terminatedAt }
  const newSpan: AgreementSpan = {
    agreementFrom: hasNewTerms && validFromMonth < firstMonth ? validFromMonth : firstMonth,
    terminatedAt: after.terminatedAt,
  }
  const refusals: Refusals = [
    ...fixedFields(input, before, path),
    ...checkTexts(input, path),
    ...repath(checkAgreementTerms(terms), path),
    ...(hasNewTerms ? monthRefusals(history, { validFromMonth, value: terms }, lastFinalized, path) : []),
    ...terminationRefusals(after.terminatedAt, before.terminatedAt, lastFinalized, path),
    ...(isTakenUpAgain(input, before, clock)
      ? retirementRefusals(around, before.mediumId, thisMonth(clock), {
          ...{ medium: [...path, 'terminatedAt'], firstMonth: [...path, 'terminatedAt'] },
        })
      : []),
    ...renewalRefusals(after, path),
    ...confirmationRefusals(input, before, path),
    ...repath(treatyFormRefusals(after), path),
    ...lawRefusals(after, terms, input, around, path),
  ]
  const isOtherSpan =
    span.agreementFrom !== newSpan.agreementFrom || span.terminatedAt?.getTime() !== newSpan.terminatedAt?.getTime()
  return {
    after,
    newTerms: hasNewTerms ? { month: validFromMonth, terms } : undefined,
    spans: isOtherSpan ? { before: span, after: newSpan } : undefined,
    refusals,
  }
}

function retirementRefusals(
  { clock, media }: AgreementSurroundings,
  mediumId: bigint,
  firstMonth: YearMonth,
  at: { readonly medium: Path; readonly firstMonth: Path },
): Refusals {
  const medium = media.get(mediumId)
  return medium ? retiredMedium(medium, { today: today(clock), firstMonth }, at) : []
}

const NEW_FACTS = {
  payeeKind: 'company',
  payeeResidence: 'resident',
  treatyFormFrom: null,
  treatyFormTo: null,
  treatyFormRate: null,
  smallSupplierCoverage: 'unknown',
  freelanceCoverage: 'unknown',
  isShiftAgreedInWriting: false,
  isQualifiedInvoiceIssuer: false,
  invoiceRegistrationNumber: null,
  acknowledgedLawRuleIds: [],
  contractEndMonth: null,
  renewalNoticeDays: null,
} satisfies Partial<AgreementRow>

/** The columns of the row that the input sets, as they are stored, except name and code. */
function ownFields(input: AgreementInput<Date>, before: AgreementRow | undefined, clock: Clock) {
  const { notes, invoiceRegistrationNumber: number, acknowledgedLawRuleIds: ids } = input
  return givenOf({
    ...fieldsOf(AGREEMENT_FIELD_NAMES, input),
    terminatedAt: terminationOf(input, before, clock),
    notes: notes === undefined ? undefined : notes?.trim() || null,
    invoiceRegistrationNumber:
      number === undefined ? undefined : (number && normalizeRegistrationNumber(number)) || null,
    acknowledgedLawRuleIds: ids && [...ids],
  })
}

/** Who confirmed the tax treatment and when. The first confirmation stays as long as the treatment is the same. */
function confirmation(
  input: AgreementInput<Date>,
  before: AgreementRow | undefined,
  { clock, uid }: Pick<AgreementSurroundings, 'clock' | 'uid'>,
) {
  if (!input.confirmsTaxTreatment) return {}
  const after = { ...before, ...ownFields(input, before, clock) }
  const isDecided = before && before.taxTreatmentConfirmedAt !== null
  if (isDecided && TAX_TREATMENT.every(name => after[name] === before[name])) return {}
  return { taxTreatmentConfirmedAt: new Date(clock.now()), taxTreatmentConfirmedByUid: uid }
}

/**
 * The first confirmation of the tax treatment must name the payee's kind. The default, a company, would mean that nothing
 * is withheld.
 */
function confirmationRefusals(input: AgreementInput<Date>, before: AgreementRow | undefined, path: Path): Refusals {
  const isUndecided = (before?.taxTreatmentConfirmedAt ?? null) === null
  const isMissing = input.confirmsTaxTreatment && isUndecided && input.payeeKind === undefined
  return isMissing ? [refusal('agreement/payee-kind-missing', [...path, 'payeeKind'])] : []
}

const TAX_TREATMENT = [
  ...(['payeeKind', 'payeeResidence', 'treatyFormFrom', 'treatyFormTo', 'treatyFormRate'] as const),
  ...(['isQualifiedInvoiceIssuer', 'invoiceRegistrationNumber'] as const),
]

function terminationOf(
  input: AgreementInput<Date>,
  before: AgreementRow | undefined,
  clock: Clock,
): Date | null | undefined {
  if (input.isTerminated === false) return null
  if (input.terminatedAt !== undefined) return input.terminatedAt
  if (!input.isTerminated) return undefined
  const at = before?.terminatedAt
  return at && isOver(at, clock) ? at : new Date(clock.now())
}

export function missingFields(input: AgreementInput<Date>, path: Path): Refusals {
  const missing: Refusal<RefusalCode>[] = []
  if (!input.name?.trim()) missing.push(refusal('agreement/name-required', [...path, 'name']))
  if (!input.code?.trim()) missing.push(refusal('agreement/code-required', [...path, 'code']))
  if (input.mediumId === undefined) missing.push(refusal('agreement/medium-unknown', [...path, 'mediumId']))
  if (input.organizationId === undefined)
    missing.push(refusal('agreement/organization-unknown', [...path, 'organizationId']))
  return missing
}

function checkTexts(input: AgreementInput<Date>, path: Path): Refusals {
  const refusals: Refusal<RefusalCode>[] = []
  const { name, code, notes } = input
  if (name !== undefined && !isAgreementName(name)) refusals.push(refusal('agreement/name-required', [...path, 'name']))
  if (code !== undefined && !isAgreementCode(code)) refusals.push(refusal('agreement/code-required', [...path, 'code']))
  for (const [field, text] of Object.entries({ name, code })) {
    if (hasHiddenCharacter(text?.trim() ?? '')) refusals.push(refusal('name/hidden-characters', [...path, field]))
  }
  if ((notes?.length ?? 0) > MAX_AGREEMENT_NOTES)
    refusals.push(refusal('agreement/notes-too-long', [...path, 'notes'], { max: MAX_AGREEMENT_NOTES }))
  return refusals
}

function fixedFields(input: AgreementInput<Date>, before: AgreementRow, path: Path): Refusals {
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

/** A termination may fall into the last final month, which counts in full anyway, but not into an earlier one. */
function terminationRefusals(
  terminatedAt: Date | null,
  before: Date | null,
  lastFinalized: YearMonth | null,
  path: Path,
): Refusals {
  if (lastFinalized === null || terminatedAt?.getTime() === before?.getTime()) return []
  const months = [terminatedAt, before].flatMap(at => (at ? [monthOfDay(dayAt(at.getTime()))] : []))
  if (months.every(month => month >= lastFinalized)) return []
  return [refusal('agreement/terminated-in-finalized-month', [...path, 'terminatedAt'])]
}

/** Whether the change reactivates an agreement whose termination has taken effect. */
export function isTakenUpAgain(input: AgreementInput<Date>, before: AgreementRow, clock: Clock): boolean {
  const terminatedAt = terminationOf(input, before, clock)
  return terminatedAt !== undefined && isOver(before.terminatedAt, clock) && !isOver(terminatedAt, clock)
}

function isOver(terminatedAt: Date | null, clock: Clock): boolean {
  return isTerminatedOn(today(clock), terminatedAt && dayAt(terminatedAt.getTime()))
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
  input: AgreementInput<Date>,
  { clock, platform }: AgreementSurroundings,
  path: Path,
): Refusals {
  const acknowledged = input.acknowledgedLawRuleIds ?? facts.acknowledgedLawRuleIds
  const findings = lawFindings(factsOf(facts, terms, platform), today(clock), acknowledged)
  return blockingFindings(findings)
    .filter(finding => finding.severity === 'error' || input.acknowledgedLawRuleIds !== undefined)
    .map(({ field, text, source, ruleId, severity }) =>
      refusal('agreement/law', [...path, inputField(field)], { text, source, ruleId, severity }),
    )
}

/** The refusals of `domain/agreement`, whose paths name stored fields, with the paths of the API's arguments. */
function repath(refusals: Refusals, path: Path): Refusals {
  return refusals.map(({ code, path: [, field], data }) => refusal(code, [...path, inputField(String(field))], data))
}

function inputField(field: string): string {
  // The API's arguments have neither the prefix `is` nor the unit.
  return field === 'isQualifiedInvoiceIssuer' ? 'qualifiedInvoiceIssuer' : field.replace(/Yen$/, '')
}
