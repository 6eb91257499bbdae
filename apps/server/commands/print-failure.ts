/** Wrong usage of a command. The message may be empty; the usage text is printed after it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const WRONG_USAGE = 2
const FAILED = 1

/**
 * Prints to stderr why a command failed and returns its exit code.
 * @param isExpected whether the error's message is meant for the person; other errors are faults and print their stack
 */
export function printFailure(
  error: Error & { readonly code?: string },
  usage: string,
  isExpected: (error: Error) => boolean,
): number {
  if (!(error instanceof UsageError) && !error.code?.startsWith('ERR_PARSE_ARGS')) {
    console.error(isExpected(error) ? error.message : error)
    return FAILED
  }
  console.error([error.message, usage].filter(Boolean).join('\n'))
  return WRONG_USAGE
}
