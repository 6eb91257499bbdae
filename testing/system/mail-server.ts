import net from 'node:net'

/**
 * How a mail server behaves:
 * - `whole`: accepts every email;
 * - `silent`: accepts connections and answers nothing, not even to a running conversation, until it is whole again;
 * - `slow`: every line of a response comes four seconds late;
 * - `dying`: closes the connection at a step of the conversation, a different one each time, also after the last byte
 * of an email;
 * - `busy`: refuses for now (451);
 * - `refusing`: refuses the recipient for good (550).
 */
export type MailServerState = 'whole' | 'silent' | 'slow' | 'dying' | 'busy' | 'refusing'

export interface TakenMail {
  readonly to: string
  readonly messageId: string
  readonly content: string
}

export interface MailServer {
  readonly url: string
  /** Emails that it confirmed with 250 after the last byte. */
  readonly taken: readonly TakenMail[]
  become(state: MailServerState): void
  close(): Promise<void>
}

const SLOW_MS = 4_000
const STEPS = ['EHLO', 'MAIL', 'RCPT', 'DATA', 'content', 'end'] as const

/** A real SMTP server (RFC 5321, no extensions) on a free loopback port. */
export async function mailServer(): Promise<MailServer> {
  const taken: TakenMail[] = []
  const sockets = new Set<net.Socket>()
  /** Responses that are sent when the server is no longer silent. */
  let held: (() => void)[] = []
  let state: MailServerState = 'whole'
  let deaths = 0
  const server = net.createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const diesAt = state === 'dying' ? STEPS[deaths++ % STEPS.length] : undefined
    const say = (line: string, before?: () => void) => {
      const speak = () => {
        if (!socket.writable) return
        before?.()
        socket.write(`${line}\r\n`)
      }
      if (state === 'silent') held.push(() => say(line, before))
      else if (state === 'slow') setTimeout(speak, SLOW_MS)
      else speak()
    }
    let to = ''
    let content: string[] | undefined
    let rest = ''
    const step = (name: (typeof STEPS)[number]) => {
      if (diesAt !== name) return true
      socket.destroy()
      return false
    }
    const take = (lines: readonly string[]) => {
      const mail = {
        to,
        messageId: lines.find(line => /^message-id:/i.test(line))?.replace(/^[^:]*:\s*/, '') ?? '',
        content: lines.join('\n'),
      }
      say('250 taken', () => taken.push(mail))
    }
    const hear = (line: string) => {
      if (content) {
        if (line !== '.') {
          content.push(line)
          if (content.length === 3) step('content')
          return
        }
        const lines = content
        content = undefined
        if (step('end')) take(lines)
        return
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO' || command === 'HELO') {
        if (step('EHLO')) say('250 test')
      } else if (command === 'MAIL') {
        if (step('MAIL')) say(state === 'busy' ? '451 4.3.2 later' : '250 ok')
      } else if (command === 'RCPT') {
        to = /<([^>]*)>/.exec(line)?.[1] ?? ''
        if (step('RCPT')) say(state === 'refusing' ? '550 5.1.1 nobody here' : '250 ok')
      } else if (command === 'DATA') {
        if (!step('DATA')) return
        content = []
        say('354 go')
      } else if (command === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    socket.on('data', chunk => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    say('220 test')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    taken,
    become(next) {
      state = next
      const waiting = held
      held = []
      for (const speak of waiting) speak()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
