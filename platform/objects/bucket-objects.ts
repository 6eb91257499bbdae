import type { Readable } from 'node:stream'
import { openBucket, statusOf } from './bucket-client.ts'
import type { ObjectStore } from './object-store.ts'
import { ObjectStoreError } from './object-store-error.ts'

/** Total time of an operation with all retries: a person waits for the answer. */
const TIMEOUT_MS = 12_000
const SILENCE_TIMEOUT_MS = 3_500

/**
 * Small files in an S3-compatible bucket. After an upload the object is read back and compared.
 * Tested by `platform/objects/file-store.test.ts`.
 */
export function bucketObjects(objectsUrl: string, silenceTimeoutMs = SILENCE_TIMEOUT_MS): ObjectStore {
  const bucket = openBucket(objectsUrl, silenceTimeoutMs)
  const signal = () => ({ abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
  const readUpTo = async (key: string, maxBytes: number): Promise<Buffer | 'too-large' | undefined> => {
    const within = signal()
    try {
      return await bucket.run(async ({ client, sdk, Bucket }) => {
        const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }), within)
        const body = answer.Body as Readable
        if ((answer.ContentLength ?? 0) > maxBytes) {
          body.destroy()
          return 'too-large'
        }
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of body as AsyncIterable<Buffer>) {
          size += chunk.length
          if (size > maxBytes) return 'too-large' // leaving the loop ends the stream
          chunks.push(chunk)
        }
        return Buffer.concat(chunks)
      })
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }
  const read = async (key: string) => (await readUpTo(key, Number.POSITIVE_INFINITY)) as Buffer | undefined
  const remove = async (key: string) => {
    const within = signal()
    await bucket.run(({ client, sdk, Bucket }) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }), within),
    )
  }
  return {
    read,
    readSent: readUpTo,
    async create(key, bytes, contentType) {
      const within = signal()
      try {
        await bucket.run(({ client, sdk, Bucket }) => {
          const object = { Bucket, Key: key, Body: bytes, ContentType: contentType }
          return client.send(new sdk.PutObjectCommand({ ...object, IfNoneMatch: '*' }), within)
        })
      } catch (error) {
        if (statusOf(error) === 412 || statusOf(error) === 409) return false
        throw error
      }
      const kept = await read(key)
      if (!kept?.equals(bytes)) {
        await remove(key)
        throw new ObjectStoreError(`${bucket.place}/${key} is not what was put in`)
      }
      return true
    },
    remove,
    async presignPut(key, { contentType, sizeBytes, expiresInSeconds }) {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const signableHeaders = new Set(['host', 'content-type', ...(sizeBytes === undefined ? [] : ['content-length'])])
      return bucket.run(({ client, sdk, Bucket }) => {
        const size = sizeBytes === undefined ? {} : { ContentLength: sizeBytes }
        const command = new sdk.PutObjectCommand({ Bucket, Key: key, ContentType: contentType, ...size })
        return getSignedUrl(client, command, { expiresIn: expiresInSeconds, signableHeaders })
      })
    },
  }
}
