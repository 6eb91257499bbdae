import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { type ArchiveEntry, readEntries, writeEntries } from './archive-entries.ts'

/**
 * A backup is one file: a head, then zstd-compressed entries, encrypted when a key or a passphrase is given. Encryption
 * is AES-256-GCM in frames (the STREAM construction: counter and last-frame flag in the nonce), so a changed, moved or
 * missing frame is detected. Each archive derives its own key with a random salt, so nonces never repeat: HKDF from a
 * key, scrypt from a passphrase.
 */
const MAGIC = Buffer.from('PCBACKUP1\n')
const SALT_BYTES = 16
const TAG_BYTES = 16
const FRAME_BYTES = 256 * 1024
const MIN_KEY_BYTES = 32
const MIN_PASSPHRASE_LENGTH = 12
/** The byte in the head that says what encrypts the archive. */
const BY = { nothing: 0, key: 1, passphrase: 2 } as const
/**
 * OWASP password storage cheat sheet: N = 2^17, r = 8, p = 1 (128 MiB for each guess). Other values would need a new
 * byte in {@link BY}.
 */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** What encrypts an archive: a key of random bytes, or a passphrase that somebody keeps. */
export type ArchiveSecret = Buffer | { readonly passphrase: string }

export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** @throws ArchiveError when the file cannot serve as a key */
export function readKeyFile(file: string): Buffer {
  const content = fs.readFileSync(file)
  if (content.length < MIN_KEY_BYTES)
    throw new ArchiveError(`${file} is too short for a key: at least ${MIN_KEY_BYTES} random bytes are needed.`)
  return content
}

/** @throws ArchiveError when the passphrase is too short */
export function demandPassphrase(text: string): { readonly passphrase: string } {
  // Another keyboard may type the same letter as a different sequence of code points.
  const passphrase = text.normalize('NFC')
  if ([...passphrase].length < MIN_PASSPHRASE_LENGTH)
    throw new ArchiveError(
      `パスフレーズが短すぎます。${MIN_PASSPHRASE_LENGTH}文字以上にしてください（例：無関係な単語を5つ以上つなげたもの）。`,
    )
  return { passphrase }
}

/**
 * Writes a file that only its owner may read, under a draft name first, so that an incomplete archive never has the
 * final name. Returns the size in bytes.
 */
export async function writeArchive(
  file: string,
  secret: ArchiveSecret | undefined,
  entries: AsyncIterable<ArchiveEntry>,
): Promise<number> {
  const salt = randomBytes(SALT_BYTES)
  const draft = `${file}.part`
  fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
  fs.rmSync(draft, { force: true })
  const target = fs.createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  target.write(Buffer.concat([MAGIC, Buffer.from([protectionOf(secret)]), salt]))
  const params = { [zlib.constants.ZSTD_c_checksumFlag]: 1 }
  const packed = zlib.createZstdCompress({ params, chunkSize: FRAME_BYTES })
  try {
    const source = Readable.from(writeEntries(entries))
    if (secret) await pipeline(source, packed, encryption(await archiveKey(secret, salt)), target)
    else await pipeline(source, packed, target)
    fs.renameSync(draft, file)
    syncFolder(path.dirname(path.resolve(file)))
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return fs.statSync(file).size
}

/**
 * The entries of an archive. A damaged archive throws before its last entry is complete. @throws ArchiveError also for
 * a missing or wrong key
 */
export async function* readArchive(file: string, secret: ArchiveSecret | undefined): AsyncGenerator<ArchiveEntry> {
  const head = Buffer.alloc(MAGIC.length + 1 + SALT_BYTES)
  const opened = fs.openSync(file, 'r')
  const got = fs.readSync(opened, head)
  fs.closeSync(opened)
  if (got < head.length || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new ArchiveError(`${file} is not a backup of Publisher Center.`)
  const protection = head[MAGIC.length]
  const steps: Transform[] = []
  if (protection !== BY.nothing) {
    if (!secret || protection !== protectionOf(secret)) throw new ArchiveError(wantedBy(file, protection))
    steps.push(decryption(await archiveKey(secret, head.subarray(MAGIC.length + 1))))
  }
  steps.push(zlib.createZstdDecompress({ chunkSize: FRAME_BYTES }))
  const source = fs.createReadStream(file, { start: head.length })
  const last = steps.at(-1)!
  // A failure in any stage destroys the last stage with that error, and the reader below receives it.
  const running = pipeline([source, ...steps]).catch((error: Error) => void last.destroy(error))
  async function* spoken<T>(reading: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* reading
    } catch (error) {
      throw error instanceof ArchiveError ? error : new ArchiveError(`${file} is damaged: ${(error as Error).message}`)
    }
  }
  try {
    for await (const entry of spoken(readEntries(last)))
      yield entry.kind === 'file' ? { ...entry, content: spoken(entry.content) } : entry
  } finally {
    source.destroy()
    for (const step of steps) step.destroy()
    await running
  }
}

function protectionOf(secret: ArchiveSecret | undefined): number {
  if (secret === undefined) return BY.nothing
  return Buffer.isBuffer(secret) ? BY.key : BY.passphrase
}

function wantedBy(file: string, protection: number | undefined): string {
  if (protection === BY.key) return `${file} is encrypted with a key file: name it with --key-file.`
  if (protection === BY.passphrase)
    return `${file} はパスフレーズで暗号化されています。BACKUP_PASSPHRASE か --passphrase-file で指定してください。`
  return `${file} is damaged, or of a newer version.`
}

async function archiveKey(secret: ArchiveSecret, salt: Buffer): Promise<Buffer> {
  const key = Buffer.isBuffer(secret) ? secret : await stretched(secret.passphrase, salt)
  return Buffer.from(hkdfSync('sha256', key, salt, MAGIC, 32))
}

const stretch = promisify(scrypt) as (text: string, salt: Buffer, bytes: number, how: object) => Promise<Buffer>
function stretched(passphrase: string, salt: Buffer): Promise<Buffer> {
  return stretch(passphrase, salt, 32, SCRYPT)
}

function nonce(counter: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeBigUInt64BE(BigInt(counter), 3)
  bytes[11] = isLast ? 1 : 0
  return bytes
}

/**
 * Splits a stream into frames. The last frame needs a flag in its nonce, so one frame is held back until the stream
 * ends.
 */
function framed(frameBytes: number, seal: (frame: Buffer, counter: number, isLast: boolean) => Buffer): Transform {
  let waiting = Buffer.alloc(0)
  let counter = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        waiting = Buffer.concat([waiting, chunk])
        while (waiting.length > frameBytes) {
          this.push(seal(waiting.subarray(0, frameBytes), counter++, false))
          waiting = waiting.subarray(frameBytes)
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        this.push(seal(waiting, counter, true))
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function encryption(key: Buffer): Transform {
  return framed(FRAME_BYTES, (frame, counter, isLast) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(counter, isLast))
    return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()])
  })
}

function decryption(key: Buffer): Transform {
  return framed(FRAME_BYTES + TAG_BYTES, (frame, counter, isLast) => {
    if (frame.length < TAG_BYTES) throw new ArchiveError('The backup ends too early.')
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(counter, isLast))
    decipher.setAuthTag(frame.subarray(-TAG_BYTES))
    const plain = decipher.update(frame.subarray(0, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      throw new ArchiveError('The backup is damaged, or this is not its key or passphrase.')
    }
    return plain
  })
}

function syncFolder(folder: string): void {
  const opened = fs.openSync(folder, 'r')
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}
