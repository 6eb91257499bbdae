import type { Day } from '../month/day.ts'
import { tokyoDayOf } from '../month/tokyo-day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { STATEMENT_TRANSITIONS, type StatementEvent, type StatementState } from './payment-states.ts'
import { nextState, type TransitionRefusal } from './transition-table.ts'

/** Who did it, from where and when; the evidence that the law asks for. */
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
  /** Objections and answers carry a text; objections name the lines they are about. */
  readonly text: string | null
  readonly lineLabels: readonly string[]
  /** What an objection led to: the statement stands, or a later month corrects it. */
  readonly resolution: 'upheld' | 'adjusted_later' | null
}

export interface StatementConfirmation {
  readonly state: StatementState
  readonly statementHash: string
  readonly issuedOn: Day
  readonly deemedOn: Day
  readonly log: readonly ConfirmationRecord[]
}

export type ConfirmationRefusal =
  | TransitionRefusal
  | Refusal<'statement/hash-differs' | 'statement/not-yet-deemed' | 'statement/reason-missing'>

export type ConfirmationResult = Result<StatementConfirmation, ConfirmationRefusal>

export function issued(statementHash: string, issuedOn: Day, deemedOn: Day): StatementConfirmation {
  return { state: 'issued', statementHash, issuedOn, deemedOn, log: [] }
}

/** The payee says yes to the very text it saw. */
export function confirm(now: StatementConfirmation, seenHash: string, actor: ConfirmationActor): ConfirmationResult {
  if (seenHash !== now.statementHash) return refused(refusal('statement/hash-differs'))
  return recorded(now, { event: 'confirm', actor, atMs: actor.atMs })
}

/** Silence counts from the day after the one printed on the statement, in Asia/Tokyo. */
export function deem(now: StatementConfirmation, atMs: number): ConfirmationResult {
  if (tokyoDayOf(atMs) <= now.deemedOn) {
    return refused(refusal('statement/not-yet-deemed', [], { deemedOn: now.deemedOn }))
  }
  return recorded(now, { event: 'deem', actor: null, atMs })
}

/** The payee objects; the snapshot stays as it is, the payment is under inquiry until the objection is resolved. */
export function object(
  now: StatementConfirmation,
  seenHash: string,
  actor: ConfirmationActor,
  text: string,
  lineLabels: readonly string[],
): ConfirmationResult {
  if (seenHash !== now.statementHash) return refused(refusal('statement/hash-differs'))
  if (text.trim() === '') return refused(refusal('statement/reason-missing', ['input', 'text']))
  return recorded(now, { event: 'object', actor, atMs: actor.atMs, text, lineLabels })
}

export function resolve(
  now: StatementConfirmation,
  actor: ConfirmationActor,
  text: string,
  resolution: 'upheld' | 'adjusted_later',
): ConfirmationResult {
  if (text.trim() === '') return refused(refusal('statement/reason-missing', ['input', 'text']))
  return recorded(now, { event: 'resolve', actor, atMs: actor.atMs, text, resolution })
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
    lineLabels: [],
    resolution: null,
    ...record,
  }
  return ok({ ...now, state: next.value, log: [...now.log, line] })
}
