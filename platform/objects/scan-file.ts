import net from 'node:net'
import type { Log } from '../log.ts'

/** `infected`: the scanner recognised malware. @throws Error when there is no reliable verdict */
export type ScanFile = (bytes: Buffer) => Promise<'clean' | 'infected'>

/** A person waits for the verdict. A picture of 5 MB takes far less. */
const ANSWER_MS = 8_000
const PIECE_BYTES = 256 * 1024
const MAX_ANSWER_BYTES = 4_096

/**
 * Scanner that uses ClamAV's daemon (`clamd`, command INSTREAM) at `host:port` or a Unix socket path. Findings and
 * missing answers are logged; the uploader does not learn the name of the malware.
 */
export function clamdScanner(address: string, log: Log, answerMs = ANSWER_MS): ScanFile {
  const colon = address.lastIndexOf(':')
  const place: net.NetConnectOpts = address.startsWith('/')
    ? { path: address }
    : { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }
  return async bytes => {
    try {
      const answer = await ask(place, bytes, answerMs)
      if (answer === 'stream: OK') return 'clean'
      if (!/^stream: .+ FOUND$/.test(answer)) throw new Error(`the malware scanner said: ${answer.slice(0, 200)}`)
      log.warn({ event: 'malware-found', found: answer.slice('stream: '.length, -' FOUND'.length) }, 'malware found')
      return 'infected'
    } catch (error) {
      log.error({ err: error }, 'a file was refused: the malware scanner gave no verdict')
      throw error
    }
  }
}

/** The INSTREAM protocol: chunks, each after its length in four bytes; a chunk of length 0 ends the stream. */
function ask(place: net.NetConnectOpts, bytes: Buffer, answerMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(place)
    let answer = ''
    const timer = setTimeout(() => socket.destroy(new Error(`no verdict within ${answerMs} ms`)), answerMs)
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      answer += piece
      const end = answer.indexOf('\0')
      if (end >= 0) {
        resolve(answer.slice(0, end).trim())
        socket.destroy()
      } else if (answer.length > MAX_ANSWER_BYTES) socket.destroy(new Error('the answer has no end'))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection ended before the verdict')) // no effect when the promise is already settled
    })
    socket.write('zINSTREAM\0')
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(piece.length)
      socket.write(length)
      socket.write(piece)
    }
    socket.write(Buffer.alloc(4))
  })
}
