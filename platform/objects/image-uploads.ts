import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import { HttpError } from '../http/http-error.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { bucketObjects } from './bucket-objects.ts'
import { folderObjects } from './folder-objects.ts'
import { IMAGE_FORMATS, type ImageFormat } from './image-format.ts'
import type { ObjectStore } from './object-store.ts'
import { encodePicture, MAX_IMAGE_BYTES, type Reencoded, reencodeImage } from './reencode-image.ts'
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

/** Path of the web listener for uploads and downloads of pictures. */
const MOUNT = '/objects/'
const UPLOAD = new RegExp(`^uploads/([0-9a-f-]{36})\\.(${IMAGE_FORMATS.join('|')})$`)
const IMAGE = new RegExp(`^images/([0-9a-f-]{36})\\.(${IMAGE_FORMATS.join('|')})$`)

export interface ImageUploadAddress {
  /** Accepts one PUT with exactly the requested content type (and size) within five minutes. */
  readonly uploadUrl: string
  /** URL of the picture after the upload. */
  readonly imageUrl: string
}

/** RGB pixels row by row, three bytes each. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

export interface ImageUploads {
  readonly maxBytes: number
  /** @param sizeBytes exact size, when known; otherwise anything up to {@link MAX_IMAGE_BYTES} */
  address(format: ImageFormat, sizeBytes: number | undefined): Promise<ImageUploadAddress>
  /**
   * Stores a picture that the system has drawn. An existing picture of that name (a UUID) is not replaced.
   * @returns its path on the web listener
   */
  keep(name: string, picture: Picture): Promise<string>
  /** Answers requests below `/objects/`; false for all others. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

export interface ImageUploadsOptions {
  readonly dataDir: string
  readonly webOrigin: string
  /** S3 bucket; undefined: a folder below `dataDir`. */
  readonly objectsUrl: string | undefined
  readonly clock: Clock
  /** Malware scanner, asked before a picture is decoded; undefined: the operator runs none. */
  readonly scanFile?: ScanFile | undefined
}

/**
 * Pictures that people upload. The upload URL is signed and valid for one file of one format; the picture is checked,
 * decoded and encoded again before anybody can download it.
 */
export function openImageUploads(options: ImageUploadsOptions): ImageUploads {
  const { dataDir, webOrigin, objectsUrl, clock, scanFile } = options
  const folder = path.join(dataDir, 'objects')
  const store = objectsUrl === undefined ? folderObjects(folder) : bucketObjects(objectsUrl)
  const signatures = uploadSigner(folder)
  const headers = securityHeaders({ kind: 'asset', webOrigin })
  const imageUrlOf = (name: string) => `${webOrigin}${MOUNT}images/${name}`
  return {
    maxBytes: MAX_IMAGE_BYTES,
    async address(format, sizeBytes) {
      const name = `${randomUUID()}.${format}`
      const contentType = `image/${format}`
      const upload = { contentType, sizeBytes, expiresInSeconds: UPLOAD_EXPIRES_IN_SECONDS }
      const presigned = await store.presignPut(`uploads/${name}`, upload)
      if (presigned !== undefined) return { uploadUrl: presigned, imageUrl: imageUrlOf(name) }
      const url = new URL(`${MOUNT}uploads/${name}`, webOrigin)
      url.search = signatureQuery(signatures, name, sizeBytes, clock)
      return { uploadUrl: url.href, imageUrl: imageUrlOf(name) }
    },
    async keep(name, picture) {
      await store.create(`images/${name}.webp`, await encodePicture(picture), 'image/webp')
      return `${MOUNT}images/${name}.webp`
    },
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://x')
      if (!url.pathname.startsWith(MOUNT)) return false
      const key = url.pathname.slice(MOUNT.length)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      const upload = UPLOAD.exec(key)
      const image = IMAGE.exec(key)
      if (upload && request.method === 'PUT' && objectsUrl === undefined) {
        const sizeBytes = demandSignature(url, `${upload[1]}.${upload[2]}`, signatures, clock)
        await takeIn(request, response, {
          store,
          sizeBytes,
          format: upload[2] as ImageFormat,
          id: upload[1] ?? '',
          imageUrlOf,
          scanFile,
        })
      } else if (image && (request.method === 'GET' || request.method === 'HEAD')) {
        await answerImage(request, response, {
          store,
          key,
          format: image[2] as ImageFormat,
          isBucket: objectsUrl !== undefined,
          scanFile,
        })
      } else throw new HttpError(404, 'not-found')
      return true
    },
  }
}

