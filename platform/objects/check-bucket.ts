import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { openBucket, statusOf } from './bucket-client.ts'

const SILENCE_TIMEOUT_MS = 5_000

/**
 * Start-up check: writes an object to the bucket, reads it and deletes it.
 * Tested by `platform/objects/file-store.test.ts`.
 * @returns one sentence for the operator on what is wrong; undefined: the bucket can be used
 */
export async function checkBucket(objectsUrl: string): Promise<string | undefined> {
  const bucket = openBucket(objectsUrl, SILENCE_TIMEOUT_MS)
  const Key = `checks/${randomUUID()}.txt`
  try {
    return await bucket.run(async ({ client, sdk, Bucket }) => {
      const put = () => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: 'check', IfNoneMatch: '*' }))
      try {
        await put()
        const again = await put().then(() => undefined, statusOf)
        if (again !== 412 && again !== 409) return unconditional(bucket.place)
        const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key }))
        await found.Body?.transformToString()
        return undefined
      } catch (error) {
        if (statusOf(error) === 501) return unconditional(bucket.place)
        throw error
      } finally {
        await client.send(new sdk.DeleteObjectCommand({ Bucket, Key })).catch(() => {})
      }
    })
  } catch (error) {
    return (error as Error).message
  }
}

const FOLDERS = ['ingest/sources', 'objects/images', 'objects/documents', 'audit']

/**
 * Finds files in the data folder that the bucket lacks, because the installation used folders before.
 * @returns one sentence for the operator; undefined: there are none
 */
export function filesBesideBucket(dataDir: string): string | undefined {
  const left = FOLDERS.map(name => path.join(dataDir, name)).filter(
    folder => fs.existsSync(folder) && fs.readdirSync(folder).length > 0,
  )
  if (left.length === 0) return undefined
  return `OBJECTS_URL: nothing reads ${left.join(', ')} any more: stop, and move the files into the bucket (docs/production.md, "From folders to a bucket").`
}

function unconditional(place: string): string {
  return `OBJECTS_URL: ${place} does not refuse a second object of one name (If-None-Match: *), so that a picture or contract could be exchanged after it was accepted: use a store that does.`
}
