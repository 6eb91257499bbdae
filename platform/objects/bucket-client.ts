import { setTimeout as pause } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { ObjectStoreError } from './object-store-error.ts'

interface Commands {
  readonly client: S3Client
  readonly sdk: typeof import('@aws-sdk/client-s3')
  readonly Bucket: string
}

export interface BucketClient {
  /** URL of the bucket without credentials, for messages. */
  readonly place: string
  /**
   * Runs S3 commands and retries when the bucket does not answer. Statuses about the object itself (404, 409, 412) are
   * thrown unchanged, see {@link statusOf}.
   * @throws ObjectStoreError for everything else
   */
  run<T>(work: (commands: Commands) => Promise<T>): Promise<T>
}

const CONNECT_TIMEOUT_MS = 3_000
const ATTEMPTS = 3
const FIRST_PAUSE_MS = 200

/**
 * Client of an S3-compatible bucket `https://KEY:SECRET@host/bucket?region=ap-northeast-1`. The library is imported at
 * first use, because most installations have no bucket. A connection without traffic for `silenceTimeoutMs` is closed.
 */
export function openBucket(objectsUrl: string, silenceTimeoutMs: number): BucketClient {
  const url = new URL(objectsUrl)
  const Bucket = url.pathname.replaceAll('/', '')
  const place = `${url.origin}/${Bucket}`
  let opening: Promise<Commands> | undefined
  return {
    place,
    async run(work) {
      opening ??= openClient(url, silenceTimeoutMs).then(opened => ({ ...opened, Bucket }))
      const commands = await opening
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(commands)
        } catch (error) {
          const status = statusOf(error)
          if (status === 404 || status === 409 || status === 412) throw error
          const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
          if (isFinal || attempt === ATTEMPTS) throw unavailable(place, status, error)
          await pause(FIRST_PAUSE_MS * 2 ** attempt)
        }
      }
    },
  }
}

async function openClient(url: URL, silenceTimeoutMs: number) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: url.origin,
    forcePathStyle: true,
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    // We retry ourselves: the library does not retry bodies that are streams, and warns about it on standard error.
    maxAttempts: 1,
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silenceTimeoutMs },
    // Not all compatible stores support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, sdk }
}

const ignore = () => {}

/** HTTP status of an S3 error; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

function unavailable(place: string, status: number | undefined, cause: unknown): ObjectStoreError {
  if (cause instanceof ObjectStoreError) return cause
  const said = status === undefined ? (cause as Error).message : `${status} ${(cause as Error).name}`
  return new ObjectStoreError(`OBJECTS_URL: ${place} cannot be used (${said})`, { cause })
}