interface Upload {
  readonly store: ObjectStore
  readonly sizeBytes: number | undefined
  readonly format: ImageFormat
  readonly id: string
  readonly imageUrlOf: (name: string) => string
  readonly scanFile: ScanFile | undefined
}

async function takeIn(request: IncomingMessage, response: ServerResponse, upload: Upload): Promise<void> {
  const { store, sizeBytes, format, id } = upload
  const limit = demandSize(request, sizeBytes, `image/${format}`, MAX_IMAGE_BYTES)
  const name = `${id}.${format}`
  if (await store.read(`images/${name}`)) throw new HttpError(409, 'upload-used', { headers: { connection: 'close' } })
  const bytes = await readBytes(request, limit)
  if (await isInfected(bytes, upload.scanFile))
    return answerJson(response, 422, { problem: 'infected', message: INFECTED_JA })
  const reencoded = await reencodeImage(bytes, format)
  if (!reencoded.ok)
    return answerJson(response, 422, { problem: reencoded.problem, message: PROBLEMS_JA[reencoded.problem] })
  const isFirst = await store.create(`images/${name}`, reencoded.bytes, `image/${format}`).catch(reportFullDisk)
  if (!isFirst) throw new HttpError(409, 'upload-used')
  answerJson(response, 201, { imageUrl: upload.imageUrlOf(name) })
}

/** @throws HttpError 503 when the scanner gives no verdict: unscanned files are not stored */
async function isInfected(bytes: Buffer, scanFile: ScanFile | undefined): Promise<boolean> {
  if (!scanFile) return false
  const verdict = await scanFile(bytes).catch(() => {
    throw new HttpError(503, 'no-scan', { headers: { 'retry-after': '30' } })
  })
  return verdict === 'infected'
}

const INFECTED_JA = 'このファイルは安全ではないため、受け付けられません。別の画像を選んでください。'

const PROBLEMS_JA: Readonly<Record<Exclude<Reencoded, { ok: true }>['problem'], string>> = {
  'not-the-type': '画像の形式が選んだものと違います。PNG・JPEG・WebPのいずれかの画像を選んでください。',
  unreadable: '画像を読み取れません。別の画像を選んでください。',
  'too-many-pixels': '画像の縦横が大きすぎます。2,500万画素までの画像を選んでください。',
}

interface Wanted {
  readonly store: ObjectStore
  readonly key: string
  readonly format: ImageFormat
  readonly isBucket: boolean
  readonly scanFile: ScanFile | undefined
}

async function answerImage(request: IncomingMessage, response: ServerResponse, wanted: Wanted): Promise<void> {
  const { store, key, format } = wanted
  const bytes = (await store.read(key)) ?? (wanted.isBucket ? await acceptFromBucket(wanted) : undefined)
  if (!bytes) throw new HttpError(404, 'not-found')
  response.writeHead(200, {
    'content-type': `image/${format}`,
    'content-length': bytes.length,
    'content-disposition': 'inline; filename="image"',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/**
 * Direct uploads to a bucket are checked at the first download. The result is stored under the final key and never
 * changes, although the signed upload URL remains valid for some minutes.
 */
async function acceptFromBucket({ store, key, format, scanFile }: Wanted): Promise<Buffer | undefined> {
  const uploadKey = key.replace('images/', 'uploads/')
  const sent = await store.readSent(uploadKey, MAX_IMAGE_BYTES)
  if (!sent) return undefined
  const mayBeRead = sent !== 'too-large' && !(await isInfected(sent, scanFile))
  const reencoded = mayBeRead ? await reencodeImage(sent, format) : undefined
  if (reencoded?.ok) await store.create(key, reencoded.bytes, `image/${format}`)
  await store.remove(uploadKey)
  // Another request may have accepted it first: its picture stays.
  return reencoded?.ok ? store.read(key) : undefined
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
