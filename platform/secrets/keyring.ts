import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Encrypts secrets at rest, so that a copy of the database does not reveal them. AES-256-GCM with a separate key for
 * each purpose (HKDF-SHA-256) and a random 96-bit nonce. The owner is authenticated, so a sealed text opens for no
 * other owner.
 */
export interface Keyring {
  /** @returns `s1.<id of the key>.<nonce, text and tag as base64url>` */
  seal(text: string, purpose: string, owner: string): string
  /** @throws SealError when the key is missing, the text was changed, or purpose or owner differ */
  open(sealed: string, purpose: string, owner: string): string
  /** Prefix of texts sealed with the newest key. Texts with another prefix should be sealed again. */
  readonly newestPrefix: string
}

export class SealError extends Error {
  override name = 'SealError'
  /** Id of the key that is not configured; undefined: the key was found, or the text was malformed. */
  readonly missingKeyId: string | undefined

  constructor(message: string, missingKeyId?: string) {
    super(message)
    this.missingKeyId = missingKeyId
  }
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 's1'

/** Parses a key: 32 bytes as base64, base64url or hex. @returns undefined for anything else */
export function readKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const isBase64 = /^[\w+/-]{43}=?$/.test(text)
  if (!isHex && !isBase64) return undefined
  return Buffer.from(text, isHex ? 'hex' : 'base64')
}

/** @param keys newest first: it encrypts, all of them decrypt */
export function openKeyring(keys: readonly [Buffer, ...Buffer[]]): Keyring {
  const named = keys.map(key => ({ key, id: createHash('sha256').update('id').update(key).digest('hex').slice(0, 8) }))
  const newest = named[0]!
  return {
    newestPrefix: `${VERSION}.${newest.id}.`,
    seal(text, purpose, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(newest.key, purpose), nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${this.newestPrefix}${sealed.toString('base64url')}`
    },
    open(sealed, purpose, owner) {
      const [version, id, content = ''] = sealed.split('.')
      const found = named.find(one => one.id === id)
      if (version !== VERSION || !found) throw new SealError(`sealed with the key ${id}, which is not here`, id)
      const bytes = Buffer.from(content, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealError('a sealed secret is cut off')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyOf(found.key, purpose), nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
      } catch {
        throw new SealError('a sealed secret was changed, or belongs elsewhere')
      }
    },
  }
}

function keyOf(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES))
}

interface Installation {
  readonly secretsKeys: readonly Buffer[]
  readonly databaseUrl: string | undefined
  readonly clickhouseUrl: string | undefined
  readonly dataDir: string
}

/** Whether a single process is the whole installation, because its data folder holds the statistics or everything. */
export function isOneProcess({ databaseUrl, clickhouseUrl }: Installation): boolean {
  return databaseUrl === undefined || clickhouseUrl === undefined
}

/**
 * The keyring of an installation: `SECRETS_KEY`, or with a single process the key file in its data folder, created at
 * first use. An existing key file still decrypts after `SECRETS_KEY` was set.
 * @returns undefined: no key is configured
 */
export function keyringOf(config: Installation): Keyring | undefined {
  const [newest, ...older] = config.secretsKeys
  if (!isOneProcess(config)) return newest && openKeyring([newest, ...older])
  if (!newest) return openKeyring([keyOfFile(config.dataDir)])
  const file = keyFile(config.dataDir)
  return openKeyring(fs.existsSync(file) ? [newest, ...older, keyOfFile(config.dataDir)] : [newest, ...older])
}

function keyFile(dataDir: string): string {
  return path.join(dataDir, 'secrets.key')
}

function keyOfFile(dataDir: string): Buffer {
  const file = keyFile(dataDir)
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!fs.existsSync(file)) makeKeyFile(file)
  const key = readKey(fs.readFileSync(file, 'utf8').trim())
  if (!key) throw new SealError(`${file} is damaged: put it back from a backup`)
  return key
}

/** Written to a draft and linked: an interrupted start must not leave an incomplete key file. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    write(draft, 'wx', handle => fs.writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`))
    fs.linkSync(draft, file) // unlike a rename, a link never replaces an existing key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  // Flushed before anything is encrypted: a power cut must not leave sealed data without their key.
  write(path.dirname(file), 'r', () => {})
}

/** Writes and flushes a file; with a folder, flushes its names. */
function write(place: string, flags: 'wx' | 'r', work: (handle: number) => void): void {
  const handle = fs.openSync(place, flags, 0o600)
  try {
    work(handle)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
