import { addDays, type Day, daysBetween } from '../month/day.ts'
import { tokyoDayOf } from '../month/tokyo-day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { STATEMENT_TRANSITIONS, type StatementEvent, type StatementState } from '../payment/payment-states.ts'
import { nextState, type TransitionRefusal } from '../payment/transition-table.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'

/** Who did it, from which network address and when: the evidence that the law requires. */
export interface ConfirmationActor {
  readonly uid: string
  readonly ipAddress: string
  readonly atMs: number
}

/** One line of the log; nothing is ever changed or removed. */
export interface ConfirmationRecord {
  readonly event: StatementEvent
  /** The hash of the statement that the person saw. */
  readonly statementHash: string
  readonly atMs: number
  /** Null when the rule about silence confirmed it. */
  readonly actor: ConfirmationActor | null
  /** Objections may, answers must carry a text; objections say what is wrong with which line. */
  readonly text: string | null
  readonly lines: readonly ObjectedLine[]
  /** What an objection led to: the statement stands, or a later month corrects it. */
  readonly resolution: Resolution | null
  /** The month whose adjustment is the answer; null unless the resolution is `adjusted_later`. */
  readonly adjustmentMonth: YearMonth | null
}

/** A line of the statement by its label, and what the payee says about it. */
export interface ObjectedLine {
  readonly label: string
  readonly reason: string
}

