import fs from 'node:fs'
import type http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { openListener } from '@pc/platform/http/listener.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { JSON_HEADERS, rawRequest } from '@pc/testing/system/raw-request.ts'
import { type SystemUnderTest, startSystemUnderTest, WEB_ORIGIN } from '@pc/testing/system/system-under-test.ts'
import { until } from '@pc/testing/until.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webHandler } from './web-handler.ts'

/** What both APIs and every listener say before a resolver runs: to origins, types, methods, versions and the protocol's forms. */
let system: SystemUnderTest
let admin: string

beforeAll(async () => {
  system = await startSystemUnderTest({ MINIMUM_CLIENT_VERSION: '1.2' })
  admin = await system.tokenOf(system.rows.users.admin.email)
})
afterAll(() => system?.close())

const APIS = ['insight', 'iam'] as const

describe('when the connection to the database dies', () => {
  test.each([
    ['a change', 'mutation { createMedium(param: { name: "途中で切れた媒体" }) { id } }'],
    ['a question', '{ media(limit: 1, offset: 0) { total } }'],
  ])('%s is answered 503 and when to try again, and nothing is left of it', async (_name, query) => {
    const { databaseUrl = '' } = system.dependencies.config
    await withClient(databaseUrl.replace('pc_login', 'postgres'), async client => {
      await client.query('begin; lock table media in access exclusive mode')
      const answer = system.ask('insight', query, admin)
      await until(async () => {
        const { rows } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        return rows.length > 0 || undefined
      })
      const { status, headers, text } = await answer
      expect(status, text).toBe(503)
      expect(headers.get('retry-after')).toBe('5')
      expect(text).not.toContain('INTERNAL_SERVER_ERROR')
      await client.query('rollback')
      expect((await client.query(`select 1 from media where name like '途中%'`)).rows).toEqual([])
    })
  })
})
const QUERY = JSON.stringify({ query: '{ __typename }' })

describe('cross-origin requests', () => {
  const foreign = [
    'http://evil.example',
    'https://127.0.0.1:4990',
    'http://127.0.0.1:4991',
    'http://127.0.0.1',
    'http://127.0.0.1:4990.evil.example',
    'http://evil.example/http://127.0.0.1:4990',
    'http://127.0.0.1:4990/',
    'http://localhost:4990', // the loopback twin counts only where everything is embedded
    'null',
    'file://',
    '*',
    'HTTP://127.0.0.1:4990',
  ]
  test.each(foreign)('of %s are refused on every endpoint, before they are read', async origin => {
    for (const api of APIS) {
      for (const [method, body] of [
        ['POST', QUERY],
        ['OPTIONS', ''],
      ] as const) {
        const headers = {
          ...JSON_HEADERS,
          origin,
          authorization: `Bearer ${admin}`,
          'access-control-request-method': 'POST',
        }
        const answer = await rawRequest(`${system.origins[api]}/query`, { method, headers, body })
        expect(answer.status).toBe(403)
        expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control-'))).toEqual([])
        expect(answer.text).not.toContain('__typename')
      }
    }
  })
  test('of the configured origin are allowed with credentials', async () => {
    for (const api of APIS) {
      const answer = await rawRequest(`${system.origins[api]}/query`, {
        headers: { ...JSON_HEADERS, origin: WEB_ORIGIN },
        body: QUERY,
      })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': WEB_ORIGIN,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      })
      const preflight = await rawRequest(`${system.origins[api]}/query`, {
        method: 'OPTIONS',
        headers: { origin: WEB_ORIGIN },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers['access-control-allow-headers']).toBe('authorization, content-type, x-client-version')
      expect(preflight.headers['access-control-allow-methods']).toBe('POST')
    }
  })
})

describe('forgery from another page', () => {
  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'query=%7B__typename%7D'],
    ['plain text', 'text/plain', QUERY],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--'],
    ['no type', '', QUERY],
    ['GraphQL text', 'application/graphql', '{ __typename }'],
    ['another charset', 'application/json; charset=utf-16', QUERY],
    ['a look-alike', 'application/jsonx', QUERY],
  ])('%s is not accepted', async (_name, type, body) => {
    for (const api of APIS) {
      const headers = type === '' ? {} : { 'content-type': type }
      expect((await rawRequest(`${system.origins[api]}/query`, { headers, body })).status).toBe(415)
    }
  })
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('%s is not accepted', async method => {
    for (const api of APIS) {
      expect((await rawRequest(`${system.origins[api]}/query?query=%7B__typename%7D`, { method })).status).toBe(405)
    }
  })
  test('cookies do not identify the caller', async () => {
    const headers = { ...JSON_HEADERS, cookie: `_session=x; token=${admin}; authorization=Bearer ${admin}` }
    const answer = await rawRequest(`${system.origins.iam}/query`, {
      headers,
      body: '{"query":"{ policies { total } }"}',
    })
    expect(JSON.parse(answer.text).errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })
})

