import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { openLog } from '@pc/platform/log.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ControlHandlers, type ControlStream, openControlSocket } from './control-socket.ts'

let folder: string
let control: { close(): Promise<void> } | undefined
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'control-'))
})
afterEach(async () => {
  await control?.close()
  control = undefined
  fs.rmSync(folder, { recursive: true })
})

async function open(handlers: ControlHandlers, streams: readonly ControlStream[] = []) {
  control = await openControlSocket(path.join(folder, 'socket'), handlers, streams, openLog('silent'))
}

function send(address: string, body?: string, method = 'POST'): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>()
  const request = http.request({ socketPath: path.join(folder, 'socket'), path: address, method }, async response => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
  })
  request.on('error', reject)
  request.end(body)
  return promise
}

test('a command gets its object and answers with a status of its own', async () => {
  await open({ '/double': async ({ n }) => ({ status: 201, body: { n: Number(n) * 2 } }) })
  expect(await send('/double', '{"n":21}')).toEqual({ status: 201, body: { n: 42 } })
})

test('what is no command, no POST or no object is refused', async () => {
  await open({ '/double': async () => ({ status: 200, body: {} }) })
  expect(await send('/triple', '{}')).toEqual({ status: 404, body: { message: 'No such command: /triple' } })
  expect(await send('/toString', '{}')).toMatchObject({ status: 404 })
  expect(await send('/double', undefined, 'GET')).toMatchObject({ status: 404 })
  for (const body of ['[]', 'null', '1', '{', ''])
    expect(await send('/double', body), body).toMatchObject({ status: 400 })
  expect(await send('/double', JSON.stringify({ text: 'a'.repeat(70_000) }))).toMatchObject({ status: 413 })
})

test('a fault says nothing of its cause', async () => {
  await open({
    '/broken': () => {
      throw new Error('secret')
    },
  })
  const answer = await send('/broken', '{}')
  expect(answer.status).toBe(500)
  expect(JSON.stringify(answer.body)).not.toContain('secret')
})

test('a stream takes its own requests before the commands', async () => {
  await open({ '/double': async () => ({ status: 200, body: { from: 'command' } }) }, [
    async (request, response) => {
      if (request.url !== '/upload') return false
      response.end('{"from":"stream"}')
      return true
    },
  ])
  expect((await send('/upload', 'not json')).body).toEqual({ from: 'stream' })
  expect((await send('/double', '{}')).body).toEqual({ from: 'command' })
})
