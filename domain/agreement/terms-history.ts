import { addMonths, type YearMonth } from '../month/year-month.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'

/** A value that holds from a month on, until a later version replaces it. */
export interface Version<T> {
  readonly validFromMonth: YearMonth
  readonly value: T
}
/** Versions of one thing, in any order; at most one per month. */
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

/** The value in force in a month; undefined before the first version. */
export function valueAsOf<T>(history: History<T>, month: YearMonth): T | undefined {
  return versionAsOf(history, month)?.value
}

/**
 * The history with one more version; a version of the same month is replaced. A finalised month cannot be changed: the
 * refusal names the first open month, in which a correction belongs.
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

/** Versions that begin after `month`, oldest first. */
export function comingVersions<T>(history: History<T>, month: YearMonth): History<T> {
  return history
    .filter(version => version.validFromMonth > month)
    .toSorted((a, b) => a.validFromMonth - b.validFromMonth)
}

/**
 * The fields of a form that change when the user picks another month. A field that still holds the value in force in
 * the month before takes the value of the new month; what the user has entered stays.
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

/** Before the first version, the first version's value applies. */
function inForceOrFirst<T>(history: History<T>, month: YearMonth): T | undefined {
  return valueAsOf(history, month) ?? comingVersions(history, month)[0]?.value
}
