import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPostAddress, openSafePost, type SafePostOptions } from './safe-post.ts'

const requested: string[] = []
let port = 0
const receiver = http.createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`)
  request.resume()
  if (request.url === '/silent') return
  if (request.url === '/away') response.writeHead(307, { location: '/elsewhere' }).end()
  // Never ends: its body is not waited for.
  else response.writeHead(200).write('x'.repeat(1_000))
})
beforeAll(async () => {
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const post = (address: string, options: SafePostOptions = {}) =>
  openSafePost({ allowedPorts: [port], mayBePlain: true, totalTimeoutMs: 300, ...options })(address, {
    ...{ body: '{}', headers: {} },
  })
const open: SafePostOptions = { isAllowedAddress: () => true }

test('any answer is an answer: a redirect is not followed, an endless body not read', async () => {
  requested.length = 0
  expect(await post(`http://127.0.0.1:${port}/away`, open)).toEqual({ status: 307 })
  expect(await post(`http://127.0.0.1:${port}/endless`, open)).toEqual({ status: 200 })
  expect(requested).toEqual(['POST /away', 'POST /endless'])
})

test('a receiver that does not answer is left', async () => {
  expect(await post(`http://127.0.0.1:${port}/silent`, open)).toEqual({ problem: 'timed-out' })
})

test('nothing inside is reached: by address, by name, by a name with one public address among others', async () => {
  requested.length = 0
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ problem: 'address-not-public' })
  expect(await post(`http://localhost:${port}/`)).toEqual({ problem: 'address-not-public' })
  for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1'])
    expect(await post(`http://hooks.example.com:${port}/`, { resolve: async () => ['93.184.216.34', inside] })).toEqual(
      {
        problem: 'address-not-public',
      },
    )
  expect(requested).toEqual([])
})

test('plain HTTP, credentials and other ports are refused before anything is resolved', async () => {
  const resolve = () => Promise.reject(new Error('resolved'))
  const addresses = [
    'http://hooks.example.com/',
    'https://u:p@hooks.example.com/',
    'https://hooks.example.com:22/',
    'x',
  ]
  for (const address of addresses) {
    expect(isPostAddress(address)).toBe(false)
    const send = openSafePost({ resolve })
    expect(await send(address, { body: '', headers: {} })).toEqual({ problem: 'url-not-allowed' })
  }
  expect(isPostAddress('https://hooks.example.com:8443/a?b=c')).toBe(true)
})

test('an address that is not public is no address to register, as far as its text shows it', () => {
  const inside = [
    'https://10.0.0.1/x',
    'https://127.1/',
    'https://169.254.169.254/',
    'https://[::1]:8443/',
    'https://[fd00::1]/',
  ]
  for (const address of inside) expect(isPostAddress(address), address).toBe(false)
  expect(isPostAddress('https://8.8.8.8/')).toBe(true)
  expect(isPostAddress('https://[2600:1f18::1]/')).toBe(true)
})
