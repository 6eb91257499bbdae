import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeTimer } from '@pc/testing/before-timer.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { openSafeFetch, type SafeFetch } from './safe-fetch.ts'

/** Counts every connection; stands for whatever lives inside. */
const canary = { hits: 0, port: 0 }
const servers: net.Server[] = []
let site = ''
let sitePort = 0

beforeAll(async () => {
  const inner = net.createServer(socket => {
    canary.hits += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  canary.port = await listen(inner, '::')
  sitePort = await listen(http.createServer(answer), '127.0.0.1')
  site = `http://127.0.0.1:${sitePort}`
})
afterAll(() => {
  for (const server of servers) server.close()
})
beforeEach(() => {
  canary.hits = 0
})

function listen(server: net.Server, host: string): Promise<number> {
  servers.push(server)
  return new Promise(resolve => server.listen(0, host, () => resolve((server.address() as AddressInfo).port)))
}

const big = Buffer.alloc(3 * 1024 * 1024, 'a')
/** What the public site of the tests answers, by path. */
function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = new URL(request.url ?? '/', site)
  const to = url.searchParams.get('to')
  response.on('error', () => {})
  if (to !== null)
    response
      .writeHead(Number(url.searchParams.get('status') ?? 302), { location: Buffer.from(to).toString('latin1') })
      .end('moved')
  else if (url.pathname === '/loop') response.writeHead(302, { location: `/loop?n=${Math.random()}` }).end()
  else if (url.pathname === '/big') response.end(big)
  else if (url.pathname === '/chunks') {
    response.write(big)
    response.end(big)
  } else if (url.pathname === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big))
  else if (url.pathname === '/br') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(big))
  else if (url.pathname === '/deflate') response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(big))
  else if (url.pathname === '/twice')
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(big)))
  else if (url.pathname === '/small-gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from('<rss/>')))
  else if (url.pathname === '/broken-gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
  else if (url.pathname === '/silent') request.resume()
  else if (url.pathname === '/dies') {
    response.writeHead(200, { 'content-length': 1_000 }).write('<rss>')
    setTimeout(() => response.destroy(), 20)
  } else if (url.pathname === '/drip') {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 50)
    response.on('close', () => clearInterval(timer))
  } else if (url.pathname === '/headers') response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()
  else if (url.pathname === '/not-modified' && request.headers['if-none-match'] === '"v1"')
    response.writeHead(304).end()
  else if (url.pathname === '/missing') response.writeHead(404).end('secret words')
  else response.writeHead(200, { 'content-type': 'application/rss+xml', etag: '"v1"' }).end('<rss/>')
}

const accept = { accept: '*/*' }
/** Fetches from the test's site, which alone counts as public. */
function toSite(options: Parameters<typeof openSafeFetch>[0] = {}): SafeFetch {
  return openSafeFetch({
    resolve: async () => ['127.0.0.1'],
    isAllowedAddress: address => address === '127.0.0.1',
    allowedPorts: [sitePort],
    ...options,
  })
}

const NUMERIC_AND_INNER_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '00000000',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '240.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[fec0::1]',
  '[2606:4700::5efe:7f00:1]',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '127。0。0。1',
] as const

