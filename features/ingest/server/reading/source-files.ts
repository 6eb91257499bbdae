import { createHash, type Hash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { Config } from '@pc/platform/config.ts'
import { bucketFiles } from '@pc/platform/objects/bucket-files.ts'
import type { FileStore } from '@pc/platform/objects/file-store.ts'
import { folderFiles } from '@pc/platform/objects/folder-files.ts'
import { ObjectStoreError } from '@pc/platform/objects/object-store-error.ts'
import type { IngestLimits } from '../ingest-limits.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { IngestRefusal } from '../ingest-refusal.ts'
import {
  type Compression,
  type ContentFormat,
  compressionOf,
  contentFormat,
  HEAD_BYTES,
  isSpreadsheet,
  isUtf16,
} from './content-format.ts'

/** Where deliveries are unpacked and kept. */
export interface SourcePlaces {
  /** A local folder for temporary files. */
  readonly workFolder: string
  /** `sources/<SHA-256 of the decompressed content>`, and what people uploaded, see `upload-files.ts`. */
  readonly files: FileStore
}

/** A delivery that is complete and on disk. */
export interface Source {
  /** SHA-256 of the decompressed content: the same rows have the same name however they were packed. */
  readonly sha256: string
  /** The decompressed content. */
  readonly contentFile: string
  /** The file as delivered, possibly compressed. */
  readonly deliveredFile: string
  readonly contentBytes: number
  readonly format: ContentFormat
  /** The first bytes of the content. */
  readonly head: Buffer
  /** A folder of this import alone, removed by `dispose`. */
  readonly workDir: string
  /** Stores the delivered file under its hash. @throws ObjectStoreError when the bucket refuses; nothing is stored then */
  keep(): Promise<void>
  dispose(): void
}

/** A kept source is missing, or no longer yields the rows that were accepted from it. */
export class KeptSourceError extends Error {
  override name = 'KeptSourceError'
}

/** Callbacks while a delivery is received. */
interface SourceObserver {
  readonly onBytes?: (bytes: number) => void
  /** Sees the first {@link HEAD_BYTES} of a longer content as soon as they are there, and may refuse the rest. */
  readonly checkHead?: (head: Buffer, format: ContentFormat) => void
}

/** @throws Error when the folder's name has a glob character, because the engines would treat paths in it as patterns */
export function sourcePlaces({ dataDir, objectsUrl }: Pick<Config, 'dataDir' | 'objectsUrl'>): SourcePlaces {
  if (/[*?[\]]/.test(dataDir)) throw new Error(`DATA_DIR=${dataDir}: a folder name with * ? [ or ] cannot be used`)
  const folder = path.join(path.resolve(dataDir), 'ingest')
  const workFolder = path.join(folder, 'work')
  fs.mkdirSync(workFolder, { recursive: true, mode: 0o700 })
  return { workFolder, files: objectsUrl === undefined ? folderFiles(folder) : bucketFiles(objectsUrl, 'ingest') }
}

const ABANDONED_AFTER_MS = 24 * 3_600_000

/** Deletes old work folders of killed processes. @param isAlone no other process uses the folder, so everything is deleted */
export function clearWork(workFolder: string, nowMs: number, isAlone: boolean): void {
  for (const name of fs.readdirSync(workFolder)) {
    const folder = path.join(workFolder, name)
    const isOld = nowMs - fs.statSync(folder).mtimeMs > ABANDONED_AFTER_MS
    if (isAlone || isOld) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Writes a delivery to a work folder, which `dispose` deletes; only `keep` stores it for good. Reading stops as soon as
 * `observer.checkHead` throws.
 * @throws IngestRefusal when it is too large, damaged or of no known format.
 */
export async function receiveSource(
  input: AsyncIterable<Buffer>,
  places: SourcePlaces,
  limits: IngestLimits,
  observer: SourceObserver = {},
): Promise<Source> {
  const workDir = newWorkDir(places)
  try {
    const delivered = path.join(workDir, 'delivered')
    const unpacked = await unpack(input, delivered, path.join(workDir, 'content'), new Meter(limits, observer))
    return sourceOf(unpacked, workDir, delivered, places)
  } catch (error) {
    fs.rmSync(workDir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Opens a kept source again.
 * @throws KeptSourceError when it is missing or its content is no longer what its name says.
 */
export async function openKeptSource(sha256: string, places: SourcePlaces, limits: IngestLimits): Promise<Source> {
  try {
    return await openOnce(sha256, places, limits)
  } catch (error) {
    // Tries once more: a bucket's answer may have been damaged on the way.
    if (error instanceof KeptSourceError) return openOnce(sha256, places, limits)
    throw error
  }
}

async function openOnce(sha256: string, places: SourcePlaces, limits: IngestLimits): Promise<Source> {
  const named = `${places.files.place}: ${keyOf(sha256)}`
  const workDir = newWorkDir(places)
  try {
    const delivered = path.join(workDir, 'delivered')
    if (!(await places.files.copyTo(keyOf(sha256), delivered))) throw new KeptSourceError(`${named} is missing`)
    const input = fs.createReadStream(delivered, CHUNKS)
    const unpacked = await unpack(input, undefined, path.join(workDir, 'content'), new Meter(limits))
    if (unpacked.sha256 !== sha256) throw new KeptSourceError(`${named} has changed: it is now ${unpacked.sha256}`)
    return sourceOf(unpacked, workDir, delivered, places)
  } catch (error) {
    fs.rmSync(workDir, { recursive: true, force: true })
    throw error instanceof IngestRefusal ? new KeptSourceError(`${named} has changed: ${error.message}`) : error
  }
}

export async function isSourceKept(sha256: string, { files }: SourcePlaces): Promise<boolean> {
  return (await files.find(keyOf(sha256))) !== undefined
}

/** Ignores errors of the bucket: a source that stays only costs space. */
export async function removeKeptSource(sha256: string, { files }: SourcePlaces): Promise<void> {
  try {
    await files.remove(keyOf(sha256))
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
  }
}

export const CHUNKS = { highWaterMark: 1024 * 1024 }

function keyOf(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError(`not a SHA-256: ${sha256}`)
  return `sources/${sha256}`
}

function newWorkDir({ workFolder }: SourcePlaces): string {
  const workDir = path.join(workFolder, randomUUID())
  fs.mkdirSync(workDir, { recursive: true, mode: 0o700 })
  return workDir
}

function sourceOf(unpacked: Unpacked, workDir: string, deliveredFile: string, { files }: SourcePlaces): Source {
  const { sha256, contentBytes, head, compression } = unpacked
  return {
    sha256,
    contentBytes,
    head,
    workDir,
    format: formatOf(head),
    deliveredFile,
    contentFile: compression ? path.join(workDir, 'content') : deliveredFile,
    // Overwrites an existing file, which may be damaged.
    keep: () => files.keep(keyOf(sha256), deliveredFile),
    dispose: () => fs.rmSync(workDir, { recursive: true, force: true }),
  }
}

function formatOf(head: Buffer): ContentFormat {
  if (head.length === 0) throw new IngestRefusal('ingest/empty', INGEST_MESSAGES.empty)
  const format = contentFormat(head)
  if (isSpreadsheet(head)) throw new IngestRefusal('ingest/unknown-format', INGEST_MESSAGES.spreadsheet)
  if (isUtf16(head)) throw new IngestRefusal('ingest/unknown-format', INGEST_MESSAGES.utf16)
  if (!format) throw new IngestRefusal('ingest/unknown-format', INGEST_MESSAGES.unknownFormat)
  return format
}

interface Unpacked {
  readonly sha256: string
  readonly contentBytes: number
  readonly compression: Compression | undefined
  readonly head: Buffer
}

/** Reads a stream once: hashes its content, and writes it decompressed and, with `deliveredTo`, as delivered. */
async function unpack(
  input: AsyncIterable<Buffer>,
  deliveredTo: string | undefined,
  contentTo: string,
  meter: Meter,
): Promise<Unpacked> {
  const { first, rest } = await peek(input, 4)
  const compression = compressionOf(first)
  const delivered = deliveredTo === undefined ? undefined : new FileWriter(deliveredTo)
  const content = compression ? new FileWriter(contentTo) : undefined
  try {
    const asDelivered = new Transform({
      ...CHUNKS,
      transform(chunk: Buffer, _encoding, done) {
        try {
          meter.source(chunk.length)
          delivered?.write(chunk)
          done(null, chunk)
        } catch (error) {
          done(error as Error)
        }
      },
    })
    const sink = new Writable({
      ...CHUNKS,
      write(chunk: Buffer, _encoding, done) {
        try {
          meter.content(chunk)
          content?.write(chunk)
          done()
        } catch (error) {
          done(error as Error)
        }
      },
    })
    const stream = Readable.from(rest, { objectMode: false, ...CHUNKS })
    if (compression) await pipeline(stream, asDelivered, decompressor(compression), sink)
    else await pipeline(stream, asDelivered, sink)
  } catch (error) {
    throw isDamage(error) ? new IngestRefusal('ingest/damaged', INGEST_MESSAGES.damaged) : error
  } finally {
    delivered?.close()
    content?.close()
  }
  return { ...meter.result(), compression }
}

/** Reads at least `bytes` bytes, fewer at the end of the stream, and returns them with a stream of the whole input. */
async function peek(
  input: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ first: Buffer; rest: AsyncIterable<Buffer> }> {
  const iterator = input[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let length = 0
  while (length < bytes) {
    const next = await iterator.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
  }
  async function* rest() {
    try {
      yield* chunks
      for (;;) {
        const next = await iterator.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { first: Buffer.concat(chunks), rest: rest() }
}

function decompressor(compression: Compression): Transform {
  const options = { chunkSize: CHUNKS.highWaterMark }
  return compression === 'gzip' ? zlib.createGunzip(options) : zlib.createZstdDecompress(options)
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && /^(Z_|ZSTD_|ERR_ZSTD|ERR_ZLIB)/.test(code)
}

/** Writes whole chunks synchronously: the page cache takes them faster than asynchronous writes. */
class FileWriter {
  readonly #file: number
  constructor(name: string) {
    this.#file = fs.openSync(name, 'w', 0o600)
  }
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at += fs.writeSync(this.#file, chunk, at)
  }
  close(): void {
    fs.closeSync(this.#file)
  }
}

class Meter {
  readonly #limits: IngestLimits
  readonly #observer: SourceObserver
  readonly #hash: Hash = createHash('sha256')
  readonly #head: Buffer[] = []
  #headBytes = 0
  #sourceBytes = 0
  #contentBytes = 0

  constructor(limits: IngestLimits, observer: SourceObserver = {}) {
    this.#limits = limits
    this.#observer = observer
  }

  source(bytes: number): void {
    this.#sourceBytes += bytes
    if (this.#sourceBytes > this.#limits.sourceBytes) {
      throw new IngestRefusal('ingest/too-large', INGEST_MESSAGES.tooLarge(this.#limits.sourceBytes))
    }
    this.#observer.onBytes?.(this.#sourceBytes)
  }

  content(chunk: Buffer): void {
    this.#contentBytes += chunk.length
    const { contentBytes, expansion, expansionFreeBytes } = this.#limits
    if (this.#contentBytes > contentBytes) {
      throw new IngestRefusal('ingest/too-large', INGEST_MESSAGES.tooLargeUnpacked(contentBytes))
    }
    if (this.#contentBytes > expansionFreeBytes && this.#contentBytes > this.#sourceBytes * expansion) {
      throw new IngestRefusal('ingest/too-large', INGEST_MESSAGES.expandsTooMuch(expansion))
    }
    this.#hash.update(chunk)
    if (this.#headBytes < HEAD_BYTES) {
      this.#head.push(chunk.subarray(0, HEAD_BYTES - this.#headBytes))
      this.#headBytes += Math.min(chunk.length, HEAD_BYTES - this.#headBytes)
      if (this.#headBytes === HEAD_BYTES) {
        const head = Buffer.concat(this.#head)
        this.#observer.checkHead?.(head, formatOf(head))
      }
    }
  }

  result(): { sha256: string; contentBytes: number; head: Buffer } {
    return { sha256: this.#hash.digest('hex'), contentBytes: this.#contentBytes, head: Buffer.concat(this.#head) }
  }
}
