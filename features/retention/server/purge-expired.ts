import type { Day } from '@pc/domain/month/day.ts'
import { JOB_RULES, type JobRuleId, keptSince } from '@pc/domain/retention/retention-rules.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

interface Source {
  readonly table: string
  /**
   * Every row that can expire, with its `place` (ctid), `organization_id` (null where it is unknown) and the instant
   * `at`.
   */
  readonly rows: RawBuilder<unknown>
}

/** The tables of each kind of data. The job can delete nothing that is not listed here. */
const SOURCES: Readonly<Record<JobRuleId, Source>> = {
  page_views: {
    table: 'page_views',
    rows: sql`select t.ctid as place, u.organization_id, t.viewed_at as at
      from page_views t left join users u on u.uid = t.uid`,
  },
  view_as_sessions: {
    table: 'view_as_sessions',
    rows: sql`select t.ctid as place, u.organization_id, coalesce(t.ended_at, t.expires_at) as at
      from view_as_sessions t left join users u on u.uid = t.target_uid`,
  },
  ingest_quarantined_rows: {
    table: 'ingest_quarantined_rows',
    rows: sql`select t.ctid as place, null::bigint as organization_id, b.received_at as at
      from ingest_quarantined_rows t join ingest_batches b on b.batch_no = t.batch_no`,
  },
  figure_alerts: {
    table: 'figure_alerts',
    rows: sql`select t.ctid as place, p.organization_id, t.ended_on::timestamp at time zone 'Asia/Tokyo' as at
      from figure_alerts t join publishers p on p.id = t.publisher_id where t.ended_on is not null`,
  },
  publisher_api_keys: {
    table: 'publisher_api_keys',
    rows: sql`select t.ctid as place, t.organization_id, least(t.revoked_at, t.expires_at) as at
      from publisher_api_keys t`,
  },
  deleted_boards: {
    table: 'boards',
    rows: sql`select t.ctid as place, t.organization_id, t.deleted_at as at from boards t
      where t.deleted_at is not null`,
  },
  deleted_annotations: {
    table: 'annotations',
    rows: sql`select t.ctid as place, p.organization_id, t.deleted_at as at
      from annotations t left join publishers p on p.id = t.publisher_id where t.deleted_at is not null`,
  },
  deleted_saved_views: {
    table: 'saved_views',
    rows: sql`select t.ctid as place, u.organization_id, t.deleted_at as at
      from saved_views t left join users u on u.uid = t.uid where t.deleted_at is not null`,
  },
}
/** Rows per transaction, so that nobody waits long for a lock. */
const BATCH = 5_000

export interface Deleted {
  readonly kind: JobRuleId
  readonly deleted: bigint
  readonly held: bigint
}

/**
 * Deletes rows older than their rule, except rows that an active hold covers, and records the numbers of both. A row
 * whose organisation is unknown is covered by a hold of any organisation.
 * Tested by `features/retention/server/retention.test.ts`.
 */
export async function purgeExpired(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<readonly Deleted[]> {
  const done: Deleted[] = []
  for (const { id, months } of JOB_RULES) {
    const since = keptSince(today(clock), months)
    let deleted = 0n
    for (;;) {
      signal?.throwIfAborted()
      const count = await database.inScope(SYSTEM, tx => deleteBatch(tx, SOURCES[id], since))
      deleted += count
      if (count < BigInt(BATCH)) break
    }
    const held = await database.inScope(SYSTEM, async tx => {
      const left = await countHeld(tx, SOURCES[id], since)
      if (deleted > 0n || left > 0n)
        await tx
          .insertInto('retentionRuns')
          .values({ ranAt: new Date(clock.now()), kind: id, keptSince: since, deleted, held: left })
          .execute()
      return left
    })
    done.push({ kind: id, deleted, held })
  }
  return done
}

async function deleteBatch(tx: Transaction, { table, rows }: Source, since: Day): Promise<bigint> {
  // A person who places a hold waits for this batch, so that everything the hold covers still exists when it is
  // confirmed.
  await sql`lock table legal_holds in share mode`.execute(tx)
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any (array(
    select x.place from (${rows}) x where ${isExpired(since)} and not ${IS_HELD} limit ${BATCH}))`.execute(tx)
  return numAffectedRows ?? 0n
}

async function countHeld(tx: Transaction, { rows }: Source, since: Day): Promise<bigint> {
  const counted = await sql<{ count: bigint }>`select count(*) as count from (${rows}) x
    where ${isExpired(since)} and ${IS_HELD}`.execute(tx)
  return counted.rows[0]?.count ?? 0n
}

function isExpired(since: Day): RawBuilder<boolean> {
  return sql<boolean>`x.at < ${since}::timestamp at time zone 'Asia/Tokyo'`
}

const IS_HELD = sql<boolean>`exists (select from legal_holds h where h.released_at is null
  and (h.organization_id is null or x.organization_id is null or h.organization_id = x.organization_id)
  and (h.from_month is null
    or to_char(x.at at time zone 'Asia/Tokyo', 'YYYYMM')::integer between h.from_month and h.to_month))`
