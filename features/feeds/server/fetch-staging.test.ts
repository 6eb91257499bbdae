import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchStaging } from './fetch-staging.ts'

/** Answers as a staging system does, or in the ways in which something else at that address does. */
const ANSWERS: Readonly<Record<string, (response: http.ServerResponse, query: string) => void>> = {
  '/query': (response, query) =>
    json(response, 200, {
      data: {
        list: query.includes('publishers(')
          ? { total: 1, nodes: [{ id: '7', name: '媒体' }] }
          : { total: 1, nodes: [{ id: '8', name: '本紙', url: 'https://a.example/', publisher: { id: '7' } }] },
      },
    }),
  '/old/query': response =>
    json(response, 401, { errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] }),
  '/little/query': response => json(response, 200, { errors: [{ message: 'x', extensions: { code: 'FORBIDDEN' } }] }),
  '/newer/query': response => json(response, 200, { errors: [{ message: 'no field "feeds"', extensions: {} }] }),
  '/page/query': response => response.end('<!doctype html>'),
  '/moved/query': response => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
  '/empty/query': response => json(response, 200, {}),
}
const json = (response: http.ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const server = http.createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const answer = ANSWERS[request.url ?? '']
  if (answer) answer(response, body)
  else response.writeHead(404).end()
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test.each(['', '/', '/query', '/query/'])('the address may end with %j', async ending => {
  expect(await fetchStaging({ url: origin + ending, token: 't' })).toMatchObject({
    publishers: [{ id: '7' }],
    feeds: [{ id: '8', publisherId: '7' }],
  })
})

test.each([
  ['/old', 'STAGING_INSIGHT_TOKEN の有効期限'],
  ['/little', '権限'],
  ['/newer', 'no field "feeds"'],
  ['/page', 'JSON ではありません'],
  ['/moved', 'https://elsewhere.example/ に転送'],
  ['/empty', '一覧がありません'],
  ['/none', '404'],
])('what is at %s is said', async (place, said) => {
  await expect(fetchStaging({ url: origin + place, token: 't' })).rejects.toThrow(said)
})

test('a name that nobody has, and a port that nobody listens on', async () => {
  await expect(fetchStaging({ url: 'http://no-such-host.invalid', token: 't' })).rejects.toThrow('DNS')
  const unused = http.createServer()
  await new Promise<void>(resolve => unused.listen(0, '127.0.0.1', resolve))
  const { port } = unused.address() as AddressInfo
  await new Promise(resolve => unused.close(resolve))
  await expect(fetchStaging({ url: `http://127.0.0.1:${port}`, token: 't' })).rejects.toThrow('接続を拒否')
})
