import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openLog } from '../log.ts'
import { clamdScanner } from './scan-file.ts'

/** The harmless text that every scanner finds (eicar.org), put together so that no scanner finds this file. */
const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** clamd's side of INSTREAM, byte by byte: a server that looks for the text in what it put together again. */
async function scannerAt(
  place: 'port' | 'socket',
  say: (stream: Buffer) => string = stream =>
    stream.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0',
): Promise<{ address: string; received: Buffer[] }> {
  const received: Buffer[] = []
  const server = net.createServer(socket => {
    let all = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', piece => {
      all = Buffer.concat([all, piece as Buffer])
      const command = 'zINSTREAM\0'
      if (all.length < command.length || all.toString('latin1', 0, command.length) !== command) return
      const pieces: Buffer[] = []
      for (let at = command.length; at + 4 <= all.length; ) {
        const length = all.readUInt32BE(at)
        if (length === 0) {
          const stream = Buffer.concat(pieces)
          received.push(stream)
          socket.write(say(stream))
          return
        }
        pieces.push(all.subarray(at + 4, at + 4 + length))
        at += 4 + length
      }
    })
  })
  closing.push(() => server.close())
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clamd-'))
  closing.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'clamd.sock')
  await new Promise<void>(resolve => {
    if (place === 'socket') server.listen(file, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
  const port = place === 'port' ? (server.address() as net.AddressInfo).port : 0
  return { address: place === 'socket' ? file : `127.0.0.1:${port}`, received }
}

function logged() {
  const lines: string[] = []
  const log = openLog('debug', { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream)
  return { lines, log }
}

describe.each(['port', 'socket'] as const)('at a %s', place => {
  test('a clean file passes, whole, in more than one piece', async () => {
    const { address, received } = await scannerAt(place)
    const bytes = Buffer.alloc(1_000_003, 'publisher')
    expect(await clamdScanner(address, logged().log)(bytes)).toBe('clean')
    expect(received.map(stream => stream.equals(bytes))).toEqual([true])
  })
  test('what it finds is reported, and logged by name', async () => {
    const { address } = await scannerAt(place)
    const { lines, log } = logged()
    expect(await clamdScanner(address, log)(Buffer.concat([Buffer.alloc(300_000), EICAR]))).toBe('infected')
    expect(lines.join('')).toContain('Eicar-Test-Signature')
  })
})

test.each([
  ['an error of its own', 'INSTREAM size limit exceeded. ERROR\0'],
  ['another answer that begins well', 'stream: OK but\0'],
  ['nothing that ends', 'x'.repeat(10_000)],
])('%s is no verdict', async (_name, said) => {
  const { address } = await scannerAt('port', () => said)
  const { lines, log } = logged()
  await expect(clamdScanner(address, log)(Buffer.from('x'))).rejects.toThrow()
  expect(lines).toHaveLength(1)
})

test('a scanner that is silent, hangs up, or is not there gives none either', async () => {
  const scan = async (listener: (socket: net.Socket) => void) => {
    const server = net.createServer(socket => listener(socket.on('error', () => {})))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    return clamdScanner(`127.0.0.1:${(server.address() as net.AddressInfo).port}`, logged().log, 300)(EICAR)
  }
  await expect(scan(() => {})).rejects.toThrow('no verdict within 300 ms')
  await expect(scan(socket => socket.end('stream: O'))).rejects.toThrow()
  await expect(clamdScanner('/nowhere/clamd.sock', logged().log)(EICAR)).rejects.toThrow('ENOENT')
})
