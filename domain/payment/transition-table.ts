import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'

/** Allowed transitions: state → event → next state. An event that is missing is not allowed in that state. */
export type TransitionTable<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>

export type TransitionRefusal = Refusal<'state/transition-not-allowed'>

/** Tested by `domain/payment/manual-operation.test.ts`. */
export function nextState<State extends string, Event extends string>(
  table: TransitionTable<State, Event>,
  state: State,
  event: Event,
): Result<State, TransitionRefusal> {
  const next = table[state][event]
  return next === undefined ? refused(refusal('state/transition-not-allowed', [], { state, event })) : ok(next)
}
