import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerClientError } from './client-error.ts'

/** Node's parser and its time limits, on real connections. */
let server: Server
beforeAll(async () => {
  server = createServer({
    headersTimeout: 100,
    requestTimeout: 100,
    connectionsCheckingInterval: 20,
    maxHeaderSize: 1_000,
  })
  server.on('clientError', answerClientError)
  server.on('request', (_request, response) => response.end('ok'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

/** What the server sends until it closes the connection. */
async function answerTo(sent: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', chunk => {
    received += chunk
  })
  if (sent !== '') socket.write(sent)
  await once(socket, 'close')
  return received
}

test('a connection on which nothing came is closed without an answer', async () => {
  expect(await answerTo('')).toBe('')
})

test.each([
  ['GET / HTTP/1.1\r\nhost: x\r\n', '408 Request Timeout'],
  [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(2_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ['nonsense\r\n\r\n', '400 Bad Request'],
])('%j is answered %s', async (sent, status) => {
  expect(await answerTo(sent)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
})
