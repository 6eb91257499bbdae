import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, SYSTEM } from '../postgres/database.ts'
import type { AnchorStore } from './anchor-store.ts'

/**
 * A row of the audit chain and its hash, stored outside the database: a person who rewrites the log cannot rewrite
 * this.
 */
export interface Anchor {
  readonly seq: bigint
  /** Hexadecimal. */
  readonly hash: string
  /** ISO 8601. */
  readonly writtenAt: string
  /** SHA-256 of the line before this one, so that a removed line is noticed. Empty in the first line. */
  readonly previousLine: string
}

/** Key of the advisory lock: any number that no other lock of this database uses. */
const ANCHOR_LOCK = 7_201_113

/**
 * Appends the end of the audit chain to the anchors. Undefined: nothing was written, because the last anchor names that
 * row already, the log is empty, or another process holds the lock. The anchors protect only as far as they are copied
 * to another machine.
 * Tested by `platform/audit/audit-log.test.ts`.
 */
export async function writeAnchor(database: Database, anchors: AnchorStore): Promise<Anchor | undefined> {
  return database.inScope(SYSTEM, async tx => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${ANCHOR_LOCK}) as is_ours`.execute(tx)
    if (!rows[0]?.isOurs) return undefined
    const head = await tx.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirstOrThrow()
    const last = await anchors.lastLine()
    if (head.seq === 0n || (last !== undefined && parseLine(last)?.seq === head.seq)) return undefined
    const anchor: Anchor = {
      seq: head.seq,
      hash: head.hash.toString('hex'),
      writtenAt: new Date().toISOString(),
      previousLine: last === undefined ? '' : sha256(last),
    }
    await sql`select 1`.execute(tx) // throws if the connection, and with it the lock, was lost while the store was slow
    const line = JSON.stringify({ ...anchor, seq: anchor.seq.toString() })
    await anchors.append(line, new Date(anchor.writtenAt), last)
    return anchor
  })
}

export interface AnchorFile {
  readonly anchors: readonly Anchor[]
  /** Lines that cannot be read or do not follow from the line before. */
  readonly problems: readonly string[]
}

/** Reads all anchors and checks that each line follows from the line before. */
export async function readAnchors(store: AnchorStore): Promise<AnchorFile> {
  const anchors: Anchor[] = []
  const problems: string[] = []
  let previous: string | undefined
  for (const [index, line] of (await store.lines()).entries()) {
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
