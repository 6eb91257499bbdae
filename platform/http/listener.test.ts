import type { ServerResponse } from 'node:http'
import { Worker } from 'node:worker_threads'
import { openLog } from '@pc/platform/log.ts'
import { afterEach, expect, test } from 'vitest'
import { type Listener, openListener } from './listener.ts'

const CALLERS = 900
const TOO_LATE_MS = 900

const OPTIONS = {
  ...{ name: 'test', host: '127.0.0.1', port: 0, headers: {} },
  log: openLog('silent'),
  isReady: () => true,
}
let listener: Listener | undefined
afterEach(() => listener?.close())

test('a burst of connections is accepted while the process is busy, before a packet is sent again', async () => {
  listener = await openListener({ ...OPTIONS, handle: (_request, response) => void response.end() })
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const callers = new Worker(CALL, {
    eval: true,
    workerData: { shared, port: listener.port, callers: CALLERS, tooLateMs: TOO_LATE_MS },
  })
  await new Promise(resolve => callers.once('online', resolve))
  // The thread that accepts connections does nothing until they have had their time.
  Atomics.wait(shared, 0, 0, 20_000)
  await callers.terminate()
  expect(shared[1]).toBe(CALLERS)
})

const CALL = `
  const { workerData: { shared, port, callers, tooLateMs } } = require('node:worker_threads')
  const sockets = Array.from({ length: callers }, () => require('node:net').connect(port, '127.0.0.1'))
  const end = () => { Atomics.store(shared, 0, 1); Atomics.notify(shared, 0) }
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.on('connect', () => { if (Atomics.add(shared, 1, 1) + 1 === callers) end() })
  }
  setTimeout(end, tooLateMs)
`

test('a page may read that the listener is busy, and when to come back', async () => {
  const held: ServerResponse[] = []
  listener = await openListener({
    ...OPTIONS,
    crossOrigin: { origins: ['https://console.example.jp'] },
    handle: (_request, response) => void held.push(response),
  })
  const address = `http://127.0.0.1:${listener.port}/query`
  const headers = { origin: 'https://console.example.jp' }
  const waiting = Array.from({ length: 512 }, () => fetch(address, { headers }))
  await expect.poll(() => held.length).toBe(512)
  const busy = await fetch(address, { headers })
  expect(busy.status).toBe(503)
  expect(Object.fromEntries(busy.headers)).toMatchObject({
    'access-control-allow-origin': 'https://console.example.jp',
    'retry-after': '1',
  })
  expect((await fetch(address, { headers: { origin: 'https://other.example' } })).status).toBe(403)
  for (const response of held) response.end()
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200)
})
