import { addMonths, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'

/** What holds from a month on, until a later version takes over. */
export interface Version<T> {
  readonly validFromMonth: YearMonth
  readonly value: T
}
/** Versions of one thing in any order; no month twice. */
export type History<T> = readonly Version<T>[]

export type TermsHistoryRefusal = Refusal<'agreement/valid-from-finalized'>

/** The version in force in `month`; undefined before the first one. */
export function versionAsOf<T>(history: History<T>, month: YearMonth): Version<T> | undefined {
  let found: Version<T> | undefined
  for (const version of history) {
    if (version.validFromMonth <= month && (!found || version.validFromMonth > found.validFromMonth)) found = version
  }
  return found
}

export function valueAsOf<T>(history: History<T>, month: YearMonth): T | undefined {
  return versionAsOf(history, month)?.value
}

/**
 * The history with one more version; a version of the same month is replaced. A month that is finalised cannot be
 * changed any more: the refusal names the first month that can (a correction belongs there).
 */
export function withVersion<T>(
  history: History<T>,
  version: Version<T>,
  lastFinalizedMonth: YearMonth | null,
): Result<History<T>, TermsHistoryRefusal> {
  if (lastFinalizedMonth !== null && version.validFromMonth <= lastFinalizedMonth) {
    return refused(
      refusal('agreement/valid-from-finalized', ['input', 'validFromMonth'], {
        validFromMonth: version.validFromMonth,
        firstOpenMonth: addMonths(lastFinalizedMonth, 1),
      }),
    )
  }
  const others = history.filter(each => each.validFromMonth !== version.validFromMonth)
  return ok([...others, version].toSorted((a, b) => a.validFromMonth - b.validFromMonth))
}

/** Versions that take over after `month`, oldest first. */
export function comingVersions<T>(history: History<T>, month: YearMonth): History<T> {
  return history
    .filter(version => version.validFromMonth > month)
    .toSorted((a, b) => a.validFromMonth - b.validFromMonth)
}

/**
 * What a form shows when another month is chosen: each field that still holds what is in force in the month before takes
 * what is in force in the new one; what somebody has entered stays. Only the fields that change are returned.
 */
export function fieldsOfMonth<T extends object>(
  history: History<T>,
  entered: T,
  months: { readonly before: YearMonth; readonly after: YearMonth },
): Partial<T> {
  const before = inForceOrFirst(history, months.before)
  const after = inForceOrFirst(history, months.after)
  if (!before || !after) return {}
  const names = Object.keys(after) as (keyof T)[]
  return Object.fromEntries(
    names
      .filter(name => Object.is(entered[name], before[name]) && !Object.is(before[name], after[name]))
      .map(name => [name, after[name]]),
  ) as Partial<T>
}

/** Before the first version its terms are those that a change is compared with. */
function inForceOrFirst<T>(history: History<T>, month: YearMonth): T | undefined {
  return valueAsOf(history, month) ?? comingVersions(history, month)[0]?.value
}
