import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import { TableRefused } from './table-refused.ts'

/** A workbook of twenty thousand rows unpacks to about 20 MB; a million formatted empty ones to about 120. */
const MAX_UNPACKED_BYTES = 200 * 1_048_576
const MAX_TEXT_BYTES = 64 * 1_048_576
const MAX_ENTRIES = 2_000
const MAX_DEPTH = 50

export interface WorkbookArchive {
  has(name: string): boolean
  readonly names: readonly string[]
  /** Parses a part as XML; a missing part has no elements. When `open` returns false, parsing ends. */
  readXml(name: string, on: XmlEvents): Promise<void>
}

export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): unknown
  text?(text: string): void
  close?(name: string): void
}

/**
 * Opens a workbook, whose parts are unpacked one at a time. Limits apply to the actual size, not to the declared one.
 * @throws TableRefused
 */
export async function openWorkbookArchive(bytes: Buffer): Promise<WorkbookArchive> {
  const zip = await open(bytes)
  const entries = new Map<string, yauzl.Entry>()
  let declared = 0
  await new Promise<void>((resolve, reject) => {
    zip.on('error', () => reject(new TableRefused('spreadsheet/damaged')))
    zip.on('end', resolve)
    zip.on('entry', (entry: yauzl.Entry) => {
      declared += entry.uncompressedSize
      if (entries.size >= MAX_ENTRIES || declared > MAX_UNPACKED_BYTES)
        return reject(new TableRefused('spreadsheet/unpacks-too-large'))
      if (entry.isEncrypted()) return reject(new TableRefused('spreadsheet/old-or-locked'))
      if (entries.has(entry.fileName)) return reject(new TableRefused('spreadsheet/damaged'))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
  return {
    names: [...entries.keys()],
    has: name => entries.has(name),
    async readXml(name, on) {
      const entry = entries.get(name)
      if (entry) await parse(zip, entry, on)
    },
  }
}

function open(bytes: Buffer): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false }
    yauzl.fromBuffer(bytes, options, (error, zip) =>
      zip ? resolve(zip) : reject(error && new TableRefused('spreadsheet/damaged')),
    )
  })
}

async function parse(zip: yauzl.ZipFile, entry: yauzl.Entry, on: XmlEvents): Promise<void> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) =>
      opened ? resolve(opened) : reject(error && new TableRefused('spreadsheet/damaged')),
    ),
  )
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let depth = 0
  let textBytes = 0
  let isOver = false
  parser.on('error', () => {
    throw new TableRefused('spreadsheet/damaged')
  })
  parser.on('doctype', () => {
    throw new TableRefused('spreadsheet/declares-entities')
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new TableRefused('spreadsheet/damaged')
    if (on.open?.(localName(name), plain(attributes)) === false) isOver = true
  })
  const onText = (text: string) => {
    textBytes += text.length
    if (textBytes > MAX_TEXT_BYTES) throw new TableRefused('spreadsheet/unpacks-too-large')
    on.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    depth -= 1
    on.close?.(localName(name))
  })
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      parser.write(decoder.decode(piece, { stream: true }))
      if (isOver) return
      // Yields to the event loop between two chunks.
      await new Promise<void>(resolve => setImmediate(resolve))
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    // Wrong checksums, wrong sizes, invalid UTF-8.
    throw error instanceof TableRefused ? error : new TableRefused('spreadsheet/damaged')
  }
}

/** The name without its namespace prefix, which some programs write. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function plain(attributes: Readonly<Record<string, string | SaxesAttributePlain>>): Readonly<Record<string, string>> {
  return attributes as Readonly<Record<string, string>>
}