describe('an old client', () => {
  test('must reload', async () => {
    for (const [version, isOld] of [
      ['1.1.9', true],
      ['0.9', true],
      ['1.2', false],
      ['1.2.0', false],
      ['10.0.0', false],
      ['not a version', false],
    ] as const) {
      const answer = await rawRequest(`${system.origins.insight}/query`, {
        headers: { ...JSON_HEADERS, 'x-client-version': version },
        body: QUERY,
      })
      expect(JSON.parse(answer.text).errors?.[0]?.extensions, version).toEqual(
        isOld ? { code: 'BAD_REQUEST', mustReload: true } : undefined,
      )
    }
  })
})

describe('GraphQL over HTTP', () => {
  const graphqlJson = { ...JSON_HEADERS, accept: 'application/graphql-response+json, application/json;q=0.9' }
  const post = (headers: http.OutgoingHttpHeaders, body: unknown) =>
    rawRequest(`${system.origins.insight}/query`, { headers, body: JSON.stringify(body) })
  test('answers in the type that the caller takes', async () => {
    expect((await post(JSON_HEADERS, { query: '{ __typename }' })).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    )
    expect((await post(graphqlJson, { query: '{ __typename }' })).headers['content-type']).toBe(
      'application/graphql-response+json; charset=utf-8',
    )
    expect((await post({ ...JSON_HEADERS, accept: 'text/html' }, { query: '{ __typename }' })).status).toBe(406)
  })
  test('a refused request is 400 in the newer type, 200 in plain JSON, and has no data', async () => {
    for (const query of ['{', '{ unknown }', 'query A { __typename } query B { __typename }']) {
      const [newer, plain] = [await post(graphqlJson, { query }), await post(JSON_HEADERS, { query })]
      expect([newer.status, plain.status]).toEqual([400, 200])
      expect(JSON.parse(newer.text)).not.toHaveProperty('data')
      expect(JSON.parse(newer.text).errors[0].extensions.code).toBe('BAD_REQUEST')
    }
  })
  test.each([
    ['no query', {}],
    ['a query that is no text', { query: 7 }],
    ['variables that are no object', { query: '{ __typename }', variables: 'x' }],
    ['variables that are a list', { query: '{ __typename }', variables: [] }],
    ['an operation name that is no text', { query: '{ __typename }', operationName: {} }],
    ['extensions that are no object', { query: '{ __typename }', extensions: 1 }],
  ])('%s is 400', async (_name, body) => {
    expect((await post(graphqlJson, body)).status).toBe(400)
  })
  test('null stands for what is not given', async () => {
    const body = { query: 'query N { __typename }', variables: null, operationName: null, extensions: null }
    expect((await post(graphqlJson, body)).text).toBe('{"data":{"__typename":"Query"}}')
  })
})

