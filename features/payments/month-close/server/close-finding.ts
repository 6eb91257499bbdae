/** `red` refuses the close, `amber` needs a look, `waiting` depends on something that has not happened yet. */
export type CheckState = 'green' | 'amber' | 'red' | 'waiting'

/** Everything that the checks of the board can find; `scenarios/board-findings.test.ts` damages a month for each. */
export const FINDING_KINDS = [
  ...(['month-not-over', 'previous-month-open'] as const),
  ...(['ingest-running', 'ingest-failed', 'statistics-missing', 'statistics-days-missing', 'own-ads-zero'] as const),
  ...(['jobs-unfinished', 'jobs-failed', 'late-correction-missing'] as const),
  ...(['not-computable', 'not-computed', 'draft-outdated', 'rules-proposed', 'openings-later'] as const),
  ...(['pool-mismatch', 'pool-gone'] as const),
  ...(['account-missing', 'account-shared', 'holder-unwritable', 'transfer-too-large'] as const),
  ...(['yearly-limit', 'registration-lapsed', 'registration-unseen'] as const),
  ...(['unlawful-terms', 'shifted-too-far', 'kept-back', 'overdue', 'reduced', 'fee-of-unknown'] as const),
  ...([
    'tax-treatment-unconfirmed',
    'total-unusual',
    'total-paid-unusual',
    'agreements-unusual',
    'agreements-paid-unusual',
    'invariant-violated',
  ] as const),
  ...(['statement-settings', 'statement-incomplete', 'fee-unknown', 'fee-prices-missing', 'same-person'] as const),
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** What one check of the board found. */
export interface Finding {
  readonly state: CheckState
  /** Empty: nothing is wrong. */
  readonly kinds: readonly FindingKind[]
  /** Japanese: what was found, and what to do. */
  readonly detail: string
  /** Address within the console where it can be resolved; null when there is nothing to do. */
  readonly link: string | null
  /** Set when the finding can be acknowledged: describes exactly what was found, so that another finding differs. */
  readonly subject?: string
}

/** Tested by `features/payments/month-close/server/close-rules.test.ts`. */
export const green = (detail: string): Finding => ({ state: 'green', kinds: [], detail, link: null })
export const red = (kind: FindingKind, detail: string, link: string | null): Finding => ({
  ...{ state: 'red', kinds: [kind], detail, link },
})
export const waiting = (detail: string): Finding => ({ state: 'waiting', kinds: [], detail, link: null })
export const amber = (kind: FindingKind, detail: string, link: string | null, subject?: string): Finding => ({
  ...{ state: 'amber', kinds: [kind], detail, link },
  ...(subject !== undefined && { subject }),
})

/**
 * The findings of one check as one: its text names all of them, and they are acknowledged together. If one of them cannot
 * be acknowledged, none can.
 * @param otherwise the result when nothing was found
 */
export function combineFindings(found: readonly Finding[], otherwise: Finding): Finding {
  const [first] = found
  if (!first) return otherwise
  const { state, link } = found.find(each => each.state === 'red') ?? first
  const kinds = found.flatMap(each => each.kinds)
  const detail = found.map(each => each.detail).join('')
  const subjects = found.map(each => each.subject)
  const canBeAcknowledged = subjects.every(subject => subject !== undefined)
  return { state, kinds, detail, link, ...(canBeAcknowledged && { subject: subjects.join('\n\n') }) }
}

/** Adds など when there are more than the one that the text names. */
export const exampleText = (text: string, count: number) => (count > 1 ? `${text}など` : text)
