import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from './http-error.ts'
import { parseJson, storable } from './parse-json.ts'
import { securityHeaders } from './security-headers.ts'

/**
 * CSRF protection: the body must be declared as JSON, which an HTML form cannot send, and the browser must name our own
 * origin.
 * @throws HttpError 403 or 415
 */
export function requireSameOriginJson(req: IncomingMessage, webOrigin: string): void {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpError(415, 'content-type-not-json')
  const { origin } = req.headers
  const site = req.headers['sec-fetch-site']
  const isOwn = origin === undefined ? site === 'same-origin' : origin === webOrigin
  if (!isOwn || (site !== undefined && site !== 'same-origin')) throw new HttpError(403, 'origin-not-allowed')
}

/**
 * The JSON object in the body, with texts that the database can store (see {@link storable}).
 * @throws HttpError for a body that is too large or not a JSON object
 */
export async function readJsonObject(
  req: IncomingMessage,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new HttpError(413, 'body-too-large', { data: { max: maxBytes } })
    chunks.push(chunk)
  }
  const parsed = storable(parseJson(textOf(Buffer.concat(chunks))))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new HttpError(400, 'body-not-object')
  return parsed as Record<string, unknown>
}

/** @throws HttpError */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new HttpError(400, 'body-not-json')
  }
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
