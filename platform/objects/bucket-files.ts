import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BucketClient, openBucket, statusOf } from './bucket-client.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import { ObjectStoreError } from './object-store-error.ts'

const CHUNKS = { highWaterMark: 1024 * 1024 }
/** Storing a large object may take a store this long without sending a byte. */
const SILENCE_TIMEOUT_MS = 30_000
/** A download that breaks off this often without a further byte is given up. */
const ATTEMPTS = 3

/**
 * Large files below a prefix of a bucket, streamed in both directions. After an upload the object is read back and
 * compared.
 * Tested by `platform/objects/file-store.test.ts`.
 */
export function bucketFiles(objectsUrl: string, prefix: string, silenceTimeoutMs = SILENCE_TIMEOUT_MS): FileStore {
  const bucket = openBucket(objectsUrl, silenceTimeoutMs)
  const fullKey = (key: string) => `${prefix}/${key}`
  const read = async (key: string) => {
    const chunks = readThrough(bucket, fullKey(key))
    // Read the first chunk now: it shows whether the object exists.
    const first = await chunks.next()
    return first.done && !first.value ? undefined : Readable.from(withFirst(first, chunks), { objectMode: false })
  }
  return {
    place: `${bucket.place}/${prefix}/`,
    async keep(key, file) {
      const given = await digestsOf(fs.createReadStream(file, CHUNKS))
      const { size } = fs.statSync(file)
      await bucket.run(async ({ client, sdk, Bucket }) => {
        const Body = fs.createReadStream(file, CHUNKS)
        try {
          const more = { Body, ContentLength: size, ContentMD5: given.md5, ContentType: 'application/octet-stream' }
          await client.send(new sdk.PutObjectCommand({ Bucket, Key: fullKey(key), ...more }))
        } finally {
          Body.destroy()
        }
        const kept = await digestsOf(readThrough(bucket, fullKey(key)))
        if (kept.sha256 !== given.sha256)
          throw new ObjectStoreError(`${bucket.place}/${fullKey(key)} is not what was put in`)
      })
    },
    async copyTo(key, file) {
      const stream = await read(key)
      if (!stream) return false
      await pipeline(stream, fs.createWriteStream(file, { flags: 'wx', mode: 0o600 }))
      return true
    },
    read,
    async find(key) {
      try {
        const head = await bucket.run(({ client, sdk, Bucket }) =>
          client.send(new sdk.HeadObjectCommand({ Bucket, Key: fullKey(key) })),
        )
        return { key, size: head.ContentLength ?? 0, storedAtMs: head.LastModified?.getTime() ?? 0 }
      } catch (error) {
        if (statusOf(error) === 404) return undefined
        throw error
      }
    },
    async list(below) {
      const found: StoredFile[] = []
      for (let token: string | undefined; ; ) {
        const page = await bucket.run(({ client, sdk, Bucket }) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: fullKey(below), ContinuationToken: token })),
        )
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
          found.push({ key: Key.slice(prefix.length + 1), size: Size, storedAtMs: LastModified?.getTime() ?? 0 })
        token = page.NextContinuationToken
        if (!page.IsTruncated || token === undefined) return found
      }
    },
    async remove(key) {
      await bucket.run(({ client, sdk, Bucket }) =>
        client.send(new sdk.DeleteObjectCommand({ Bucket, Key: fullKey(key) })),
      )
    },
  }
}

/**
 * Reads an object completely and continues with a range request where a connection breaks off.
 * @returns whether the object exists
 * @throws ObjectStoreError when it cannot be read to the end or is replaced meanwhile
 */
async function* readThrough(bucket: BucketClient, key: string): AsyncGenerator<Buffer, boolean> {
  let size: number | undefined
  let version: string | undefined
  let done = 0
  for (let failures = 0; ; ) {
    const from = done
    try {
      const answer = await bucket.run(({ client, sdk, Bucket }) =>
        client.send(new sdk.GetObjectCommand({ Bucket, Key: key, ...(done > 0 ? { Range: `bytes=${done}-` } : {}) })),
      )
      if (done === 0) {
        size = answer.ContentLength
        version = answer.ETag
      } else if (answer.ETag !== version || !answer.ContentRange?.startsWith(`bytes ${done}-`)) {
        ;(answer.Body as Readable).destroy()
        throw new ObjectStoreError(`${bucket.place}/${key} changed while it was read`)
      }
      for await (const chunk of answer.Body as Readable) {
        done += (chunk as Buffer).length
        yield chunk as Buffer
      }
      if (size === undefined || done === size) return true
      throw new Error(`${done} of ${size} bytes`)
    } catch (error) {
      if (statusOf(error) === 404 && done === 0) return false
      failures = done > from ? 1 : failures + 1
      if (error instanceof ObjectStoreError) throw error
      if (failures >= ATTEMPTS)
        throw new ObjectStoreError(`${bucket.place}/${key} breaks off (${(error as Error).message})`, { cause: error })
    }
  }
}

async function* withFirst<T>(first: IteratorResult<T, unknown>, rest: AsyncGenerator<T, unknown>): AsyncGenerator<T> {
  if (!first.done) yield first.value
  yield* rest
}

async function digestsOf(chunks: AsyncIterable<Buffer>): Promise<{ readonly sha256: string; readonly md5: string }> {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  for await (const chunk of chunks) {
    sha256.update(chunk)
    md5.update(chunk)
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('base64') }
}
