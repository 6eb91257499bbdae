import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { type RefusalCode, refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import type { Result } from '@pc/domain/result.ts'
import { GraphQLError } from 'graphql'

/**
 * The value of a use case. A refusal becomes one BAD_REQUEST error that a form can show at its fields; `isConflict`
 * marks refusals caused by a concurrent change.
 * @throws GraphQLError for a refusal
 */
export function acceptedValue<T>(result: Result<T, Refusal<RefusalCode>>): T {
  if (result.ok) return result.value
  throw refusalError(result.refusals)
}

/** A BAD_REQUEST error; the refusals, with codes and field paths, are in `extensions.refusals`. */
export function refusalError(refusals: readonly Refusal<RefusalCode>[]): GraphQLError {
  const described = refusals.map(one => ({ ...one, message: refusalMessageJa(one) }))
  return new GraphQLError(described.map(one => one.message).join('\n'), {
    extensions: {
      code: 'BAD_REQUEST',
      refusals: described,
      ...(refusals.every(one => CONFLICTS.has(one.code)) ? { isConflict: true } : {}),
    },
  })
}

/** Whether the error is a refusal with this code among its reasons. */
export function refusesWith(error: unknown, code: RefusalCode): boolean {
  const refusals = error instanceof GraphQLError ? error.extensions.refusals : undefined
  return Array.isArray(refusals) && refusals.some((one: Refusal<RefusalCode>) => one.code === code)
}

/** Refusals of valid input: a concurrent change was first. */
const CONFLICTS: ReadonlySet<RefusalCode> = new Set([
  'record/edited-by-other',
  'payment/draft-stale',
  'payment/changed-meanwhile',
  'payment/changed-while-closing',
  'transfer/preview-outdated',
  'statement/hash-differs',
  'question/value-changed',
])

/** Refuses a single argument. @throws GraphQLError (BAD_REQUEST) */
export function refuse(
  code: RefusalCode,
  path: readonly (string | number)[],
  data: Readonly<Record<string, string | number>> = {},
): never {
  throw refusalError([refusal(code, path, data)])
}
