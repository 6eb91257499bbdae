import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, SYSTEM, type Transaction } from '../postgres/database.ts'
import { type Anchor, readAnchors } from './anchor-file.ts'
import type { AnchorStore } from './anchor-store.ts'

export interface AuditVerdict {
  readonly rows: bigint
  /** Number of the last row that an anchor confirms; 0: none. */
  readonly anchoredUpTo: bigint
  /** What is wrong, in words; empty: the log is whole. At most {@link MAX_PROBLEMS}. */
  readonly problems: readonly string[]
  /** What this run confirmed; undefined when it found a problem or there is no anchor. */
  readonly confirmed: ConfirmedPart | undefined
}

/** What an earlier run confirmed: this many anchor lines, and all rows up to the row of the last one. */
export interface ConfirmedPart {
  readonly lines: number
  readonly last: Anchor
}

/** The log has rows, but no anchor confirms any of them. */
export const NO_ANCHOR = 'the anchor file is missing or empty, though the log has rows'
const MAX_PROBLEMS = 20
const PAGE = 2_000
const GENESIS = createHash('sha256').update('publisher-center audit log').digest('hex')

interface ChainRow {
  readonly seq: bigint
  readonly previousHash: string
  readonly hash: string
  /** What PostgreSQL prints for the row: the text that was hashed. */
  readonly text: string
}

/**
 * Reads the whole log and computes every hash again in this process, not in the database. It finds a changed, removed,
 * inserted or moved row, a cut-off end, a recomputed chain, an emptied log, a replaced head, and a changed, cut or
 * removed anchor file.
 * Tested by `platform/audit/audit-log.test.ts`.
 * @param after what an earlier run confirmed: those rows are not read again, except the last. A value among them that
 *   was changed since is found only by a run without `after`.
 */
export async function verifyAuditChain(
  database: Database,
  anchors: AnchorStore,
  after?: ConfirmedPart,
): Promise<AuditVerdict> {
  const file = await readAnchors(anchors)
  const anchorOf = new Map(file.anchors.map(anchor => [anchor.seq, anchor.hash]))
  const problems = [...file.problems]
  const report = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  const anchoredUpTo = file.anchors.at(-1)?.seq ?? 0n
  if (after) for (const problem of problemsOfLines(file.anchors, after)) report(problem)
  const rows = await database.inScope(
    SYSTEM,
    async tx => {
      let last = { seq: 0n, hash: GENESIS }
      if (after) {
        last = { seq: after.last.seq, hash: after.last.hash }
        const [row] = await readRows(tx, last.seq - 1n, 1)
        if (row?.seq !== last.seq || row.hash !== last.hash || hashOf(row) !== last.hash)
          report(`row ${last.seq}: is not the one that was confirmed before`)
      }
      for (let page = await readRows(tx, last.seq); page.length > 0; page = await readRows(tx, last.seq)) {
        for (const row of page) {
          for (const problem of problemsOfRow(row, last)) report(problem)
          const anchored = anchorOf.get(row.seq)
          if (anchored !== undefined && anchored !== row.hash) {
            report(`row ${row.seq}: is not the one that the anchor file remembers; the log was rewritten`)
          }
          last = { seq: row.seq, hash: row.hash }
        }
      }
      const head = await tx
        .selectFrom('auditHead')
        .select(['seq', sql<string>`encode(hash, 'hex')`.as('hash')])
        .executeTakeFirst()
      if (!head) report('the head of the chain is missing')
      else if (head.seq !== last.seq || head.hash !== last.hash) {
        report(`the log ends at row ${last.seq}, the head of the chain says ${head.seq}`)
      }
      return last.seq
    },
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 60_000 },
  )
  if (rows < anchoredUpTo) report(`the log ends at row ${rows}, the anchor file remembers row ${anchoredUpTo}`)
  if (rows > 0n && file.anchors.length === 0) report(NO_ANCHOR)
  const anchor = file.anchors.at(-1)
  const confirmed = anchor && problems.length === 0 ? { lines: file.anchors.length, last: anchor } : undefined
  return { rows, anchoredUpTo, problems, confirmed }
}

/**
 * Each anchor line contains the hash of the line before: if the last confirmed line is unchanged, so are all before it.
 */
function* problemsOfLines(anchors: readonly Anchor[], { lines, last }: ConfirmedPart): Generator<string> {
  const now = anchors[lines - 1]
  const isSame = now?.seq === last.seq && now.hash === last.hash && now.previousLine === last.previousLine
  if (!isSame) yield `anchor file, line ${lines}: is not the one that was confirmed before`
  for (const [index, { seq }] of anchors.entries())
    if (index >= lines && seq <= last.seq) yield `anchor file, line ${index + 1}: is out of order`
}

function* problemsOfRow(row: ChainRow, last: { readonly seq: bigint; readonly hash: string }): Generator<string> {
  if (row.seq !== last.seq + 1n) yield `rows ${last.seq + 1n} to ${row.seq - 1n}: are missing`
  else if (row.previousHash !== last.hash) yield `row ${row.seq}: does not follow from the row before`
  if (hashOf(row) !== row.hash) yield `row ${row.seq}: was changed`
}

function hashOf(row: ChainRow): string {
  return createHash('sha256').update(Buffer.from(row.previousHash, 'hex')).update(row.text).digest('hex')
}

/**
 * The hashed text is built here and not by the trigger's function in the database, which an attacker could have
 * replaced.
 */
function readRows(tx: Transaction, after: bigint, limit = PAGE): Promise<ChainRow[]> {
  return tx
    .selectFrom('auditLog as l')
    .select([
      'l.seq',
      sql<string>`encode(l.previous_hash, 'hex')`.as('previousHash'),
      sql<string>`encode(l.hash, 'hex')`.as('hash'),
      sql<string>`jsonb_build_object(
        'seq', l.seq,
        'at', extract(epoch from l.at)::text,
        'actor_uid', l.actor_uid::text,
        'acting_as_uid', l.acting_as_uid::text,
        'source_address', l.source_address,
        'request_id', l.request_id,
        'action', l.action,
        'resource_name', l.resource_name,
        'row_id', l.row_id,
        'before', l.before,
        'after', l.after)::text`.as('text'),
    ])
    .where('l.seq', '>', after)
    .orderBy('l.seq')
    .limit(limit)
    .execute()
}
