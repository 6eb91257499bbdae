import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Longest wait for an email on a busy machine, and the pause between two looks. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 200

/**
 * The link in the newest email to an address. Waits for the email, which a job sends after the change has committed.
 */
export async function linkInEmail(dataDir: string, to: string, part: string): Promise<string> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    for (const text of (await emails(path.join(dataDir, 'outbox'))).toReversed()) {
      if (!new RegExp(`^To: .*${to.replaceAll('.', '\\.')}`, 'mi').test(text)) continue
      const link = bodyOf(text)
        .match(/https?:\/\/\S+/g)
        ?.find(address => address.includes(part))
      if (link) return link
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`no email to ${to} with a link to ${part}`)
}

/** The newest email to an address that contains these words; waits for it. */
export async function emailTo(dataDir: string, to: string, words: string): Promise<string> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    for (const text of (await emails(path.join(dataDir, 'outbox'))).toReversed())
      if (new RegExp(`^To: .*${to.replaceAll('.', '\\.')}`, 'mi').test(text) && bodyOf(text).includes(words))
        return bodyOf(text)
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`no email to ${to} that says ${words}`)
}

async function emails(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => [])
  const whole = files.filter(file => file.endsWith('.eml')).sort()
  return Promise.all(whole.map(file => readFile(path.join(folder, file), 'utf8')))
}

/** The decoded plain-text part. */
function bodyOf(message: string): string {
  const part = /Content-Type: text\/plain[\s\S]*?\r?\n\r?\n([\s\S]*?)(?=\r?\n--|$(?![\s\S]))/i.exec(message)
  const header = /Content-Type: text\/plain[\s\S]*?\r?\n\r?\n/i.exec(message)?.[0] ?? ''
  const body = part?.[1] ?? ''
  if (/base64/i.test(header)) return Buffer.from(body, 'base64').toString('utf8')
  return body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
