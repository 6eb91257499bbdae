import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpError } from './http-error.ts'

/**
 * Answers why a request is not served. Browsers that open the address get plain text, `/query` gets the error as
 * GraphQL does, all others get JSON with message and code.
 */
export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, headers }: Pick<HttpError, 'status' | 'code' | 'message' | 'headers'>,
): void {
  if (response.headersSent) return
  const isForPerson = /\btext\/html\b/.test(request.headers.accept ?? '')
  const body = Buffer.from(isForPerson ? `${message}\n` : JSON.stringify(bodyOf(request, status, code, message)))
  response.writeHead(status, {
    'content-type': isForPerson ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': body.length,
    'x-error-code': code,
    ...headers,
  })
  response.end(body)
}

function bodyOf(request: IncomingMessage, status: number, code: string, message: string): object {
  const isQuery = (request.url ?? '').split('?', 1)[0] === '/query'
  return isQuery
    ? { errors: [{ message, extensions: { code: graphqlCode(status), reason: code } }] }
    : { message, code }
}

/** The `code` that GraphQL clients expect for a status. */
function graphqlCode(status: number): string {
  if (status === 429) return 'TOO_MANY_REQUESTS'
  if (status === 503) return 'SERVICE_UNAVAILABLE'
  if (status >= 500) return 'INTERNAL_SERVER_ERROR'
  return status === 403 ? 'FORBIDDEN' : 'BAD_REQUEST'
}
