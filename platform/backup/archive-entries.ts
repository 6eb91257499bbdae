import { createHash } from 'node:crypto'

/** `path` uses `/` and is relative to the data folder. */
export type ArchiveEntry =
  | { readonly kind: 'folder'; readonly path: string }
  /** Content comes in chunks without a size in advance, because a file may grow while it is copied. */
  | { readonly kind: 'file'; readonly path: string; readonly content: AsyncIterable<Buffer> }

interface Head {
  readonly kind: 'folder' | 'file' | 'end'
  readonly path?: string
  readonly entries?: number
}

/** A larger length means a damaged archive: parts are chunks as Node reads them, far smaller. */
const MAX_PART_BYTES = 16 * 1024 * 1024
/** Parts of thousands of small files are joined into blocks, so that encryption and writing run once per block. */
const BLOCK_BYTES = 256 * 1024

/**
 * Serialises the entries: for each a head, the content in parts, and a SHA-256; at the end the number of entries. The
 * stream is cut into blocks regardless of part boundaries.
 */
export async function* writeEntries(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of writePieces(entries)) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < BLOCK_BYTES) continue
    yield Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
  }
  yield Buffer.concat(waiting, bytes)
}

async function* writePieces(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  let count = 0
  for await (const entry of entries) {
    count += 1
    yield* part(Buffer.from(JSON.stringify({ kind: entry.kind, path: entry.path } satisfies Head)))
    if (entry.kind === 'folder') continue
    const hash = createHash('sha256')
    for await (const chunk of entry.content) {
      if (chunk.length === 0) continue
      hash.update(chunk)
      yield* part(chunk)
    }
    yield* part(Buffer.alloc(0))
    yield hash.digest()
  }
  yield* part(Buffer.from(JSON.stringify({ kind: 'end', entries: count } satisfies Head)))
}

/**
 * The content of each entry must be read to its end before the next entry. @throws Error when something is missing or
 * changed
 */
export async function* readEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const bytes = new ByteReader(stream)
  for (let count = 0; ; count += 1) {
    const head = JSON.parse((await readPart(bytes)).toString('utf8')) as Head
    if (head.kind === 'end') {
      if (head.entries !== count) throw new Error('entries are missing')
      return
    }
    const path = head.path ?? ''
    if (!/^[^/]/.test(path) || path.split('/').some(name => name === '' || name === '.' || name === '..'))
      throw new Error('an entry with an impossible path')
    if (head.kind === 'folder') yield { kind: 'folder', path }
    else yield { kind: 'file', path, content: readContent(bytes, path) }
  }
}

async function* readContent(bytes: ByteReader, path: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for (;;) {
    const chunk = await readPart(bytes)
    if (chunk.length === 0) break
    hash.update(chunk)
    yield chunk
  }
  if (!hash.digest().equals(await bytes.exactly(32))) throw new Error(`${path} is not what was backed up`)
}

function part(content: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return [length, content]
}

async function readPart(bytes: ByteReader): Promise<Buffer> {
  const length = (await bytes.exactly(4)).readUInt32BE()
  if (length > MAX_PART_BYTES) throw new Error('an impossible length')
  return bytes.exactly(length)
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #waiting: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async exactly(length: number): Promise<Buffer> {
    const found = [this.#waiting]
    let bytes = this.#waiting.length
    while (bytes < length) {
      const next = await this.#chunks.next()
      if (next.done) throw new Error('it ends too early')
      found.push(next.value)
      bytes += next.value.length
    }
    const whole = found.length === 1 ? this.#waiting : Buffer.concat(found, bytes)
    this.#waiting = whole.subarray(length)
    return whole.subarray(0, length)
  }
}
