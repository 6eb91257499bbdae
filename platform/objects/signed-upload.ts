import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import { HttpError } from '../http/http-error.ts'
import { singleParameters } from '../http/single-parameters.ts'

export const UPLOAD_EXPIRES_IN_SECONDS = 300

/** The signed part of an upload URL: size, expiry and signature as a query string. */
export function signatureQuery(
  signer: UploadSigner,
  name: string,
  sizeBytes: number | undefined,
  clock: Clock,
): string {
  const expires = String(Math.floor(clock.now() / 1000) + UPLOAD_EXPIRES_IN_SECONDS)
  const signature = signer.sign(name, sizeBytes, expires)
  return String(new URLSearchParams({ size: String(sizeBytes ?? ''), expires, signature }))
}

/**
 * Checks the headers of an upload against what was signed.
 * @param size the signed size, see {@link demandSignature}
 * @returns the most bytes that may follow
 * @throws HttpError 411, 413, 415, or 400 when the size differs from the signed one
 */
export function demandSize(
  request: IncomingMessage,
  size: number | undefined,
  contentType: string,
  maxBytes: number,
): number {
  if (request.headers['content-type'] !== contentType)
    throw new HttpError(415, 'upload-type', { data: { type: contentType } })
  if (request.headers['content-encoding'] !== undefined) throw new HttpError(415, 'body-compressed')
  const announced = request.headers['content-length']
  if (announced === undefined) throw new HttpError(411, 'upload-length-missing', { headers: CLOSE })
  const limit = Math.min(size ?? maxBytes, maxBytes)
  if (Number(announced) > limit) throw tooLarge(limit)
  if (size !== undefined && announced !== String(size))
    throw new HttpError(400, 'upload-size-differs', { headers: CLOSE })
  return limit
}

/** The rest of the body stays unread, so the connection cannot be reused. */
const CLOSE = { connection: 'close' }

function tooLarge(max: number): HttpError {
  return new HttpError(413, 'upload-too-large', { data: { max }, headers: CLOSE })
}

/**
 * Turns a full disk into HttpError 503 and rethrows other errors. Nothing was stored, so the upload URL stays valid.
 */
export function reportFullDisk(error: unknown): never {
  if (!/^(ENOSPC|EDQUOT)$/.test(String((error as NodeJS.ErrnoException).code))) throw error
  throw new HttpError(503, 'no-space', { headers: { 'retry-after': '60' } })
}

/**
 * Verifies the signature of an upload URL.
 * @returns the signed size, if there is one
 * @throws HttpError 403 when the URL was forged, changed, or has expired
 */
export function demandSignature(url: URL, name: string, signatures: UploadSigner, clock: Clock): number | undefined {
  const { size, expires, signature } = singleParameters(url) ?? {}
  const sizeBytes = size === '' ? undefined : Number(size)
  const wanted = Buffer.from(signatures.sign(name, sizeBytes, expires ?? ''))
  const given = Buffer.from(signature ?? '')
  const isGenuine = wanted.length === given.length && timingSafeEqual(wanted, given)
  if (!isGenuine || Number(expires) * 1000 < clock.now()) {
    throw new HttpError(403, 'upload-expired', { headers: CLOSE })
  }
  return sizeBytes
}

export interface UploadSigner {
  sign(name: string, sizeBytes: number | undefined, expires: string): string
}

/** HMAC signer whose secret is a file beside the uploads, readable by the owner only and created at first use. */
export function uploadSigner(folder: string): UploadSigner {
  let secret: Buffer | undefined
  return {
    sign(name, sizeBytes, expires) {
      secret ??= readOrMakeSecret(path.join(folder, 'upload-secret'))
      const text = ['PUT', name, String(sizeBytes ?? ''), expires].join('\n')
      return createHmac('sha256', secret).update(text).digest('base64url')
    },
  }
}

function readOrMakeSecret(file: string): Buffer {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    fs.writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = fs.readFileSync(file)
  if (secret.length !== 32) throw new Error(`${file} is damaged: delete it, and a new one is made`)
  return secret
}

export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
