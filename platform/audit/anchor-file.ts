import { createHash } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Database, SYSTEM } from '../postgres/database.ts'

/** A point of the chain, kept outside of the database: a person who rewrites the log there cannot rewrite this file. */
export interface Anchor {
  readonly seq: bigint
  /** Hexadecimal. */
  readonly hash: string
  /** ISO 8601. */
  readonly writtenAt: string
  /** SHA-256 of the line before this one, so that no line can be taken out unseen. */
  readonly previousLine: string
}

export const anchorFile = (dataDir: string) => path.join(dataDir, 'audit', 'anchor.ndjson')

/** Adds the end of the chain to the file, unless it is there already. Copy the file to another machine to rely on it. */
export async function writeAnchor(database: Database, dataDir: string): Promise<Anchor | undefined> {
  const head = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirstOrThrow(),
  )
  const file = anchorFile(dataDir)
  const last = (await readLines(file)).at(-1)
  if (head.seq === 0n || (last !== undefined && parseLine(last)?.seq === head.seq)) return undefined
  const anchor: Anchor = {
    seq: head.seq,
    hash: head.hash.toString('hex'),
    writtenAt: new Date().toISOString(),
    previousLine: last === undefined ? '' : sha256(last),
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.write(`${JSON.stringify({ ...anchor, seq: anchor.seq.toString() })}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return anchor
}

export interface AnchorFile {
  readonly anchors: readonly Anchor[]
  /** Lines that cannot be read or do not follow from the line before. */
  readonly problems: readonly string[]
}

export async function readAnchors(dataDir: string): Promise<AnchorFile> {
  const anchors: Anchor[] = []
  const problems: string[] = []
  let previous: string | undefined
  for (const [index, line] of (await readLines(anchorFile(dataDir))).entries()) {
    const anchor = parseLine(line)
    if (!anchor) problems.push(`anchor file, line ${index + 1}: cannot be read`)
    else if (anchor.previousLine !== (previous === undefined ? '' : sha256(previous))) {
      problems.push(`anchor file, line ${index + 1}: does not follow from the line before`)
    }
    if (anchor) anchors.push(anchor)
    previous = line
  }
  return { anchors, problems }
}

async function readLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').filter(line => line !== '')
}

function parseLine(line: string): Anchor | undefined {
  try {
    const { seq, hash, writtenAt, previousLine } = JSON.parse(line) as Record<string, string>
    if (!/^\d{1,19}$/.test(seq ?? '') || !/^[0-9a-f]{64}$/.test(hash ?? '')) return undefined
    return { seq: BigInt(seq ?? ''), hash: hash ?? '', writtenAt: writtenAt ?? '', previousLine: previousLine ?? '' }
  } catch {
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
