import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { keyringOf, openKeyring, readKey, SealError } from './keyring.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-keyring-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const [one, two] = [randomBytes(32), randomBytes(32)]

test('what was sealed opens again, for the same purpose and owner only', () => {
  const ring = openKeyring([one])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, purpose, owner) => {
      const sealed = ring.seal(text, purpose, owner)
      expect(ring.open(sealed, purpose, owner)).toBe(text)
      expect(() => ring.open(sealed, `${purpose}x`, owner)).toThrow(SealError)
      expect(() => ring.open(sealed, purpose, `${owner}x`)).toThrow(SealError)
    }),
    { numRuns: 100 },
  )
  expect(ring.seal('a', 'p', 'o')).not.toBe(ring.seal('a', 'p', 'o'))
})

test('a changed or cut text is noticed', () => {
  const ring = openKeyring([one])
  const sealed = ring.seal('whsec_secret', 'p', 'o')
  const [version, id, content = ''] = sealed.split('.')
  const bytes = Buffer.from(content, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = changed[at]! ^ 1
    expect(() => ring.open(`${version}.${id}.${changed.toString('base64url')}`, 'p', 'o')).toThrow(SealError)
    const cut = bytes.subarray(0, at).toString('base64url')
    expect(() => ring.open(`${version}.${id}.${cut}`, 'p', 'o')).toThrow(SealError)
  }
  for (const wrong of ['', 's1', 'whsec_secret', sealed.replace('s1.', 's2.')])
    expect(() => ring.open(wrong, 'p', 'o')).toThrow(SealError)
})

test('the newest key seals, the older ones still open', () => {
  const [before, now] = [openKeyring([one]), openKeyring([two, one])]
  const old = before.seal('a', 'p', 'o')
  expect(now.open(old, 'p', 'o')).toBe('a')
  expect(old.startsWith(now.newestPrefix)).toBe(false)
  const again = now.seal('a', 'p', 'o')
  expect(again.startsWith(now.newestPrefix)).toBe(true)
  expect(() => before.open(again, 'p', 'o')).toThrow('is not here')
})

test('a key is 32 bytes, in base64, base64url or hex', () => {
  for (const format of ['base64', 'base64url', 'hex'] as const) expect(readKey(one.toString(format))).toEqual(one)
  for (const wrong of ['', 'password', 'a'.repeat(42), 'g'.repeat(64), one.subarray(1).toString('hex')])
    expect(readKey(wrong)).toBeUndefined()
})

test('where one process is all of it, a key file for its owner alone is made once; where several are, nothing is', () => {
  const dataDir = path.join(folder, 'data')
  const embedded = { secretsKeys: [], databaseUrl: undefined, clickhouseUrl: undefined, dataDir }
  const sealed = keyringOf(embedded)!.seal('a', 'p', 'o')
  expect(keyringOf(embedded)!.open(sealed, 'p', 'o')).toBe('a')
  expect(fs.statSync(path.join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600)
  const elsewhere = path.join(folder, 'elsewhere')
  const shared = { databaseUrl: 'postgres://x', clickhouseUrl: 'http://x', dataDir: elsewhere }
  expect(keyringOf({ ...shared, secretsKeys: [] })).toBeUndefined()
  expect(keyringOf({ ...shared, secretsKeys: [one] })).toBeDefined()
  expect(fs.existsSync(elsewhere)).toBe(false)
  // Its statistics lie in the data folder, which belongs to one process.
  expect(keyringOf({ ...embedded, databaseUrl: 'postgres://x' })!.open(sealed, 'p', 'o')).toBe('a')
  // A setting that takes over seals from now on, and the file still opens.
  const taken = keyringOf({ ...embedded, secretsKeys: [one] })!
  expect(taken.open(sealed, 'p', 'o')).toBe('a')
  expect(openKeyring([one]).open(taken.seal('b', 'p', 'o'), 'p', 'o')).toBe('b')
  fs.writeFileSync(path.join(dataDir, 'secrets.key'), 'x')
  expect(() => keyringOf(embedded)).toThrow('is damaged')
})

test('a first start that fails while it writes the key leaves none: the next one makes it', () => {
  const dataDir = path.join(folder, 'full')
  const embedded = { secretsKeys: [], databaseUrl: undefined, clickhouseUrl: undefined, dataDir }
  const write = vi.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
    throw new Error('ENOSPC')
  })
  expect(() => keyringOf(embedded)).toThrow('ENOSPC')
  write.mockRestore()
  const sealed = keyringOf(embedded)!.seal('a', 'p', 'o')
  expect(keyringOf(embedded)!.open(sealed, 'p', 'o')).toBe('a')
  expect(fs.readdirSync(dataDir)).toEqual(['secrets.key'])
})
