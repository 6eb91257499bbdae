import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixedClock } from '../clock.ts'
import { openMail } from './open-mail.ts'
import { renderEmail } from './render-email.ts'

const clock = fixedClock('2026-04-01T09:00:00+09:00')
let dataDir: string
beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-mail-'))
})
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))
const settings = (smtpUrl?: string, supportContact?: string) => ({
  smtpUrl,
  mailFrom: 'no-reply@example.jp',
  dataDir,
  supportContact,
})
const outbox = () => fs.readdirSync(path.join(dataDir, 'outbox'))

const decoded = (eml: string) =>
  eml.replace(/Content-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g, (_, body: string) =>
    Buffer.from(body, 'base64').toString('utf8'),
  )

test('without a server a mail is one whole file that only the operator can read', async () => {
  const send = openMail(settings(), clock)
  await send(
    renderEmail({
      to: 'taro@example.jp',
      subject: '【重要】口座変更の申請',
      paragraphs: ['<b>株式会社A & B</b> から申請がありました。', '内容を確認してください。'],
      action: { label: '申請を確認する', url: 'https://example.jp/gpc/#/bank-accounts?a=1&b=2' },
    }),
  )
  const files = outbox()
  expect(files).toEqual([expect.stringMatching(/^2026-04-01T000000\.000Z-[0-9a-f]{8}\.eml$/)])
  const file = path.join(dataDir, 'outbox', files[0] ?? '')
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  const eml = fs.readFileSync(file, 'utf8')
  expect(eml).toMatch(/^To: taro@example\.jp\r$/m)
  expect(eml).toMatch(/^From: "?Publisher Center"? <no-reply@example\.jp>\r$/m)
  const text = decoded(eml)
  expect(text).toContain('<b>株式会社A & B</b> から申請がありました。')
  expect(text).toContain('&lt;b&gt;株式会社A &amp; B&lt;/b&gt; から申請がありました。')
  expect(text).not.toContain('href="javascript')
})

test.each([
  ['help@example.jp', 'href="mailto:help@example.jp"'],
  ['https://help.example.jp/?a=1&b=2', 'href="https://help.example.jp/?a=1&amp;b=2"'],
])('every mail ends with where to ask: %s', async (contact, href) => {
  const before = new Set(outbox())
  const message = renderEmail({ to: 'taro@example.jp', subject: '件名', paragraphs: ['本文です。'] })
  await openMail(settings(undefined, contact), clock)(message)
  const added = outbox().find(name => !before.has(name)) ?? ''
  const eml = decoded(fs.readFileSync(path.join(dataDir, 'outbox', added), 'utf8'))
  expect(eml.split(`お問い合わせ：${contact}`)).toHaveLength(2)
  expect(eml).toContain(href)
})

test.each([
  ['a subject', { to: 'taro@example.jp', subject: '件名\r\nBcc: evil@example.com\r\n\r\n本文', text: 'x' }],
  ['a subject with lone line feeds', { to: 'taro@example.jp', subject: 'a\nBcc: evil@example.com\u2028b', text: 'x' }],
])('%s becomes no header', async (_name, mail) => {
  const before = new Set(outbox())
  await openMail(settings(), clock)(mail)
  const added = outbox().find(name => !before.has(name)) ?? ''
  const head = fs.readFileSync(path.join(dataDir, 'outbox', added), 'utf8').split('\r\n\r\n')[0] ?? ''
  expect(head).not.toMatch(/^bcc:/im)
  expect(head.match(/^subject:/gim)).toHaveLength(1)
})

test.each(['a@example.jp\r\nBcc: b@example.com', 'a@example.jp, b@example.jp', '"a" <a@example.jp>', 'A@example.jp'])(
  'the recipient %j is refused',
  async to => {
    await expect(openMail(settings(), clock)({ to, subject: 'x', text: 'x' })).rejects.toThrow('not a mail address')
  },
)

test('only an email without which nothing happens may be thrown away by who does not know of it', () => {
  const message = { to: 'a@example.jp', subject: 'x', paragraphs: ['心当たりがない場合は、すぐにご連絡ください。'] }
  const notice = renderEmail(message)
  expect(`${notice.text}${notice.html}`).not.toContain('破棄')
  const request = renderEmail({ ...message, paragraphs: ['登録してください。'], mayBeThrownAway: true })
  for (const form of [request.text, request.html ?? ''])
    expect(form).toContain('お心当たりがない場合は、このメールを破棄してください。')
})

test('an email links to http(s) only', () => {
  const message = {
    to: 'a@example.jp',
    subject: 'x',
    paragraphs: [],
    action: { label: 'x', url: 'javascript:alert(1)' },
  }
  expect(() => renderEmail(message)).toThrow(TypeError)
})

test('with SMTP_URL it goes to that server, to the one recipient', async () => {
  const lines: string[] = []
  const server = net.createServer(socket => {
    let inData = false
    socket.write('220 test ESMTP\r\n')
    socket.on('data', chunk => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        lines.push(line)
        if (inData) {
          if (line !== '.') continue
          inData = false
          socket.write('250 queued\r\n')
        } else if (line === 'DATA') {
          inData = true
          socket.write('354 go\r\n')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as net.AddressInfo
    await openMail(
      settings(`smtp://127.0.0.1:${port}?ignoreTLS=true`),
      clock,
    )({ to: 'taro@example.jp', subject: '件名', text: '本文' })
  } finally {
    server.close()
  }
  expect(lines.filter(line => /^(MAIL|RCPT)/.test(line))).toEqual([
    'MAIL FROM:<no-reply@example.jp>',
    'RCPT TO:<taro@example.jp>',
  ])
})