describe('addresses of the inside are never reached', () => {
  const strange = [
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'data:text/xml,<rss/>',
    'javascript:alert(1)',
    'dict://127.0.0.1:11211/',
    'http://user:pass@127.0.0.1/',
    'http:///etc',
    '//127.0.0.1/',
    'http://',
    '',
    'http://127.0.0.1\\@example.com/',
    'http://127.0.0.1\t/',
    `http://example.com/${'a'.repeat(3000)}`,
    'unix:/var/run/docker.sock',
    'http://[::1%25lo]/',
    'http://127.0.0.1:22/',
    'http://127.0.0.1:6379/',
  ]
  const hostile = [...NUMERIC_AND_INNER_HOSTS.map(host => `http://${host}:PORT/`), ...strange]

  test(`${hostile.length} hostile addresses: none is fetched, nothing inside is touched`, async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(64)
    // The port of the canary is allowed here, so that only the address rule keeps it away.
    const fetchSafely = openSafeFetch({ allowedPorts: [canary.port, 80, 443] })
    for (const text of hostile) {
      const outcome = await fetchSafely(text.replace('PORT', String(canary.port)), accept)
      expect(outcome, text).toMatchObject({
        ok: false,
        problem: expect.stringMatching(/^(url-not-allowed|address-not-public|name-not-found)$/),
      })
    }
    expect(canary.hits).toBe(0)
  })

  test('names of the inside by the system resolver', async () => {
    const fetchSafely = openSafeFetch({ allowedPorts: [canary.port] })
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', 'foo.localhost']) {
      const outcome = await fetchSafely(`http://${name}:${canary.port}/`, accept)
      expect(outcome, name).toMatchObject({ ok: false, problem: expect.stringMatching(/address|name/) })
    }
    expect(canary.hits).toBe(0)
  })

  test('other ports than those of the web', async () => {
    const fetchSafely = openSafeFetch({ resolve: async () => ['127.0.0.1'], isAllowedAddress: () => true })
    for (const port of [21, 22, 25, 3306, 5432, 6379, 8000, 9200, 11211, canary.port]) {
      expect(await fetchSafely(`http://feeds.example:${port}/`, accept)).toEqual({
        ok: false,
        problem: 'url-not-allowed',
      })
    }
    expect(canary.hits).toBe(0)
  })

  test.each([301, 302, 303, 307, 308])('a redirect %i to the inside is not followed', async status => {
    for (const host of NUMERIC_AND_INNER_HOSTS) {
      const target = `http://${host}:${canary.port}/`
      const fetchSafely = toSite({ allowedPorts: [sitePort, canary.port], isAllowedAddress: siteOnly() })
      const outcome = await fetchSafely(`${site}/?status=${status}&to=${encodeURIComponent(target)}`, accept)
      expect(outcome.ok, host).toBe(false)
    }
    for (const target of ['file:///etc/passwd', 'ftp://example.com/', `http://a:b@127.0.0.1:${sitePort}/`, 'data:,x']) {
      const outcome = await toSite()(`${site}/?status=${status}&to=${encodeURIComponent(target)}`, accept)
      expect(outcome).toEqual({ ok: false, problem: 'url-not-allowed' })
    }
    expect(canary.hits).toBe(0)
  })

  /** The site's first connection counts as public, everything after it by the real rule. */
  function siteOnly(): (address: string) => boolean {
    let first = true
    return address => {
      const allowed = first ? address === '127.0.0.1' : isPublicAddress(address)
      first = false
      return allowed
    }
  }
})

