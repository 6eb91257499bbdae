import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Seals secrets that have to be read again, so that who reads the database alone, or a copy of it, has none of them.
 * AES-256-GCM with a key of each purpose (HKDF-SHA-256) and 96 random bits each time; a sealed text is bound to its owner and
 * opens for no other one.
 */
export interface Keyring {
  /** @returns `s1.<id of the key>.<nonce, text and tag as base64url>` */
  seal(text: string, purpose: string, owner: string): string
  /** @throws SealError when its key is not here, or it was changed, or belongs to another owner or purpose */
  open(sealed: string, purpose: string, owner: string): string
  /** What texts that the newest key has sealed begin with: others are to be sealed again. */
  readonly newestPrefix: string
}

export class SealError extends Error {
  override name = 'SealError'
  /** Of the key that is not here; undefined: it is, or none was looked for. */
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

/** 32 bytes as base64, base64url or hex. @returns undefined for anything else */
export function readKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const isBase64 = /^[\w+/-]{43}=?$/.test(text)
  if (!isHex && !isBase64) return undefined
  return Buffer.from(text, isHex ? 'hex' : 'base64')
}

/** @param keys the newest first: it seals, all of them open */
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

/** Whether one process is all of it, because the statistics (or everything) lie in its data folder. */
export function isOneProcess({ databaseUrl, clickhouseUrl }: Installation): boolean {
  return databaseUrl === undefined || clickhouseUrl === undefined
}

/**
 * The keyring of an installation: `SECRETS_KEY`, or where one process is all of it the key file in its data folder, which is
 * made at its first use. A key file that is there opens what it has sealed, also when `SECRETS_KEY` takes over.
 * @returns undefined: none is set, and nothing can be sealed or opened
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

/** Under its name it is whole from the beginning: a start that failed half-way must not leave one that is no key. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    write(draft, 'wx', handle => fs.writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`))
    fs.linkSync(draft, file) // unlike a rename, this never takes the place of a key that is there
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  // Before anything is sealed with it: a power cut must not leave a sealed text without its key.
  write(path.dirname(file), 'r', () => {})
}

/** What was written is on the disk afterwards; of a folder, the names in it. */
function write(place: string, flags: 'wx' | 'r', work: (handle: number) => void): void {
  const handle = fs.openSync(place, flags, 0o600)
  try {
    work(handle)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
