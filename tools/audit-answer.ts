/**
 * Days from the release of a fix until it must be in operation, by severity (docs/dependencies.md). Lower severities
 * wait for the next update.
 */
export const REMEDIATION_DAYS: Readonly<Record<string, number>> = { critical: 2, high: 7, moderate: 30 }

/** The output of `npm audit --json`: a report, or an error. */
export interface AuditAnswer {
  readonly message?: string
  readonly error?: { readonly summary?: string; readonly code?: string }
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>
  readonly metadata?: { readonly dependencies?: { readonly total?: number } }
}
interface Vulnerability {
  readonly severity: string
  /** Advisories, or names of packages through which the vulnerability comes. */
  readonly via: readonly (string | { readonly title: string })[]
  readonly fixAvailable: unknown
}

export interface Finding {
  readonly name: string
  readonly severity: string
  readonly titles: readonly string[]
  readonly hasFix: boolean
}
type Findings =
  | { readonly kind: 'answered'; readonly packages: number; readonly findings: readonly Finding[] }
  | { readonly kind: 'unanswered'; readonly reason: string }

const ORDER = ['critical', 'high', 'moderate', 'low', 'info']

/** The findings, most severe first. An output without a report never counts as "nothing found". */
export function findingsOf(answer: AuditAnswer): Findings {
  if (answer.vulnerabilities === undefined) {
    return { kind: 'unanswered', reason: answer.message ?? answer.error?.summary ?? answer.error?.code ?? 'no report' }
  }
  const findings = Object.entries(answer.vulnerabilities).map(([name, { severity, via, fixAvailable }]) => ({
    name,
    severity,
    titles: via.flatMap(each => (typeof each === 'string' ? [] : [each.title])),
    hasFix: Boolean(fixAvailable),
  }))
  return {
    kind: 'answered',
    packages: answer.metadata?.dependencies?.total ?? 0,
    findings: findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)),
  }
}
