import { setImmediate } from 'node:timers/promises'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { beforeTimer } from '@pc/testing/before-timer.ts'
import { GraphQLError } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listener, openListener } from '../http/listener.ts'
import { openLog } from '../log.ts'
import { ReaderGate } from '../stats/reader-gate.ts'
import { queryHandler } from './answer-query.ts'
import { field, openField } from './field.ts'
import { finishGraph } from './finish-graph.ts'
import { openGraph } from './graph.ts'
import { refusalError, refuse } from './refusal-error.ts'

const SECRET = 'postgres://owner:hunter2@db.internal/accounts'
const logged: string[] = []
const log = openLog('debug', { write: (line: string) => logged.push(line) } as unknown as NodeJS.WritableStream)
const gate = new ReaderGate()
let listener: Listener

function graphOfTroubles() {
  const graph = openGraph()
  const open = (name: string, resolve: (signal: AbortSignal) => string | Promise<string>) =>
    graph.queryField(name, t =>
      openField(t, {
        type: 'String',
        nullable: true,
        allow: 'public',
        resolve: (_p, _a, context) => resolve(context.signal),
      }),
    )
  graph.queryType({})
  open('fine', () => 'fine')
  open('fault', () => {
    throw Object.assign(new Error(`could not connect to ${SECRET}`), { detail: 'row (12345, 口座番号 7654321)' })
  })
  open('laterFault', async () => {
    await Promise.resolve()
    throw new TypeError('reading x of undefined')
  })
  open('thrownText', () => {
    throw SECRET
  })
  open('refused', () => refuse('list/limit-out-of-range', ['limit'], { max: 1000 }))
  open('refusedTwice', () => {
    throw refusalError([
      refusal('list/offset-out-of-range', ['offset']),
      refusal('id/not-a-number', ['param', 'mediumId']),
    ])
  })
  graph.queryField('secret', t =>
    field(t, {
      type: 'String',
      nullable: true,
      args: { word: t.arg.string() },
      allow: 'read:list',
      on: 'insight:feed.',
      resolve: () => 'secret',
    }),
  )
  open('proof', () => {
    throw new GraphQLError('proof', { extensions: { code: 'FORBIDDEN', needsStepUp: true } })
  })
  open(
    'endless',
    signal => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  )
  open('deaf', () => new Promise(() => {}))
  open('deafReader', async () => {
    await gate.read(async () => {})
    return new Promise(() => {})
  })
  return finishGraph(graph)
}

beforeAll(async () => {
  const viewer: Viewer | null = null
  listener = await openListener({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    log,
    headers: {},
    isReady: () => Promise.reject(new Error('not yet')),
    timeoutMs: 300,
    handle: queryHandler({
      schema: graphOfTroubles(),
      log,
      authenticate: async () => viewer,
      sourceAddress: () => '192.0.2.1',
      minimumClientVersion: undefined,
    }),
  })
})
afterAll(() => listener?.close())