describe('DNS answers that change', () => {
  const PUBLIC = '93.184.216.34'
  const INNER = ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1']
  const cases = INNER.flatMap(inner => [
    { name: `${inner} at once`, answers: [[inner]] },
    { name: `${inner} behind a public one`, answers: [[PUBLIC, inner]] },
    { name: `${inner} before a public one`, answers: [[inner, PUBLIC]] },
    { name: `${inner} at the second answer, after a redirect`, answers: [['site'], [inner]] },
    { name: `${inner} mixed in at the second answer`, answers: [['site'], ['site', inner]] },
    { name: `${inner} at every later answer`, answers: [['site'], [inner], [inner], [inner]] },
  ])

  test(`${cases.length} cases: the canary is not reached`, async () => {
    expect(cases.length).toBeGreaterThanOrEqual(36)
    for (const { name, answers } of cases) {
      let requested = 0
      const isFirstSite = answers[0]?.[0] === 'site'
      const fetchSafely = openSafeFetch({
        allowedPorts: [sitePort, canary.port],
        async resolve() {
          const given = answers[Math.min(requested, answers.length - 1)] ?? []
          requested += 1
          return given.map(address => (address === 'site' ? '127.0.0.1' : address))
        },
        // The first answer may name the test's site, which then plays a public one.
        isAllowedAddress: address =>
          (requested === 1 && isFirstSite && address === '127.0.0.1') || isPublicAddress(address),
        connectTimeoutMs: 300,
        totalTimeoutMs: 1_000,
      })
      const to = encodeURIComponent(`http://rebind.example:${canary.port}/again`)
      const port = isFirstSite ? sitePort : canary.port
      const outcome = await fetchSafely(`http://rebind.example:${port}/?to=${to}`, accept)
      expect(outcome, name).toEqual({ ok: false, problem: 'address-not-public' })
      expect(requested, name).toBe(answers.length === 1 ? 1 : 2)
      expect(canary.hits, name).toBe(0)
    }
  })

  test('a name is resolved once per connection, and the connection goes to that answer', async () => {
    let requested = 0
    const fetchSafely = toSite({
      async resolve() {
        requested += 1
        return requested === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
    })
    expect(await fetchSafely(`http://rebind.example:${sitePort}/feed`, accept)).toMatchObject({ ok: true })
    expect(requested).toBe(1)
    const again = await fetchSafely(`http://rebind.example:${sitePort}/feed`, accept)
    expect(again).toEqual({ ok: false, problem: 'address-not-public' })
  })

  test('an address that a resolver writes in another way is still an address', async () => {
    for (const text of ['127.0.0.1 ', '0x7f.1', '127.1', '', 'localhost', '::1%lo', '[::1]']) {
      const fetchSafely = openSafeFetch({ resolve: async () => [text], allowedPorts: [canary.port] })
      expect((await fetchSafely(`http://x.example:${canary.port}/`, accept)).ok).toBe(false)
    }
    expect(canary.hits).toBe(0)
  })
})

describe('limits', () => {
  test.each(['/big', '/chunks', '/gzip', '/br', '/deflate'])('%s is cut off', async path => {
    expect(await toSite()(`${site}${path}`, accept)).toEqual({ ok: false, problem: 'too-large' })
  })
  test('compressed twice, or not compressed at all', async () => {
    expect(await toSite()(`${site}/twice`, accept)).toEqual({ ok: false, problem: 'unreadable-body' })
    expect(await toSite()(`${site}/broken-gzip`, accept)).toEqual({ ok: false, problem: 'unreadable-body' })
  })
  test('/dies: a feed whose connection ends in the middle is not taken for a whole one', async () => {
    expect(await toSite()(`${site}/dies`, accept)).toEqual({ ok: false, problem: 'connection-failed' })
  })

  test.each(['/silent', '/drip'])('%s ends in time', async path => {
    const outcome = toSite({ totalTimeoutMs: 400 })(`${site}${path}`, accept)
    expect(await beforeTimer(outcome, 2_000)).toEqual({ ok: false, problem: 'timed-out' })
  })
  test('a resolver that does not answer', async () => {
    const fetchSafely = toSite({ connectTimeoutMs: 200, resolve: () => new Promise(() => {}) })
    const outcome = await fetchSafely(`http://slow.example:${sitePort}/`, accept)
    expect(outcome).toEqual({ ok: false, problem: 'timed-out' })
  })
  test('endless redirects, endless headers', async () => {
    expect(await toSite()(`${site}/loop`, accept)).toEqual({ ok: false, problem: 'too-many-redirects' })
    expect(await toSite()(`${site}/headers`, accept)).toEqual({ ok: false, problem: 'connection-failed' })
  })
  test('a status that is no success says only its number', async () => {
    expect(await toSite()(`${site}/missing`, accept)).toEqual({ ok: false, problem: 'http-status', status: 404 })
  })
})

describe('what is allowed works', () => {
  test('a document, compressed or redirected, with its final address', async () => {
    const plain = await toSite()(`${site}/feed`, accept)
    expect(plain).toMatchObject({ ok: true, document: { contentType: 'application/rss+xml', status: 200 } })
    const gzip = await toSite()(`${site}/small-gzip`, accept)
    expect(gzip.ok && Buffer.from(gzip.document.body).toString()).toBe('<rss/>')
    const moved = await toSite()(`${site}/?to=/feed`, accept)
    expect(moved.ok && moved.document.url).toBe(`${site}/feed`)
  })
  test('an unchanged document is not sent again', async () => {
    const outcome = await toSite()(`${site}/not-modified`, { ...accept, etag: '"v1"' })
    expect(outcome).toMatchObject({ ok: true, document: { status: 304 } })
  })
})

test('public addresses stay public', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '202.12.30.115',
    '172.32.0.1',
    '11.0.0.1',
    '2606:4700::1111',
    '2400:4050::1',
  ])
    expect(isPublicAddress(address), address).toBe(true)
})
