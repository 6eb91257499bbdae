import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { isTooLarge, TOO_LARGE } from '../feedback/too-large-request.ts'

/** A refusal as the APIs send it (`extensions.refusals`), with its Japanese text. */
export interface SentRefusal {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly data: Readonly<Record<string, string | number>>
  readonly message: string
}

/** A problem of one field; of the whole form when the name is empty. */
export interface FieldProblem {
  readonly name: string
  readonly message: string
}

/**
 * Every refusal of a failed call, including a request that is too large; empty when the call failed for another reason.
 */
export function refusalsOf(error: unknown): SentRefusal[] {
  if (isTooLarge(error)) return [{ code: 'http/too-large', path: [], data: {}, message: TOO_LARGE }]
  if (!CombinedGraphQLErrors.is(error)) return []
  return error.errors.flatMap(({ extensions }) => {
    const sent: unknown = extensions?.refusals
    return Array.isArray(sent) ? sent.filter(isRefusal) : []
  })
}

function isRefusal(value: unknown): value is SentRefusal {
  return typeof value === 'object' && value !== null && 'code' in value && 'path' in value && 'message' in value
}

/**
 * The field of a refusal: its path without the name of the argument, `['input', 'name']` → `name`. The longest prefix
 * that is a field of the form wins, so that `accounts.0.bankAccountId.x` still finds its field.
 */
export function fieldOfPath(path: readonly (string | number)[], isField: (name: string) => boolean): string {
  for (const from of [1, 0]) {
    for (let to = path.length; to > from; to -= 1) {
      const name = path.slice(from, to).join('.')
      if (isField(name)) return name
    }
  }
  return ''
}
