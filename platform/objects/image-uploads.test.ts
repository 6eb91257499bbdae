import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { startBucketServer } from '@pc/testing/bucket-server.ts'
import { cpuMs } from '@pc/testing/processor-time.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixedClock } from '../clock.ts'
import { HttpError } from '../http/http-error.ts'
import { type ImageUploads, openImageUploads } from './image-uploads.ts'
import { reencodeImage } from './reencode-image.ts'

const clock = fixedClock('2026-11-20T00:00:00Z')
const folders: string[] = []
const servers: { close(): unknown }[] = []
let local: ImageUploads
let origin = ''
let dataDir = ''

beforeAll(async () => {
  dataDir = temporaryFolder()
  origin = await serve(async (request, response) => {
    await answer(local, request, response)
  })
  local = openImageUploads({ dataDir, webOrigin: origin, objectsUrl: undefined, clock })
})
afterAll(() => {
  for (const server of servers) server.close()
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-images-'))
  folders.push(folder)
  return folder
}

function serve(
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>,
): Promise<string> {
  const server = http.createServer((request, response) => void handle(request, response))
  servers.push(server)
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}

async function answer(
  uploads: ImageUploads,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  try {
    if (!(await uploads.handle(request, response))) response.writeHead(404).end()
  } catch (error) {
    const status = error instanceof HttpError ? error.status : 500
    response.writeHead(status, { connection: 'close' }).end(String(error))
  }
}

const picture = (format: 'png' | 'jpeg' | 'webp', width = 40) =>
  sharp({ create: { width, height: 30, channels: 3, background: '#c33' } })
    .toFormat(format)
    .toBuffer()

async function put(url: string, body: Uint8Array | string, type = 'image/png', headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'PUT',
    body: Buffer.from(body),
    headers: { 'content-type': type, ...headers },
  })
  return { status: response.status, text: await response.text() }
}

