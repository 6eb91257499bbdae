import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'
import { securityHeaders } from './security-headers.ts'

/** Why a request was not even looked at. */
export class BadRequest extends HttpError {
  override name = 'BadRequest'
}

/**
 * Refuses what another site's page can send: the body must be declared as JSON (which a form cannot), and the browser
 * must say that the request comes from our own origin.
 * @throws BadRequest
 */
export function requireSameOriginJson(req: IncomingMessage, webOrigin: string): void {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new BadRequest(415, 'content-type-not-json')
  const { origin } = req.headers
  const site = req.headers['sec-fetch-site']
  const isOwn = origin === undefined ? site === 'same-origin' : origin === webOrigin
  if (!isOwn || (site !== undefined && site !== 'same-origin')) throw new BadRequest(403, 'origin-not-allowed')
}

/**
 * The JSON object in the body.
 * @throws BadRequest
 */
export async function readJsonObject(
  req: IncomingMessage,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new BadRequest(413, 'body-too-large', { data: { max: maxBytes } })
    chunks.push(chunk)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new BadRequest(400, 'body-not-json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new BadRequest(400, 'body-not-object')
  return parsed as Record<string, unknown>
}

export function answerJson(res: ServerResponse, webOrigin: string, status: number, body: unknown): void {
  if (res.headersSent) return // timed out meanwhile
  const headers = {
    ...securityHeaders({ kind: 'json', webOrigin }),
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  }
  res.writeHead(status, headers).end(JSON.stringify(body))
}
