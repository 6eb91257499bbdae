/** The stable code for an HTTP status where nothing more specific is known. */
export function codeOfStatus(status: number): string {
  return CODES.get(status) ?? (status >= 500 ? 'fault' : 'refused')
}

const CODES: ReadonlyMap<number, string> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'method-not-allowed'],
  [409, 'conflict'],
  [413, 'body-too-large'],
  [415, 'content-type-not-accepted'],
  [422, 'content-refused'],
  [429, 'too-many'],
  [503, 'busy'],
])