describe('a folder', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('%s: sent once, re-encoded, served closed in', async format => {
    const bytes = await picture(format)
    const { uploadUrl, imageUrl } = await local.address(format, bytes.length)
    expect((await fetch(imageUrl)).status).toBe(404)
    const sent = await put(uploadUrl, bytes, `image/${format}`)
    expect([sent.status, JSON.parse(sent.text)]).toEqual([201, { imageUrl }])
    const response = await fetch(imageUrl)
    const kept = Buffer.from(await response.arrayBuffer())
    expect((await sharp(kept).metadata()).format).toBe(format)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="image"',
    })
    expect((await put(uploadUrl, bytes, `image/${format}`)).status).toBe(409)
  })

  test('of 20 that send to one address at once, one is kept', async () => {
    const pictures = await Promise.all(Array.from({ length: 20 }, (_, i) => picture('png', 20 + i)))
    const { uploadUrl, imageUrl } = await local.address('png', undefined)
    const statuses = await Promise.all(pictures.map(async bytes => (await put(uploadUrl, bytes)).status))
    expect(statuses.filter(status => status === 201)).toHaveLength(1)
    expect(statuses.filter(status => status === 409)).toHaveLength(19)
    const winner = await sharp(Buffer.from(await (await fetch(imageUrl)).arrayBuffer())).metadata()
    expect(winner.width).toBe(20 + statuses.indexOf(201))
  })

  test('an address that was changed, is old, or was made elsewhere', async () => {
    const bytes = await picture('png')
    const { uploadUrl } = await local.address('png', bytes.length)
    const changed = (change: (url: URL) => void) => {
      const url = new URL(uploadUrl)
      change(url)
      return url.href
    }
    const attacks = [
      changed(url => url.searchParams.set('signature', 'A'.repeat(43))),
      changed(url => url.searchParams.delete('signature')),
      changed(url => url.searchParams.set('expires', '9999999999')),
      changed(url => url.searchParams.set('size', '')),
      changed(url => url.searchParams.set('size', '999999')),
      ...['size=314572800', 'size=', `size=${bytes.length}`, 'expires=9999999999', 'signature=x'].flatMap(more => [
        uploadUrl.replace('?', `?${more}&`),
        `${uploadUrl}&${more}`,
      ]),
      changed(url => {
        url.pathname = url.pathname.replace(/uploads\/[0-9a-f]{8}/, 'uploads/00000000')
      }),
      changed(url => {
        url.pathname = url.pathname.replace('.png', '.webp')
      }),
    ]
    for (const attack of attacks) expect((await put(attack, bytes)).status, attack).toBe(403)
    const strange = [
      '/objects/uploads/../../etc/passwd',
      '/objects/images/..%2f..%2fupload-secret',
      '/objects/upload-secret',
      '/objects/',
      '/objects/images/x.png',
      '/objects/images/00000000-0000-0000-0000-000000000000.svg',
    ]
    for (const at of strange) {
      expect((await fetch(`${origin}${at}`)).status, at).toBe(404)
      expect((await put(`${origin}${at}`, bytes)).status, at).toBe(404)
    }
    clock.set('2026-11-20T00:05:01Z')
    expect((await put(uploadUrl, bytes)).status).toBe(403)
    clock.set('2026-11-20T00:00:00Z')
    expect((await put(uploadUrl, bytes)).status).toBe(201)
    const elsewhere = openImageUploads({ dataDir: temporaryFolder(), webOrigin: origin, objectsUrl: undefined, clock })
    expect((await put((await elsewhere.address('png', undefined)).uploadUrl, bytes)).status).toBe(403)
  })

  test('type, size and encoding are those that were signed', async () => {
    const bytes = await picture('png')
    const { uploadUrl } = await local.address('png', bytes.length)
    for (const type of ['image/svg+xml', 'text/html', 'image/jpeg', 'image/png; charset=utf-8', 'IMAGE/PNG'])
      expect((await put(uploadUrl, bytes, type)).status, type).toBe(415)
    expect((await put(uploadUrl, bytes, 'image/png', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await put(uploadUrl, bytes.subarray(1))).status).toBe(400)
    expect((await put(uploadUrl, Buffer.concat([bytes, bytes]))).status).toBe(413)
    const huge = await local.address('png', 300 * 1024 * 1024)
    expect((await put(huge.uploadUrl, Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(413)
    const open = await local.address('png', undefined)
    expect((await put(open.uploadUrl, Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(413)
    for (const method of ['POST', 'DELETE', 'PATCH', 'GET'])
      expect((await fetch(uploadUrl, { method })).status).toBe(404)
    expect((await put(uploadUrl, bytes)).status).toBe(201)
  })

  test('the secret is readable by the owner only', () => {
    expect(fs.statSync(path.join(dataDir, 'objects/upload-secret')).mode & 0o777).toBe(0o600)
  })
})

describe('what is not a picture, or more than one', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const html = '<!doctype html><script>alert(1)</script>'

  test('is refused', async () => {
    const png = await picture('png')
    const hostile: readonly (readonly [string, Uint8Array])[] = [
      ['SVG', Buffer.from(svg)],
      ['HTML', Buffer.from(html)],
      ['GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')],
      ['PDF', Buffer.from('%PDF-1.7\n%x')],
      ['another format', await picture('jpeg')],
      ['a head without a body', png.subarray(0, 16)],
      ['a picture cut off', png.subarray(0, Math.floor(png.length * 0.6))],
      ['HTML behind the signature', Buffer.concat([png.subarray(0, 8), Buffer.from(html)])],
      ['nothing', Buffer.alloc(0)],
    ]
    for (const [name, bytes] of hostile) expect((await reencodeImage(bytes, 'png')).ok, name).toBe(false)
  })

  test('a polyglot loses everything but its pixels', async () => {
    const jpeg = await sharp(await picture('jpeg'))
      .withExif({ IFD0: { Copyright: html } })
      .toBuffer()
    const polyglots = [
      ['png', Buffer.concat([await picture('png'), Buffer.from(html + svg)])],
      ['jpeg', Buffer.concat([jpeg, Buffer.from(html)])],
      ['webp', Buffer.concat([await picture('webp'), Buffer.from(html)])],
    ] as const
    for (const [format, bytes] of polyglots) {
      const kept = await reencodeImage(bytes, format)
      expect(kept.ok, format).toBe(true)
      if (kept.ok) expect(kept.bytes.toString('latin1')).not.toMatch(/script|svg|Copyright/)
    }
  })

  test('a bomb of pixels is not unfolded', async () => {
    // 50,000 × 50,000 pixels of nothing in a few kilobytes.
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data])
      const frame = Buffer.alloc(8)
      frame.writeUInt32BE(data.length, 0)
      frame.writeUInt32BE(crc32(body), 4)
      return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
    }
    const head = Buffer.alloc(13)
    head.writeUInt32BE(50_000, 0)
    head.writeUInt32BE(50_000, 4)
    head.set([8, 2, 0, 0, 0], 8)
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    const started = process.cpuUsage()
    expect(await reencodeImage(bomb, 'png')).toMatchObject({ ok: false, problem: 'too-many-pixels' })
    expect(cpuMs(started)).toBeLessThan(1_000)
  })

  test('large pictures become smaller, small ones stay', async () => {
    const large = await reencodeImage(
      await sharp({ create: { width: 4000, height: 1000, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
      'png',
    )
    expect(large.ok && (await sharp(large.bytes).metadata()).width).toBe(2048)
  })
})

describe('a bucket', () => {
  async function openBucket() {
    const bucket = await startBucketServer()
    servers.push(bucket)
    let uploads: ImageUploads | undefined
    const webOrigin = await serve(async (request, response) => {
      if (uploads) await answer(uploads, request, response)
    })
    uploads = openImageUploads({ dataDir: temporaryFolder(), webOrigin, objectsUrl: bucket.objectsUrl, clock })
    return { bucket, uploads }
  }

  test('takes files by its own signed address, and gives out only what was re-encoded', async () => {
    const { bucket, uploads } = await openBucket()
    const bytes = Buffer.concat([await picture('png'), Buffer.from('<script>')])
    const { uploadUrl, imageUrl } = await uploads.address('png', bytes.length)
    expect(new URL(uploadUrl).origin).toBe(bucket.endpoint)
    expect((await fetch(imageUrl)).status).toBe(404)
    expect((await put(uploadUrl, bytes, 'text/html')).status).toBe(403)
    expect((await put(uploadUrl, Buffer.concat([bytes, bytes]))).status).toBe(403)
    expect((await put(uploadUrl.replace(/Signature=..../, 'Signature=0000'), bytes)).status).toBe(403)
    expect((await put(uploadUrl, bytes)).status).toBe(200)
    const first = Buffer.from(await (await fetch(imageUrl)).arrayBuffer())
    expect((await sharp(first).metadata()).width).toBe(40)
    expect(first.toString('latin1')).not.toContain('<script>')
    // The address is still good for the bucket, but what was taken in stays.
    const other = await picture('png', 99)
    bucket.set(`uploads/${imageUrl.split('/').at(-1)}`, other)
    expect(Buffer.from(await (await fetch(imageUrl)).arrayBuffer()).equals(first)).toBe(true)
    expect(bucket.keys().filter(key => key.startsWith('images/'))).toHaveLength(1)
  })

  test('what is too large is not read, whether or not the bucket names its size, and is thrown away', async () => {
    const { bucket, uploads } = await openBucket()
    // 300 MB, if somebody reads them.
    let given = 0
    const endless = async (response: http.ServerResponse) => {
      const piece = Buffer.alloc(1024 * 1024)
      response.writeHead(200)
      while (!response.destroyed && given < 300) {
        given += 1
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
      response.end()
    }
    for (const sent of ['endless', Buffer.alloc(6 * 1024 * 1024)] as const) {
      const { imageUrl } = await uploads.address('png', undefined)
      const key = `uploads/${imageUrl.split('/').at(-1)}`
      bucket.set(key, Buffer.from(sent))
      bucket.instead = (method, wanted) =>
        sent === 'endless' && method === 'GET' && wanted === key ? endless : undefined
      expect((await fetch(imageUrl)).status).toBe(404)
      expect(bucket.keys()).not.toContain(key)
    }
    expect(given).toBeGreaterThan(0)
    expect(given).toBeLessThan(60)
  })

  test('a file that is no picture is never given out', async () => {
    const { bucket, uploads } = await openBucket()
    const { uploadUrl, imageUrl } = await uploads.address('png', undefined)
    expect((await put(uploadUrl, '<svg onload=alert(1)>')).status).toBe(200)
    expect((await fetch(imageUrl)).status).toBe(404)
    expect(bucket.keys()).toEqual([])
  })
})

test('with a scanner: what it finds is refused, everything is while it is away, and the address stays good', async () => {
  let verdict: 'clean' | 'infected' | 'away' = 'infected'
  const folder = temporaryFolder()
  const scanned = openImageUploads({
    dataDir: folder,
    webOrigin: origin,
    objectsUrl: undefined,
    clock,
    scanFile: async () => {
      if (verdict === 'away') throw new Error('nobody answers')
      return verdict
    },
  })
  const server = await serve((request, response) => answer(scanned, request, response))
  const bytes = await picture('png')
  const { uploadUrl } = await scanned.address('png', bytes.length)
  const send = () => put(uploadUrl.replace(origin, server), bytes)
  expect(await send()).toMatchObject({ status: 422, text: expect.stringContaining('infected') })
  verdict = 'away'
  expect((await send()).status).toBe(503)
  expect(fs.readdirSync(path.join(folder, 'objects'))).toEqual(['upload-secret'])
  verdict = 'clean'
  expect((await send()).status).toBe(201)
})
