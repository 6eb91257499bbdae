/** A command that was called wrongly; the message may be empty, how it is called follows. */
export class UsageError extends Error {}

const WRONG_USAGE = 2
const FAILED = 1

/**
 * Says on stderr why a command ended, and answers with its exit code.
 * @param isExpected whether an error's message is meant for the person; everything else is a fault, with its stack
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
