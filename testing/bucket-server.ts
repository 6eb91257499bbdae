import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The fault of a request: an error status, no answer, or an object whose transfer stops, breaks off or is damaged. */
export type BucketFault = { status: number } | 'silence' | 'stall' | 'cut' | 'damage'
type Answer = (response: http.ServerResponse) => Promise<void>

export interface BucketServer {
  readonly endpoint: string
  /** In the format of the setting `OBJECTS_URL`. */
  readonly objectsUrl: string
  /** Decides the fault of each signed request; undefined: none. */
  fault: ((method: string, key: string) => BucketFault | undefined) | undefined
  /** Answers a request in place of the server; undefined: the server answers. */
  instead: ((method: string, key: string) => Answer | undefined) | undefined
  /** Requests so far as `METHOD key`; `GET key 5-` for a range from byte 5. */
  readonly requests: string[]
  keys(): string[]
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  close(): void
}

const BUCKET = 'files'
/** Small, so that tests reach a second page. */
const KEYS_OF_A_PAGE = 3

/** The part of S3 that we use, with files on disk. It verifies signatures with its own implementation. */
export async function startBucketServer(): Promise<BucketServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bucket-'))
  const fileOf = (key: string) => path.join(folder, encodeURIComponent(key))
  const keys = () => fs.readdirSync(folder).map(decodeURIComponent).sort()
  const server = http.createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const method = request.method ?? ''
    const key = decodeURIComponent(url.pathname).replace(`/${BUCKET}`, '').replace(/^\//, '')
    const isPresigned = url.searchParams.has('X-Amz-Signature')
    if (isPresigned && !isSigned(request, url)) return void response.writeHead(403).end()
    if (!isPresigned && !request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=KEY/'))
      return void response.writeHead(403).end()
    self.requests.push(`${method} ${key} ${request.headers.range?.replace('bytes=', '') ?? ''}`.trimEnd())
    const fault = self.fault?.(method, key)
    if (fault === 'silence') return
    const instead = self.instead?.(method, key)
    if (instead) return instead(response)
    if (typeof fault === 'object') {
      request.resume()
      return void response.writeHead(fault.status).end(`<Error><Code>Fault${fault.status}</Code></Error>`)
    }
    if (method === 'PUT') await put(request, response, key, fault)
    else if (method === 'DELETE') {
      fs.rmSync(fileOf(key), { force: true })
      response.writeHead(204).end()
    } else if (key === '') list(response, url)
    else if (fs.existsSync(fileOf(key))) await give(request, response, fileOf(key), fault)
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  }
  const put = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
    key: string,
    fault: BucketFault | undefined,
  ) => {
    if (request.headers['if-none-match'] === '*' && fs.existsSync(fileOf(key)))
      return void response.writeHead(412).end()
    const draft = `${fileOf(key)}.draft`
    const md5 = createHash('md5')
    request.on('data', chunk => md5.update(chunk))
    await pipeline(request, fs.createWriteStream(draft))
    const wanted = request.headers['content-md5']
    if (wanted !== undefined && wanted !== md5.digest('base64')) return void response.writeHead(400).end()
    if (fault === 'damage') damage(draft)
    fs.renameSync(draft, fileOf(key))
    response.writeHead(200).end()
  }
  const list = (response: http.ServerResponse, url: URL) => {
    const after = url.searchParams.get('continuation-token') ?? ''
    const found = keys().filter(key => key.startsWith(url.searchParams.get('prefix') ?? '') && key > after)
    const page = found.slice(0, KEYS_OF_A_PAGE)
    const contents = page.map(key => {
      const { size, mtime } = fs.statSync(fileOf(key))
      return `<Contents><Key>${key}</Key><LastModified>${mtime.toISOString()}</LastModified><Size>${size}</Size></Contents>`
    })
    const more = page.length < found.length
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult>${contents.join('')}<IsTruncated>${more}</IsTruncated>${next}</ListBucketResult>`)
  }
  const self: BucketServer = {
    endpoint: '',
    objectsUrl: '',
    fault: undefined,
    instead: undefined,
    requests: [],
    keys,
    get: key => (fs.existsSync(fileOf(key)) ? fs.readFileSync(fileOf(key)) : undefined),
    set: (key, bytes) => fs.writeFileSync(fileOf(key), bytes),
    close() {
      server.close()
      server.closeAllConnections()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const objectsUrl = `${endpoint.replace('://', '://KEY:SECRET@')}/${BUCKET}?region=ap-northeast-1`
  return Object.assign(self, { endpoint, objectsUrl })
}

function damage(file: string): void {
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, '!', 0)
  fs.closeSync(handle)
}

async function give(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  file: string,
  fault: BucketFault | undefined,
): Promise<void> {
  const { size, mtime } = fs.statSync(file)
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const range = start > 0 ? { 'content-range': `bytes ${start}-${size - 1}/${size}` } : {}
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': size - start,
    'last-modified': mtime.toUTCString(),
    etag: `"${createHash('md5').update(`${size} ${mtime.getTime()}`).digest('hex')}"`,
    ...range,
  })
  if (request.method === 'HEAD') return void response.end()
  const half = start + Math.floor((size - start) / 2)
  let at = start
  for await (const chunk of fs.createReadStream(file, { start, highWaterMark: 1024 * 1024 })) {
    const bytes = chunk as Buffer
    if (fault === 'damage' && at === start) bytes[0] = bytes[0]! ^ 1
    const isBroken = (fault === 'cut' || fault === 'stall') && at + bytes.length > half
    const sent = isBroken ? bytes.subarray(0, half - at) : bytes
    if (!response.write(sent)) await drained(response)
    if (response.destroyed) return
    if (isBroken) {
      // Lets the written bytes arrive before the connection is destroyed.
      if (fault === 'cut') setImmediate(() => response.destroy())
      return
    }
    at += bytes.length
  }
  response.end()
}

function drained(response: http.ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Verifies AWS Signature Version 4 of a presigned URL, independently of the library. */
function isSigned(request: http.IncomingMessage, url: URL): boolean {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const names = url.searchParams.get('X-Amz-SignedHeaders')?.split(';') ?? []
  if (!names.includes('content-type') || !names.includes('host')) return false
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const headers = names.map(name => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const canonical = [request.method, url.pathname, query, headers, names.join(';'), 'UNSIGNED-PAYLOAD'].join('\n')
  const [, date = '', region = '', service = ''] = url.searchParams.get('X-Amz-Credential')?.split('/') ?? []
  const key = hmac(hmac(hmac(hmac('AWS4SECRET', date), region), service), 'aws4_request')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = [
    'AWS4-HMAC-SHA256',
    url.searchParams.get('X-Amz-Date'),
    `${date}/${region}/${service}/aws4_request`,
    hash,
  ]
  return hmac(key, text.join('\n')).toString('hex') === url.searchParams.get('X-Amz-Signature')
}
