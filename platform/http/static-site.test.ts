import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staticSite } from './static-site.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-site-'))
let server: http.Server

beforeAll(async () => {
  fs.mkdirSync(path.join(folder, 'dist/assets'), { recursive: true })
  const files = {
    'secret.txt': 'outside',
    'dist/index.html': '<!doctype html>page',
    'dist/silent-callback.html': '<!doctype html>silent',
    'dist/assets/main-abc.js': 'plain',
    'dist/assets/main-abc.js.br': 'as br',
    'dist/assets/main-abc.js.gz': 'as gzip',
    'dist/assets/main-abc.js.map': '{}',
  }
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text)
  const answer = staticSite({
    mount: '/gpc/',
    folder: path.join(folder, 'dist'),
    headers: kind => ({ 'x-kind': kind }),
  })
  server = http.createServer((request, response) => {
    if (!answer(request, response, (request.url ?? '').split('?')[0] ?? '')) response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** node:http sends paths as they are; fetch would resolve the dots. */
function get(target: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const request = http.request({ host: '127.0.0.1', port, path: target, method, headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject).end()
  })
}

test('files named by their content never expire; the page is fetched again', async () => {
  expect((await get('/gpc/assets/main-abc.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const page = await get('/gpc/')
  expect(page).toMatchObject({
    status: 200,
    text: '<!doctype html>page',
    headers: { 'cache-control': 'no-cache', 'x-kind': 'html' },
  })
  expect((await get('/gpc/', { 'if-none-match': page.headers.etag })).status).toBe(304)
})

test('the best encoding that the caller takes', async () => {
  const body = async (accepted: string) => (await get('/gpc/assets/main-abc.js', { 'accept-encoding': accepted })).text
  expect(await body('gzip, deflate, br')).toBe('as br')
  expect(await body('gzip')).toBe('as gzip')
  expect(await body('br;q=0, gzip;q=0.5')).toBe('as gzip')
  expect(await body('identity')).toBe('plain')
  expect(await body('broken')).toBe('plain')
})

test('any path of the application is its page, but a file that is missing is missing', async () => {
  expect((await get('/gpc/reports/x')).text).toBe('<!doctype html>page')
  expect((await get('/gpc/silent-callback')).text).toBe('<!doctype html>silent')
  for (const missing of ['assets/other.js', 'favicon.ico', 'assets/main-abc.js.map', 'assets/main-abc.js.br']) {
    expect((await get(`/gpc/${missing}`)).status).toBe(404)
  }
  expect(await get('/gpc/', {}, 'HEAD')).toMatchObject({ status: 200, text: '' })
})

test('no path leaves the folder', async () => {
  for (const target of [
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    'assets/../../secret.txt',
    '..\\secret.txt',
    '/etc/passwd',
    '%00',
    'x\u0001',
  ]) {
    const answer = await get(`/gpc/${encodeURI(target)}`).catch(() => ({ text: '' }))
    expect(answer.text, target).not.toContain('outside')
    expect(answer.text, target).not.toContain('root:')
  }
})

test('a new build is served without a restart', async () => {
  fs.writeFileSync(path.join(folder, 'dist/assets/main-def.js'), 'newer')
  fs.writeFileSync(path.join(folder, 'dist/index.html'), '<!doctype html>newer page')
  fs.utimesSync(path.join(folder, 'dist/index.html'), new Date(), new Date(Date.now() + 5_000))
  expect((await get('/gpc/')).text).toBe('<!doctype html>newer page')
  expect((await get('/gpc/assets/main-def.js')).text).toBe('newer')
})
