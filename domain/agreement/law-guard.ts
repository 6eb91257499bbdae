import type { Day } from '../month/day.ts'
import type { BusinessDayShift, PaymentTiming } from '../month/due-date.ts'
import type { FeePayer } from './agreement-terms.ts'
import { LAW_RULES } from './law-rules.ts'

/** Whether an act protects this supplier. Nobody may leave `unknown` unnoticed. */
export type Coverage = 'covered' | 'not_covered' | 'unknown'

/** What the rules look at when an agreement is saved. */
export interface AgreementFacts {
  readonly feePaidBy: FeePayer
  readonly paymentTiming: PaymentTiming
  readonly businessDayShift: BusinessDayShift
  /** A payment after the nominal day because of a bank holiday was agreed in writing. */
  readonly isShiftAgreedInWriting: boolean
  /** 取適法 (the Subcontract Act as amended, in force since 2026-01-01). */
  readonly smallSupplierCoverage: Coverage
  /** フリーランス法 (in force since 2024-11-01). */
  readonly freelanceCoverage: Coverage
  readonly payeeKind: 'company' | 'individual'
  readonly isQualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
}

/** `error` blocks saving; `warning` must be acknowledged; `note` is shown. */
export type LawSeverity = 'error' | 'warning' | 'note'

/** A rule of law as dated data (features, idea 8). */
export interface LawRule {
  readonly id: string
  readonly validFrom: Day
  /** First day on which it no longer holds; null while it holds. */
  readonly validUntil: Day | null
  readonly severity: LawSeverity
  /** Act and article, or the authority's guidance. */
  readonly source: string
  /** The field of the form that the text belongs to. */
  readonly field: keyof AgreementFacts
  readonly isBrokenBy: (facts: AgreementFacts) => boolean
  /** Japanese, says what to do. */
  readonly text: string
}

export interface LawFinding {
  readonly ruleId: string
  readonly severity: LawSeverity
  readonly field: keyof AgreementFacts
  readonly text: string
  readonly source: string
  readonly isAcknowledged: boolean
}

export function rulesInForce(onDay: Day, rules: readonly LawRule[] = LAW_RULES): readonly LawRule[] {
  return rules.filter(rule => rule.validFrom <= onDay && (rule.validUntil === null || onDay < rule.validUntil))
}

/** Rules that begin or end after `onDay`, with the day of the change, soonest first. */
export function nextLawChanges(
  onDay: Day,
  rules: readonly LawRule[] = LAW_RULES,
): readonly { readonly ruleId: string; readonly change: 'begins' | 'ends'; readonly on: Day }[] {
  const begins = rules.map(rule => ({ ruleId: rule.id, change: 'begins' as const, on: rule.validFrom }))
  const ends = rules.flatMap(rule =>
    rule.validUntil ? [{ ruleId: rule.id, change: 'ends' as const, on: rule.validUntil }] : [],
  )
  return [...begins, ...ends]
    .filter(change => change.on > onDay)
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : a.ruleId < b.ruleId ? -1 : 1))
}

/** What the rules in force on a day say about an agreement, errors first. */
export function lawFindings(
  facts: AgreementFacts,
  onDay: Day,
  acknowledgedRuleIds: readonly string[] = [],
  rules: readonly LawRule[] = LAW_RULES,
): readonly LawFinding[] {
  const order: readonly LawSeverity[] = ['error', 'warning', 'note']
  return rulesInForce(onDay, rules)
    .filter(rule => rule.isBrokenBy(facts))
    .map(rule => ({
      ruleId: rule.id,
      severity: rule.severity,
      field: rule.field,
      text: rule.text,
      source: rule.source,
      isAcknowledged: acknowledgedRuleIds.includes(rule.id),
    }))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

/** Findings that keep an agreement from being saved: every error, and every warning nobody has acknowledged. */
export function blockingFindings(findings: readonly LawFinding[]): readonly LawFinding[] {
  return findings.filter(
    finding => finding.severity === 'error' || (finding.severity === 'warning' && !finding.isAcknowledged),
  )
}