describe('every listener', () => {
  test('answers /healthz and /readyz, and carries its headers also on errors', async () => {
    for (const origin of Object.values(system.origins)) {
      expect(await rawRequest(`${origin}/healthz`, { method: 'GET' })).toMatchObject({ status: 200, text: 'ok\n' })
      expect(await rawRequest(`${origin}/readyz`, { method: 'GET' })).toMatchObject({ status: 200, text: 'ready\n' })
      const missing = await rawRequest(`${origin}/nothing/here`, { method: 'GET', headers: { accept: 'text/html' } })
      expect(missing.status).toBe(404)
      expect(missing.headers['x-content-type-options']).toBe('nosniff')
      expect(missing.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(missing.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
  test('sends pages to where they live', async () => {
    const get = (path: string, headers = {}) => rawRequest(`${system.origins.web}${path}`, { method: 'GET', headers })
    expect((await get('/')).headers.location).toBe('/gpc/')
    expect((await get('/gpc')).headers.location).toBe('/gpc/')
    expect((await get('/sso?x=1')).headers.location).toBe('/sso/?x=1')
    expect((await get('/iam')).headers.location).toBe('/iam/')
    expect((await get('/docs')).headers.location).toBe('/docs/')
    const page = { accept: 'text/html', host: 'localhost:4990' }
    expect((await get('/gpc/x?y', page)).headers.location).toBe(`${WEB_ORIGIN}/gpc/x?y`)
    const html = { accept: 'text/html' }
    // A screen's address without its hash, as somebody types it.
    expect((await get('/gpc/managements/media?q=1', html)).headers.location).toBe('/gpc/#/managements/media?q=1')
    expect((await get('/iam/users/invite', html)).headers.location).toBe('/iam/#/users/invite')
    for (const other of ['/gpc/callback', '/gpc/a//evil.example/x', '/gpc/assets/x.js'])
      expect((await get(other, html)).headers.location).toBeUndefined()
    expect((await get('//evil.example/x', page)).headers.location ?? '').not.toContain('evil')
    const config = await get('/gpc/config.json')
    expect(JSON.parse(config.text)).toMatchObject({
      oidcIssuer: `${WEB_ORIGIN}/oidc`,
      deployedServices: ['/iam/', '/gpc/'],
    })
    // Another system of the platform serves it; where none does, the page says whose it would be.
    const elsewhere = await get('/coupon/')
    expect(elsewhere.status).toBe(404)
    expect(elsewhere.text).toContain('「クーポン管理」はこの環境に接続されていません')
  })
  test('pages of the applications name the origins of the APIs, so that the connections are there in time', async () => {
    const built = fs.mkdtempSync(path.join(os.tmpdir(), 'built-pages-'))
    for (const app of ['console', 'iam', 'sso']) {
      fs.mkdirSync(path.join(built, `apps/${app}/dist`), { recursive: true })
      fs.writeFileSync(path.join(built, `apps/${app}/dist/index.html`), '<!doctype html>')
    }
    const { log, isReady } = system.dependencies
    const handle = webHandler(system.dependencies, built)
    const listener = await openListener({ name: 'web', host: '127.0.0.1', port: 0, log, isReady, headers: {}, handle })
    try {
      const linkOf = async (address: string) =>
        String((await rawRequest(`http://127.0.0.1:${listener.port}${address}`, { method: 'GET' })).headers.link)
      const link = await linkOf('/gpc/')
      // Both APIs are at one origin here, which no browser can reach.
      expect(link).toBe('<http://127.0.0.1:0>; rel=preconnect')
      expect(await linkOf('/iam/')).toBe(link)
      expect([await linkOf('/sso/'), await linkOf('/gpc/config.json')]).toEqual(['undefined', 'undefined'])
    } finally {
      await listener.close()
      fs.rmSync(built, { recursive: true })
    }
  })
  test('keeps page views of our own pages only', async () => {
    const send = (headers: http.OutgoingHttpHeaders, body: unknown) =>
      rawRequest(`${system.origins.web}/analytics/page-views`, {
        headers: { ...JSON_HEADERS, ...headers },
        body: JSON.stringify(body),
      })
    const own = { origin: WEB_ORIGIN, authorization: `Bearer ${admin}` }
    const title = `ダッシュ\u0000ボード${'長'.repeat(200)}`
    expect((await send(own, { path: '/reports/dashboard', title })).status).toBe(204)
    expect((await send(own, { path: '/reports/articles', title: 5 })).status).toBe(204)
    expect((await send(own, { path: '/reports/dashboard?month=1' })).status).toBe(400)
    expect((await send(own, { path: 'https://evil.example' })).status).toBe(400)
    expect((await send(own, { path: '/users/edit/$userID' })).status).toBe(204)
    for (const row of ['12', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'])
      expect((await send(own, { path: `/users/edit/${row}` })).status).toBe(400)
    expect((await send({ origin: 'http://evil.example' }, { path: '/reports' })).status).toBe(403)
    const rows = await system.dependencies.database.inScope({ kind: 'all' }, tx =>
      tx.selectFrom('pageViews').select(['path', 'uid', 'title']).orderBy('id').execute(),
    )
    const { uid } = system.rows.users.admin
    expect(rows).toEqual([
      { path: '/reports/dashboard', uid, title: expect.stringMatching(/^ダッシュ.?ボード長{93}$/) },
      { path: '/reports/articles', uid, title: null },
      { path: '/users/edit/$userID', uid, title: null },
    ])
  })
})