async function ask(query: string) {
  const response = await fetch(`http://127.0.0.1:${listener.port}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

describe('a fault', () => {
  test.each(['fault', 'laterFault', 'thrownText'])(
    '(%s) is masked, keeps the other data, and is logged once',
    async name => {
      logged.length = 0
      const { status, text, headers } = await ask(`{ fine ${name} }`)
      const answer = JSON.parse(text)
      const requestId = headers.get('x-request-id')
      expect(status).toBe(200)
      expect(answer.data).toEqual({ fine: 'fine', [name]: null })
      expect(answer.errors).toEqual([
        {
          message: `処理中に問題が発生しました。時間をおいてもう一度お試しください。（受付番号：${requestId}）`,
          path: [name],
          locations: [{ line: 1, column: 8 }],
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
        },
      ])
      for (const inside of ['hunter2', 'TypeError', '7654321', 'db.internal']) expect(text).not.toContain(inside)
      const faults = logged.filter(line => line.includes('fault in a resolver'))
      expect(faults).toHaveLength(1)
      expect(faults[0]).toContain(requestId)
      expect(faults[0]).not.toContain('7654321') // properties of errors, which drivers fill with rows, are not logged
    },
  )
})

describe('a refusal', () => {
  test('is a BAD_REQUEST with the Japanese text and the field that it belongs to', async () => {
    const { errors } = JSON.parse((await ask('{ refused }')).text)
    expect(errors[0]).toMatchObject({
      message: '一度に取得できる件数は1件から1000件までです。',
      extensions: {
        code: 'BAD_REQUEST',
        refusals: [{ code: 'list/limit-out-of-range', path: ['limit'], data: { max: 1000 } }],
      },
    })
  })
  test('of several rules names all of them', async () => {
    const { errors } = JSON.parse((await ask('{ refusedTwice }')).text)
    expect(errors[0].extensions.refusals.map((one: { message: string }) => one.message)).toEqual([
      '取得の開始位置には0以上の数を指定してください。',
      'IDには数字を指定してください。',
    ])
  })
})

describe('an access error', () => {
  test('is logged once for the request: who, from where, which fields, and nothing that was typed', async () => {
    logged.length = 0
    const { errors } = JSON.parse((await ask('{ fine secret(word: "typed") again: secret(word: "typed") }')).text)
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED')
    const lines = logged.filter(line => line.includes('access-refused')).map(line => JSON.parse(line))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ reason: 'UNAUTHENTICATED', uid: null, sourceAddress: '192.0.2.1' })
    expect(lines[0].requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.stringify(lines)).not.toContain('typed')
  })
  test('that only asks for the password again, a refusal by a rule, and a fault are not logged as one', async () => {
    logged.length = 0
    for (const query of ['{ proof }', '{ refused }', '{ fault }', '{ fine }']) await ask(query)
    expect(logged.filter(line => line.includes('access-refused'))).toEqual([])
  })
})

describe('a request that takes too long', () => {
  test.each(['endless', 'deaf'])('(%s) is answered when its time is over', async name => {
    const answer = await beforeTimer(ask(`{ ${name} }`), 10_000)
    if (answer === 'too late') throw new Error(answer)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
  })
  test.each(['{ deafReader }', '{ fine deafReader fault }'])('(%s) keeps no publication waiting', async query => {
    expect((await ask(query)).status).toBe(503)
    expect(
      await beforeTimer(
        gate.write(async () => {}),
        10_000,
      ),
    ).not.toBe('too late')
  })
})

describe('the listener', () => {
  test('is alive though not ready, and says so', async () => {
    const get = (path: string) => fetch(`http://127.0.0.1:${listener.port}${path}`)
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/readyz')).status).toBe(503)
  })
  test('says which port is in use', async () => {
    const again = openListener({
      name: 'insight API',
      host: '127.0.0.1',
      port: listener.port,
      log,
      headers: {},
      isReady: () => true,
      handle: () => {},
    })
    await expect(again).rejects.toThrow(`Port ${listener.port} (insight API) is in use`)
  })
  test('finishes what runs before it closes', async () => {
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = await openListener({
      name: 'slow',
      host: '127.0.0.1',
      port: 0,
      log,
      headers: {},
      isReady: () => true,
      async handle(_request, response) {
        begun.resolve()
        await mayEnd.promise
        response.end('done')
      },
    })
    const order: string[] = []
    const running = fetch(`http://127.0.0.1:${slow.port}/`).then(async response => order.push(await response.text()))
    await begun.promise
    const closing = slow.close().then(() => order.push('closed'))
    // What does not wait for the request would be closed after a few turns.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    expect(order).toEqual([])
    mayEnd.resolve()
    await Promise.all([running, closing])
    expect(order.toSorted()).toEqual(['closed', 'done'])
    await expect(fetch(`http://127.0.0.1:${slow.port}/`)).rejects.toThrow()
  })
})
