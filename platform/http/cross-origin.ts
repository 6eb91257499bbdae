import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'

export interface CrossOriginRules {
  /** The exact origins of our own applications. */
  readonly origins: readonly string[]
}

const PREFLIGHT_SECONDS = '7200'

/**
 * CORS: only our own applications may call an API with credentials. A request from another origin is refused before its
 * body is read, including simple requests without a preflight. Requests without an Origin header do not come from pages
 * and are allowed.
 * Tested by `apps/server/api-edge.test.ts`.
 * @returns true when the request was a preflight and has been answered
 * @throws HttpError 403 for another origin
 */
export function answerCrossOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  rules: CrossOriginRules,
): boolean {
  response.setHeader('vary', 'Origin')
  const origin = request.headers.origin
  if (origin !== undefined && !rules.origins.includes(origin)) throw new HttpError(403, 'origin-not-allowed')
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-credentials', 'true')
    response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, x-error-code')
  }
  if (request.method !== 'OPTIONS') return false
  if (origin !== undefined) {
    response.setHeader('access-control-allow-methods', 'POST')
    response.setHeader('access-control-allow-headers', 'authorization, content-type, x-client-version')
    response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  }
  response.writeHead(204).end()
  return true
}

/** The configured origin. On one machine also its alias, because `localhost` and `127.0.0.1` are different origins. */
export function allowedOrigins(webOrigin: string, isOnLoopback: boolean): string[] {
  const url = new URL(webOrigin)
  if (!isOnLoopback || !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return [webOrigin]
  const port = url.port === '' ? '' : `:${url.port}`
  return [...new Set([webOrigin, `${url.protocol}//localhost${port}`, `${url.protocol}//127.0.0.1${port}`])]
}
