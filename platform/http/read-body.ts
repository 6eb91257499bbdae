import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

/** The whole body as UTF-8 text. @throws HttpError 413 as soon as it is larger, 400 when it is not UTF-8. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
    throw new HttpError(415, 'body-compressed')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  } catch {
    throw new HttpError(400, 'body-not-utf8')
  }
}

/**
 * Requires `application/json` in UTF-8. Pages of other origins cannot send it without a CORS preflight.
 * @throws HttpError 415
 */
export function demandJson(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map(one => one.trim()).find(one => one.startsWith('charset='))
  if (type.trim() !== 'application/json' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new HttpError(415, 'content-type-not-json', { headers: { accept: 'application/json' } })
  }
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, 'body-too-large', { data: { max: maxBytes }, headers: { connection: 'close' } })
}
