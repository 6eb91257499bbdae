import net from 'node:net'

export interface LineAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: Buffer
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const NOTHING: Buffer = Buffer.alloc(0)

/**
 * A minimal HTTP/1.1 client with one keep-alive connection and one `POST /query` at a time. It only understands what
 * our server sends (answers with a length), because the load generator shares the processors with the server and must
 * be cheap.
 */
export class LineClient {
  readonly #port: number
  #socket: net.Socket | undefined
  #received: Buffer[] = []
  #head: { readonly status: number; readonly retryAfter: string | undefined; readonly ends: boolean } | undefined
  #missing = 0
  #done: ((answer: LineAnswer) => void) | undefined

  constructor(port: number) {
    this.#port = port
  }

  post(token: string, body: string): Promise<LineAnswer> {
    if (this.#done) throw new Error('one question at a time')
    return new Promise(resolve => {
      this.#done = resolve
      this.#head = undefined
      this.#received = []
      this.#connected().write(
        `POST /query HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connected(): net.Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.on('data', chunk => this.#read(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      // The server closed the connection after its last answer; the next request opens another one.
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#end({ status: 0, retryAfter: undefined, body: NOTHING })
    })
    this.#socket = socket
    return socket
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk)
    if (!this.#head) {
      const all = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
      const end = all.indexOf(END_OF_HEAD)
      if (end < 0) return
      const text = all.toString('latin1', 0, end).toLowerCase()
      const length = headerOf(text, 'content-length')
      this.#head = {
        status: length === undefined ? 0 : Number(text.slice(9, 12)),
        retryAfter: headerOf(text, 'retry-after'),
        ends: headerOf(text, 'connection') === 'close',
      }
      const rest = all.subarray(end + END_OF_HEAD.length)
      this.#received = [rest]
      this.#missing = Number(length ?? 0) - rest.length
    } else this.#missing -= chunk.length
    if (this.#missing > 0) return
    const { status, retryAfter, ends } = this.#head
    const body = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received)
    if (ends) {
      const socket = this.#socket
      this.#socket = undefined
      socket?.destroy()
    }
    this.#end({ status, retryAfter, body })
  }

  #end(answer: LineAnswer): void {
    const done = this.#done
    this.#done = undefined
    done?.(answer)
  }
}

function headerOf(head: string, name: string): string | undefined {
  const start = head.indexOf(`\r\n${name}: `)
  if (start < 0) return undefined
  const end = head.indexOf('\r\n', start + 2)
  return head.slice(start + name.length + 4, end < 0 ? undefined : end)
}
