import { createHash, randomBytes, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import v8 from 'node:v8'
import vm from 'node:vm'
import { type BucketFault, type BucketServer, startBucketServer } from '@pc/testing/bucket-server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bucketFiles } from './bucket-files.ts'
import { bucketObjects } from './bucket-objects.ts'
import { checkBucket, filesBesideBucket } from './check-bucket.ts'
import type { FileStore } from './file-store.ts'
import { folderFiles } from './folder-files.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'file-store-'))
let bucket: BucketServer
beforeAll(async () => {
  bucket = await startBucketServer()
})
beforeEach(() => {
  bucket.fault = undefined
  bucket.requests.length = 0
})
afterAll(() => {
  bucket?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function fileOf(content: Buffer | string): string {
  const file = path.join(folder, randomUUID())
  fs.writeFileSync(file, content)
  return file
}
const MB = 1024 * 1024

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

/** Bytes of buffers that somebody still holds: how soon garbage goes depends on the machine. */
function liveBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
/** Several chunks of both sides, and no whole number of them. */
const LARGE = randomBytes(3 * MB + 7)

/** A bucket of a real store, beside the one of the test: `OBJECTS_TEST_URL=https://KEY:SECRET@… npm test -- platform/objects`. */
const REAL = process.env.OBJECTS_TEST_URL
const stores: readonly (readonly [string, () => FileStore])[] = [
  ['a folder', () => folderFiles(path.join(folder, 'store'))],
  ['a bucket', () => bucketFiles(bucket.objectsUrl, 'kept')],
  ...(REAL === undefined ? [] : [['the bucket of OBJECTS_TEST_URL', () => bucketFiles(REAL, randomUUID())] as const]),
]

describe.each(stores)('%s', (_name, open) => {
  test('keeps what it is given, over what was there, and gives it back by path and by stream', async () => {
    const store = open()
    expect(await store.find('sources/a')).toBeUndefined()
    expect(await store.read('sources/a')).toBeUndefined()
    expect(await store.copyTo('sources/a', path.join(folder, randomUUID()))).toBe(false)
    for (const content of [Buffer.from('first'), LARGE, Buffer.alloc(0)]) {
      const given = fileOf(content)
      await store.keep('sources/a', given)
      expect(fs.readFileSync(given).equals(content)).toBe(true)
      expect((await buffer((await store.read('sources/a'))!)).equals(content)).toBe(true)
      const copy = path.join(folder, randomUUID())
      expect(await store.copyTo('sources/a', copy)).toBe(true)
      expect(fs.readFileSync(copy).equals(content)).toBe(true)
      expect(await store.find('sources/a')).toMatchObject({ key: 'sources/a', size: content.length })
    }
    await store.remove('sources/a')
    await store.remove('sources/a')
    expect(await store.find('sources/a')).toBeUndefined()
  })

  test('lists all below a prefix and nothing else, with size and time', async () => {
    const store = open()
    expect(await store.list('uploads/')).toEqual([])
    const keys = Array.from({ length: 8 }, (_, n) => `uploads/person${n % 2}/file${n}`)
    const before = Date.now() - 2_000
    for (const key of [...keys, 'sources/other']) await store.keep(key, fileOf(key))
    const found = await store.list('uploads/')
    expect(found.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
    expect((await store.list('uploads/person1/')).map(({ size }) => size)).toEqual([21, 21, 21, 21])
    for (const { storedAtMs } of found) expect(storedAtMs).toBeGreaterThan(before)
    for (const key of [...keys, 'sources/other']) await store.remove(key)
    expect(await store.list('')).toEqual([])
  })
})

const buckets: readonly (readonly [string, () => string])[] = [
  ['a bucket', () => bucket.objectsUrl],
  ...(REAL === undefined ? [] : [['the bucket of OBJECTS_TEST_URL', () => REAL] as const]),
]
describe.each(buckets)('small objects of %s', (_name, url) => {
  test('are made once, taken by a signed address, and gone when removed', async () => {
    const objects = bucketObjects(url())
    const [key, upload] = [`images/${randomUUID()}.png`, `uploads/${randomUUID()}.png`]
    expect(await objects.read(key)).toBeUndefined()
    expect(await objects.create(key, LARGE, 'image/png')).toBe(true)
    expect(await objects.create(key, Buffer.from('other'), 'image/png')).toBe(false)
    expect((await objects.read(key))?.equals(LARGE)).toBe(true)
    const options = { contentType: 'image/png', sizeBytes: LARGE.length, expiresInSeconds: 60 }
    const address = (await objects.presignPut(upload, options))!
    const put = (type: string) => fetch(address, { method: 'PUT', body: LARGE, headers: { 'content-type': type } })
    expect((await put('text/html')).status).toBe(403)
    expect((await put('image/png')).status).toBe(200)
    expect(await objects.readSent(upload, LARGE.length - 1)).toBe('too-large')
    expect(await objects.readSent(upload, LARGE.length)).toEqual(LARGE)
    for (const one of [key, upload]) await objects.remove(one)
    expect(await objects.read(key)).toBeUndefined()
  })
})

test('a bucket that cannot be used, or overwrites what is there, is named in one sentence', async () => {
  expect(await checkBucket(bucket.objectsUrl)).toBeUndefined()
  expect(bucket.keys().filter(key => key.startsWith('checks/'))).toEqual([])
  bucket.fault = method => (method === 'PUT' ? { status: 501 } : undefined)
  expect(await checkBucket(bucket.objectsUrl)).toMatch(/^OBJECTS_URL: .*does not refuse a second object/)
  bucket.fault = () => ({ status: 403 })
  expect(await checkBucket(bucket.objectsUrl)).toBe(
    `OBJECTS_URL: ${bucket.endpoint}/files cannot be used (403 Fault403)`,
  )
  expect(await checkBucket('http://KEY:SECRET@127.0.0.1:1/files')).toMatch(/ECONNREFUSED/)
})

test('files that an earlier version kept in folders are named once there is a bucket', async () => {
  const dataDir = path.join(folder, 'earlier')
  fs.mkdirSync(path.join(dataDir, 'ingest/sources'), { recursive: true })
  fs.mkdirSync(path.join(dataDir, 'objects/images'), { recursive: true })
  expect(filesBesideBucket(dataDir)).toBeUndefined()
  fs.writeFileSync(path.join(dataDir, 'ingest/sources', '0'.repeat(64)), 'a delivery')
  expect(filesBesideBucket(dataDir)).toMatch(/nothing reads \S*earlier\/ingest\/sources any more: stop, and move/)
})

test('a folder takes no key that leads out of it', async () => {
  const store = folderFiles(path.join(folder, 'closed'))
  for (const key of ['../a', '/etc/passwd', 'a/../../b', 'a//b', '.', ''])
    await expect(store.keep(key, fileOf('x'))).rejects.toThrow(RangeError)
})

/** More than are borne without a byte between them. */
const TIMES = 4

describe('a bucket with faults', () => {
  /** With silence given up after 1.5 s where it is what is tested: on a busy machine a healthy answer takes longer than less. */
  const open = (fault?: BucketFault) =>
    bucketFiles(bucket.objectsUrl, 'kept', fault === 'silence' || fault === 'stall' ? 1_500 : 30_000)
  /** The first `times` requests of a method meet with the fault. */
  const first = (times: number, method: string, fault: BucketFault) => {
    let left = times
    bucket.fault = requested => (requested === method && left-- > 0 ? fault : undefined)
  }
  const isThere = async (store: FileStore, content: Buffer) => (await buffer((await store.read('a'))!)).equals(content)

  test.each(['GET', 'PUT'])('%s: 503, silence and a broken connection pass unnoticed', async method => {
    for (const [times, fault] of [
      [2, { status: 503 }],
      [2, { status: 429 }],
      [1, 'silence'],
      [1, 'damage'],
    ] as const) {
      const store = open(fault)
      first(times, method, fault)
      await store.keep('a', fileOf(LARGE))
      bucket.fault = undefined
      expect(await isThere(store, LARGE)).toBe(true)
    }
  })

  test.each(['cut', 'stall'] as const)(
    'an answer that is %s goes on from where it was, also several times',
    async fault => {
      const store = open(fault)
      await store.keep('a', fileOf(LARGE))
      bucket.requests.length = 0
      first(TIMES, 'GET', fault)
      const copy = path.join(folder, randomUUID())
      expect(await store.copyTo('a', copy)).toBe(true)
      expect(fs.readFileSync(copy).equals(LARGE)).toBe(true)
      const starts = bucket.requests.map(line => Number(/ (\d+)-$/.exec(line)?.[1] ?? 0))
      expect(starts).toHaveLength(TIMES + 1)
      expect(starts.toSorted((a, b) => a - b)).toEqual(starts)
      expect(new Set(starts).size).toBe(TIMES + 1)
    },
  )

  test('an object that is replaced while it is read is not put together from two', async () => {
    const store = open()
    await store.keep('a', fileOf(LARGE))
    first(1, 'GET', 'cut')
    const stream = (await store.read('a'))!
    bucket.set('kept/a', randomBytes(LARGE.length + 1))
    await expect(buffer(stream)).rejects.toThrow('changed while it was read')
  })

  test.each([
    ['does not answer', 'silence'],
    ['answers 503', { status: 503 }],
    ['refuses the key', { status: 403 }],
    ['writes something else', 'damage'],
  ] as const)('a bucket that %s keeps nothing, and the error says which bucket', async (_what, fault) => {
    const store = open(fault)
    bucket.fault = method => (method === 'PUT' ? fault : undefined)
    const failed = await store.keep('b', fileOf(LARGE)).catch((error: Error) => error)
    expect(failed).toMatchObject({
      name: 'ObjectStoreError',
      message: expect.stringContaining(`${bucket.endpoint}/files`),
    })
    expect(String(failed)).not.toContain('SECRET')
    bucket.fault = undefined
    await store.keep('b', fileOf('whole'))
    expect(String(await buffer((await store.read('b'))!))).toBe('whole')
  })

  test('a file of many chunks is never in memory whole', async () => {
    const store = bucketFiles(bucket.objectsUrl, 'kept')
    const file = path.join(folder, 'sparse')
    fs.closeSync(fs.openSync(file, 'w'))
    fs.truncateSync(file, 240 * MB)
    const before = liveBytes()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, liveBytes())), 1_000)
    await store.keep('large', file)
    await store.copyTo('large', `${file}.copy`)
    clearInterval(watch)
    expect(fs.statSync(`${file}.copy`).size).toBe(240 * MB)
    expect(peak - before).toBeLessThan(120 * MB)
  })

  test('small objects: what is written wrong is not said to be there, and broken answers are read again', async () => {
    const objects = bucketObjects(bucket.objectsUrl)
    first(1, 'PUT', 'damage')
    await expect(objects.create('documents/x.pdf', LARGE, 'application/pdf')).rejects.toThrow('is not what was put in')
    expect(bucket.get('documents/x.pdf')).toBeUndefined()
    expect(await objects.create('documents/x.pdf', LARGE, 'application/pdf')).toBe(true)
    expect(await objects.create('documents/x.pdf', Buffer.from('other'), 'application/pdf')).toBe(false)
    for (const fault of ['cut', { status: 503 }] as const) {
      first(2, 'GET', fault)
      const digest = createHash('sha256').update((await objects.read('documents/x.pdf'))!)
      expect(digest.digest('hex')).toBe(createHash('sha256').update(LARGE).digest('hex'))
    }
    bucket.fault = () => ({ status: 503 })
    await expect(objects.read('documents/x.pdf')).rejects.toMatchObject({ name: 'ObjectStoreError' })
  })
})
