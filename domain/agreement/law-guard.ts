import type { Day } from '../month/day.ts'
import type { AgreementFacts, LawRule, LawSeverity } from './law-rule.ts'
import { LAW_RULES } from './law-rules.ts'

export interface LawFinding {
  readonly ruleId: string
  readonly severity: LawSeverity
  readonly field: keyof AgreementFacts
  readonly text: string
  readonly source: string
  readonly isAcknowledged: boolean
}

/** The rules that apply on a day, in the given order: from `validFrom` on, and no longer on `validUntil`. */
export function rulesInForce(onDay: Day, rules: readonly LawRule[] = LAW_RULES): readonly LawRule[] {
  return rules.filter(rule => rule.validFrom <= onDay && (rule.validUntil === null || onDay < rule.validUntil))
}

/**
 * What the rules in force on `onDay` find in an agreement, errors first.
 * Tested by `domain/agreement/agreement.test.ts`.
 */
export function lawFindings(
  facts: AgreementFacts,
  onDay: Day,
  acknowledgedRuleIds: readonly string[] = [],
  rules: readonly LawRule[] = LAW_RULES,
): readonly LawFinding[] {
  const order: readonly LawSeverity[] = ['error', 'warning', 'note']
  return rulesInForce(onDay, rules)
    .filter(rule => rule.isBrokenBy(facts, onDay))
    .map(rule => ({
      ruleId: rule.id,
      severity: rule.severity,
      field: typeof rule.field === 'function' ? rule.field(facts) : rule.field,
      text: rule.text,
      source: rule.source,
      isAcknowledged: acknowledgedRuleIds.includes(rule.id),
    }))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

/** Findings that block saving: every error, and every warning that has not been acknowledged. */
export function blockingFindings(findings: readonly LawFinding[]): readonly LawFinding[] {
  return findings.filter(
    finding => finding.severity === 'error' || (finding.severity === 'warning' && !finding.isAcknowledged),
  )
}
