import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import { HttpError } from '../http/http-error.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { bucketObjects } from './bucket-objects.ts'
import { folderObjects } from './folder-objects.ts'
import { isPdf } from './pdf-format.ts'
import type { ScanFile } from './scan-file.ts'
import {
  demandSignature,
  demandSize,
  readBytes,
  reportFullDisk,
  signatureQuery,
  UPLOAD_EXPIRES_IN_SECONDS,
  uploadSigner,
} from './signed-upload.ts'

/** Path of the web listener for uploads. Documents cannot be downloaded from it. */
const MOUNT = '/documents/'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
const TYPE = 'application/pdf'

export interface DocumentUploads {
  readonly maxBytes: number
  /**
   * Reserves an upload: one PUT of exactly this size within five minutes. `uploadId` is the name for {@link accept}.
   */
  address(sizeBytes: number): Promise<{ readonly uploadUrl: string; readonly uploadId: string }>
  /** Answers requests below `/documents/`; false for all others. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Checks an upload and stores it permanently. Idempotent: a repetition returns the same result. */
  accept(uploadId: string): Promise<AcceptedDocument>
  read(key: string): Promise<Buffer | undefined>
}

export type AcceptedDocument =
  | { readonly ok: true; readonly key: string; readonly sizeBytes: number; readonly sha256: string }
  | { readonly ok: false; readonly problem: 'not-sent' | 'not-a-pdf' | 'too-large' | 'infected' | 'not-scanned' }

export interface DocumentUploadsOptions {
  readonly dataDir: string
  readonly webOrigin: string
  /** S3 bucket; undefined: a folder below `dataDir`, shared with the pictures. */
  readonly objectsUrl: string | undefined
  readonly clock: Clock
  /** Malware scanner, asked before a document is stored; undefined: the operator runs none. */
  readonly scanFile?: ScanFile | undefined
}

/**
 * PDF documents that people upload. Like pictures they are sent to a signed URL, but they are stored unchanged and have
 * no download URL: each feature checks permissions and reads the bytes itself.
 */
export function openDocumentUploads({
  dataDir,
  webOrigin,
  objectsUrl,
  clock,
  scanFile,
}: DocumentUploadsOptions): DocumentUploads {
  const folder = path.join(dataDir, 'objects')
  const store = objectsUrl === undefined ? folderObjects(folder) : bucketObjects(objectsUrl)
  const signer = uploadSigner(folder)
  const headers = securityHeaders({ kind: 'json', webOrigin })
  return {
    maxBytes: MAX_DOCUMENT_BYTES,
    async address(sizeBytes) {
      const uploadId = randomUUID()
      const name = `${uploadId}.pdf`
      const upload = { contentType: TYPE, sizeBytes, expiresInSeconds: UPLOAD_EXPIRES_IN_SECONDS }
      const presigned = await store.presignPut(`uploads/${name}`, upload)
      if (presigned !== undefined) return { uploadUrl: presigned, uploadId }
      const url = new URL(`${MOUNT}${name}`, webOrigin)
      url.search = signatureQuery(signer, name, sizeBytes, clock)
      return { uploadUrl: url.href, uploadId }
    },
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://x')
      if (!url.pathname.startsWith(MOUNT)) return false
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      const name = url.pathname.slice(MOUNT.length)
      const isName = name.endsWith('.pdf') && UUID.test(name.slice(0, -4))
      if (!isName || request.method !== 'PUT' || objectsUrl !== undefined) throw new HttpError(404, 'not-found')
      const sizeBytes = demandSignature(url, name, signer, clock)
      const bytes = await readBytes(request, demandSize(request, sizeBytes, TYPE, MAX_DOCUMENT_BYTES))
      if (!isPdf(bytes)) return answer(response, 422, { message: NOT_A_PDF_JA })
      const isFirst = await store.create(`uploads/${name}`, bytes, TYPE).catch(reportFullDisk)
      if (!isFirst) throw new HttpError(409, 'upload-used')
      return answer(response, 201, {})
    },
    async accept(uploadId) {
      if (!UUID.test(uploadId)) return { ok: false, problem: 'not-sent' }
      const key = `documents/${uploadId}.pdf`
      const known = await store.read(key)
      const sent = known ?? (await store.readSent(`uploads/${uploadId}.pdf`, MAX_DOCUMENT_BYTES))
      if (!sent) return { ok: false, problem: 'not-sent' }
      if (sent === 'too-large') return { ok: false, problem: 'too-large' }
      // With a bucket the upload went there directly, and no server has looked at it.
      if (!isPdf(sent)) return { ok: false, problem: 'not-a-pdf' }
      if (!known && scanFile) {
        const verdict = await scanFile(sent).catch(() => undefined)
        if (verdict === 'infected') await store.remove(`uploads/${uploadId}.pdf`)
        if (verdict !== 'clean') return { ok: false, problem: verdict ?? 'not-scanned' }
      }
      await store.create(key, sent, TYPE)
      // Another request may have accepted the same upload first: its bytes stay.
      const kept = (await store.read(key)) ?? sent
      await store.remove(`uploads/${uploadId}.pdf`)
      return { ok: true, key, sizeBytes: kept.length, sha256: createHash('sha256').update(kept).digest('hex') }
    },
    read: key => store.read(key),
  }
}

const NOT_A_PDF_JA = 'PDFではないファイルです。PDFとして保存したファイルを選んでください。'

function answer(response: ServerResponse, status: number, body: object): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
  return true
}
