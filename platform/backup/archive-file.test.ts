import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ArchiveEntry } from './archive-entries.ts'
import { ArchiveError, type ArchiveSecret, readKeyFile, writeArchive } from './archive-file.ts'
import { archiveSecret } from './archive-secret.ts'
import { backUp, restore } from './back-up.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-archive-'))
const at = (name: string) => path.join(folder, name)
const KEY = randomBytes(32)
const PASSPHRASE = { passphrase: '五つの 無関係な 単語 をつなぐ' }
const CONTENT = randomBytes(900_000)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function* entries(): AsyncGenerator<ArchiveEntry> {
  yield { kind: 'folder', path: 'empty' }
  yield { kind: 'file', path: 'a/large', content: pieces(CONTENT) }
  yield { kind: 'file', path: 'a/nothing', content: pieces(Buffer.alloc(0)) }
}
async function* pieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < content.length; from += 100_000) yield content.subarray(from, from + 100_000)
}

beforeAll(async () => {
  await writeArchive(at('plain'), undefined, entries())
  await writeArchive(at('encrypted'), KEY, entries())
  await writeArchive(at('spoken'), PASSPHRASE, entries())
})

test.each([
  ['plain', KEY],
  ['plain', undefined],
  ['encrypted', KEY],
  ['spoken', PASSPHRASE],
] as const)('%s: what comes out is what went in, for its owner alone', async (name, secret) => {
  expect(fs.statSync(at(name)).mode & 0o777).toBe(0o600)
  fs.rmSync(at(`from-${name}`), { recursive: true, force: true })
  expect(await restore(at(name), at(`from-${name}`), secret)).toEqual({ files: 2 })
  expect(fs.readFileSync(at(`from-${name}/a/large`)).equals(CONTENT)).toBe(true)
  expect(fs.statSync(at(`from-${name}/a/nothing`)).size).toBe(0)
  expect(fs.statSync(at(`from-${name}/empty`)).isDirectory()).toBe(true)
  expect(fs.readdirSync(folder).filter(file => /\.(part|restoring)$/.test(file))).toEqual([])
})

const changed = (content: Buffer, where: number) => {
  const copy = Buffer.from(content)
  copy[where]! ^= 1
  return copy
}
const FRAME = 256 * 1024 + 16
const HEAD = 27

test.each<[string, 'plain' | 'encrypted' | 'spoken', ArchiveSecret | undefined, (whole: Buffer) => Buffer]>([
  ['another key', 'encrypted', randomBytes(32), whole => whole],
  ['no key', 'encrypted', undefined, whole => whole],
  ['a passphrase for a key', 'encrypted', PASSPHRASE, whole => whole],
  ['another passphrase', 'spoken', { passphrase: `${PASSPHRASE.passphrase}。` }, whole => whole],
  ['no passphrase', 'spoken', undefined, whole => whole],
  ['a key for a passphrase', 'spoken', KEY, whole => whole],
  ['a passphrase and a changed byte', 'spoken', PASSPHRASE, whole => changed(whole, whole.length >> 1)],
  ['an unknown protection', 'spoken', PASSPHRASE, whole => changed(whole, 10)],
  ['a changed salt', 'encrypted', KEY, whole => changed(whole, 15)],
  ['a changed first frame', 'encrypted', KEY, whole => changed(whole, 40)],
  ['a changed last byte', 'encrypted', KEY, whole => changed(whole, whole.length - 1)],
  ['a cut at a frame', 'encrypted', KEY, whole => whole.subarray(0, HEAD + FRAME)],
  ['a cut within a frame', 'encrypted', KEY, whole => whole.subarray(0, HEAD + FRAME + 1000)],
  [
    'swapped frames',
    'encrypted',
    KEY,
    whole =>
      Buffer.concat([
        whole.subarray(0, HEAD),
        whole.subarray(HEAD + FRAME, HEAD + 2 * FRAME),
        whole.subarray(HEAD, HEAD + FRAME),
        whole.subarray(HEAD + 2 * FRAME),
      ]),
  ],
  ['a changed middle', 'plain', undefined, whole => changed(whole, whole.length >> 1)],
  ['a cut end', 'plain', undefined, whole => whole.subarray(0, whole.length - 100)],
  ['the flag of encryption removed', 'encrypted', undefined, whole => changed(whole, 10)],
  ['another kind of file', 'plain', undefined, () => Buffer.from('a picture')],
])('%s is refused and leaves nothing behind', async (_, name, key, damage) => {
  fs.writeFileSync(at('damaged'), damage(fs.readFileSync(at(name))))
  await expect(restore(at('damaged'), at('refused'), key)).rejects.toThrow(ArchiveError)
  expect(fs.existsSync(at('refused'))).toBe(false)
  expect(fs.existsSync(at('refused.restoring'))).toBe(false)
})

test('no entry leads out of the folder', async () => {
  for (const outside of ['../x', '/etc/x', 'a/../../x', 'a//x']) {
    async function* hostile(): AsyncGenerator<ArchiveEntry> {
      yield { kind: 'folder', path: outside }
    }
    await writeArchive(at('hostile'), undefined, hostile())
    await expect(restore(at('hostile'), at('refused'), undefined)).rejects.toThrow(ArchiveError)
  }
})

test('nothing that exists is overwritten, and an empty folder is not a backup', async () => {
  await expect(restore(at('plain'), folder, undefined)).rejects.toThrow('not empty')
  const options = { key: undefined, importLockKey: 1 }
  await expect(backUp(at('from-plain'), at('new'), options)).rejects.toThrow('nothing to back up')
  fs.mkdirSync(at('system/postgres/cluster'), { recursive: true })
  await expect(backUp(at('system'), at('plain'), options)).rejects.toThrow('exists already')
  await expect(backUp(at('system'), at('system/inside'), options)).rejects.toThrow('somewhere else')
  fs.writeFileSync(at('short'), 'secret')
  expect(() => readKeyFile(at('short'))).toThrow('too short')
})

test('a passphrase comes from a file or the setting, long enough, and not beside a key file', () => {
  const none = { keyFile: undefined, passphraseFile: undefined, passphrase: undefined }
  expect(archiveSecret(none)).toBeUndefined()
  fs.writeFileSync(at('passphrase'), 'a passphrase of a file\n')
  fs.writeFileSync(at('key'), KEY)
  const [keyFile, passphraseFile] = [at('key'), at('passphrase')]
  expect(archiveSecret({ ...none, passphraseFile })).toEqual({ passphrase: 'a passphrase of a file' })
  expect(archiveSecret({ ...none, passphrase: 'か\u3099'.repeat(12) })).toEqual({ passphrase: 'が'.repeat(12) })
  expect(archiveSecret({ ...none, keyFile, passphrase: 'a passphrase of the setting' })).toEqual(KEY)
  expect(() => archiveSecret({ ...none, keyFile, passphraseFile })).toThrow('どちらか一方')
  expect(() => archiveSecret({ ...none, passphrase: '短い' })).toThrow('12文字以上')
})

test('the same passphrase encrypts every archive with another key', async () => {
  await writeArchive(at('spoken again'), PASSPHRASE, entries())
  const [one, other] = [fs.readFileSync(at('spoken')), fs.readFileSync(at('spoken again'))]
  expect(one.subarray(HEAD, HEAD + 1000).equals(other.subarray(HEAD, HEAD + 1000))).toBe(false)
  for (const text of [CONTENT.subarray(0, 32), Buffer.from(PASSPHRASE.passphrase), Buffer.from('a/large')])
    expect(one.includes(text)).toBe(false)
})