export const RESOLUTIONS = ['upheld', 'adjusted_later'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** Characters of an objection, of each of its lines, and of an answer. */
export const MAX_ANSWER_TEXT = 1_000

export interface StatementConfirmation {
  readonly state: StatementState
  readonly statementHash: string
  /** The month whose revenue it states; what corrects it is a later one. */
  readonly month: YearMonth
  readonly lineLabels: readonly string[]
  readonly deemedOn: Day
  readonly log: readonly ConfirmationRecord[]
}

export type ConfirmationRefusal =
  | TransitionRefusal
  | Refusal<
      | 'statement/hash-differs'
      | 'statement/not-yet-deemed'
      | 'statement/reason-missing'
      | 'statement/reason-too-long'
      | 'statement/line-unknown'
      | 'statement/adjustment-month-wrong'
    >

export type ConfirmationResult = Result<StatementConfirmation, ConfirmationRefusal>

/** @internal Tests call it. */
export function issued(of: Omit<StatementConfirmation, 'state' | 'log'>): StatementConfirmation {
  return { ...of, state: 'issued', log: [] }
}

/**
 * The payee confirms the statement.
 * @param seenHash the hash of the text that the payee saw; another text than the current one is refused
 */
export function applyConfirmation(
  now: StatementConfirmation,
  seenHash: string,
  actor: ConfirmationActor,
): ConfirmationResult {
  if (seenHash !== now.statementHash) return refused(refusal('statement/hash-differs'))
  return recorded(now, { event: 'confirm', actor, atMs: actor.atMs })
}

/** Silence counts from the day after the one printed on the statement, in Asia/Tokyo. */
export function autoConfirm(now: StatementConfirmation, atMs: number): ConfirmationResult {
  if (tokyoDayOf(atMs) <= now.deemedOn) {
    return refused(refusal('statement/not-yet-deemed', [], { deemedOn: now.deemedOn }))
  }
  return recorded(now, { event: 'deem', actor: null, atMs })
}

/**
 * The last day on which the payee can answer before silence confirms. It is the printed day, or later when the payee was
 * notified late: the payee always has the days from issue to the printed day. Null: nobody was notified, so silence
 * confirms nothing.
 */
export function autoConfirmedOn(issuedOn: Day, deemedOn: Day, notifiedOn: Day | null): Day | null {
  if (notifiedOn === null) return null
  const later = addDays(notifiedOn, daysBetween(issuedOn, deemedOn))
  return later > deemedOn ? later : deemedOn
}

/** Staff records how it was sent, by post for example: the payee has no user who could be notified. */
export function applySending(now: StatementConfirmation, actor: ConfirmationActor, how: string): ConfirmationResult {
  const text = how.trim()
  if (text === '') return refused(refusal('statement/reason-missing', ['how']))
  if (isTooLong(text)) return refused(refusal('statement/reason-too-long', ['how'], { max: MAX_ANSWER_TEXT }))
  return recorded(now, { event: 'send', actor, atMs: actor.atMs, text })
}

/**
 * The payee objects: to single lines with a reason each, to the whole with a text, or both. The snapshot stays as it is.
 * The payment is under inquiry until the objection is resolved.
 */
export function applyObjection(
  now: StatementConfirmation,
  seenHash: string,
  actor: ConfirmationActor,
  objection: { readonly text: string; readonly lines: readonly ObjectedLine[] },
): ConfirmationResult {
  if (seenHash !== now.statementHash) return refused(refusal('statement/hash-differs'))
  const text = objection.text.trim()
  const lines = objection.lines.map(({ label, reason }) => ({ label, reason: reason.trim() }))
  if (text === '' && lines.length === 0) return refused(refusal('statement/reason-missing', ['text']))
  if (isTooLong(text)) return refused(refusal('statement/reason-too-long', ['text'], { max: MAX_ANSWER_TEXT }))
  for (const [index, { label, reason }] of lines.entries()) {
    const path = ['lines', index]
    const isTwice = lines.findIndex(line => line.label === label) !== index
    if (!now.lineLabels.includes(label) || isTwice) {
      return refused(refusal('statement/line-unknown', [...path, 'label'], { label }))
    }
    if (reason === '') return refused(refusal('statement/reason-missing', [...path, 'reason']))
    if (isTooLong(reason))
      return refused(refusal('statement/reason-too-long', [...path, 'reason'], { max: MAX_ANSWER_TEXT }))
  }
  return recorded(now, { event: 'object', actor, atMs: actor.atMs, text: text === '' ? null : text, lines })
}

/** The payee takes its objection back, before it is answered: the statement waits for its confirmation as before. */
export function applyWithdrawal(now: StatementConfirmation, actor: ConfirmationActor): ConfirmationResult {
  return recorded(now, { event: 'withdraw', actor, atMs: actor.atMs })
}

/** The answer to an objection. Money is only ever corrected by an adjustment in a later month. */
export function applyAnswer(
  now: StatementConfirmation,
  actor: ConfirmationActor,
  answer: {
    readonly text: string
    readonly resolution: Resolution
    readonly adjustmentMonth: YearMonth | null
  },
): ConfirmationResult {
  const text = answer.text.trim()
  const { resolution, adjustmentMonth } = answer
  if (text === '') return refused(refusal('statement/reason-missing', ['text']))
  if (isTooLong(text)) return refused(refusal('statement/reason-too-long', ['text'], { max: MAX_ANSWER_TEXT }))
  const isMonthRight =
    resolution === 'adjusted_later' ? adjustmentMonth !== null && adjustmentMonth > now.month : adjustmentMonth === null
  if (!isMonthRight) return refused(refusal('statement/adjustment-month-wrong', ['adjustmentMonth']))
  return recorded(now, { event: 'resolve', actor, atMs: actor.atMs, text, resolution, adjustmentMonth })
}

/** A new revision replaces the statement. Its state then never changes again, and the document is kept. */
export function applyReplacement(
  now: StatementConfirmation,
  actor: ConfirmationActor,
  reason: string,
): ConfirmationResult {
  const text = reason.trim()
  if (text === '') return refused(refusal('statement/reason-missing', ['reason']))
  if (isTooLong(text)) return refused(refusal('statement/reason-too-long', ['reason'], { max: MAX_ANSWER_TEXT }))
  return recorded(now, { event: 'replace', actor, atMs: actor.atMs, text })
}

function isTooLong(text: string): boolean {
  return text.length > MAX_ANSWER_TEXT
}

/** How it was confirmed; null while it is not. */
export function confirmationMethod(now: StatementConfirmation): 'explicit' | 'deemed' | null {
  if (now.state !== 'confirmed') return null
  return now.log.at(-1)?.event === 'deem' ? 'deemed' : 'explicit'
}

function recorded(
  now: StatementConfirmation,
  record: Pick<ConfirmationRecord, 'event' | 'actor' | 'atMs'> & Partial<ConfirmationRecord>,
): ConfirmationResult {
  const next = nextState(STATEMENT_TRANSITIONS, now.state, record.event)
  if (!next.ok) return next
  const line: ConfirmationRecord = {
    statementHash: now.statementHash,
    text: null,
    lines: [],
    resolution: null,
    adjustmentMonth: null,
    ...record,
  }
  return ok({ ...now, state: next.value, log: [...now.log, line] })
}
