import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { answerJson } from './json-endpoint.ts'

const ORIGIN = 'https://pc.example'

async function answerOf(handle: (response: ServerResponse) => void) {
  const faults: unknown[] = []
  const server = createServer((_request, response) => {
    try {
      handle(response)
    } catch (error) {
      faults.push(error)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const text = await answer.text()
  await new Promise(resolve => server.close(resolve))
  return { status: answer.status, headers: answer.headers, text, faults }
}

test('an answer that comes after the request was given up is dropped: it is no fault', async () => {
  const { status, text, faults } = await answerOf(response => {
    response.writeHead(503).end('Timed out')
    answerJson(response, ORIGIN, 200, { late: true })
  })
  expect([status, text, faults]).toEqual([503, 'Timed out', []])
})

test('"not available now" says when to come back, other answers do not', async () => {
  const busy = await answerOf(response => answerJson(response, ORIGIN, 503, {}))
  expect(busy.headers.get('retry-after')).toBe('5')
  const fine = await answerOf(response => answerJson(response, ORIGIN, 200, { a: 1 }))
  expect([fine.status, fine.headers.get('retry-after'), fine.text]).toEqual([200, null, '{"a":1}'])
  expect(fine.headers.get('content-type')).toBe('application/json; charset=utf-8')
})
