import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ObjectStore } from './object-store.ts'

const REQUEST_TIMEOUT_MS = 10_000

/**
 * Files in an S3-compatible bucket, named by `https://KEY:SECRET@host/bucket?region=ap-northeast-1`.
 * The client is loaded at its first use: most installations have none.
 */
export function bucketObjects(objectsUrl: string): ObjectStore {
  const url = new URL(objectsUrl)
  const bucket = url.pathname.replaceAll('/', '')
  let opening: Promise<{ client: S3Client; sdk: typeof import('@aws-sdk/client-s3') }> | undefined
  const open = () => {
    opening ??= openClient(url)
    return opening
  }
  const signal = () => ({ abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  const get = async (key: string) => {
    const { client, sdk } = await open()
    try {
      return await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), signal())
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }
  return {
    async read(key) {
      const answer = await get(key)
      return answer?.Body && Buffer.from(await answer.Body.transformToByteArray())
    },
    async readSent(key, maxBytes) {
      const answer = await get(key)
      if (!answer?.Body) return undefined
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
    },
    async create(key, bytes, contentType) {
      const { client, sdk } = await open()
      const command = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentType: contentType,
        IfNoneMatch: '*',
      })
      try {
        await client.send(command, signal())
        return true
      } catch (error) {
        if (statusOf(error) === 412 || statusOf(error) === 409) return false
        throw error
      }
    },
    async remove(key) {
      const { client, sdk } = await open()
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), signal())
    },
    async presignPut(key, { contentType, sizeBytes, expiresInSeconds }) {
      const { client, sdk } = await open()
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key: key,
        ContentType: contentType,
        ...(sizeBytes === undefined ? {} : { ContentLength: sizeBytes }),
      })
      const signableHeaders = new Set(['host', 'content-type', ...(sizeBytes === undefined ? [] : ['content-length'])])
      return getSignedUrl(client, command, { expiresIn: expiresInSeconds, signableHeaders })
    },
  }
}

async function openClient(url: URL) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: url.origin,
    forcePathStyle: true,
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    // Compatible stores do not all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, sdk }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}
