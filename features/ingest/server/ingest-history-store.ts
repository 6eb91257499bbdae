import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import type { IngestDataset, IngestResult } from '../ingest-condition.ts'

type ReadPermit = Permit<'read:list', 'insight:revenue_detail.'>

/** A delivery as the history screen shows it. */
export interface IngestBatchRow {
  readonly batchNo: bigint
  readonly dataset: IngestDataset
  readonly batchId: string
  readonly revision: number
  readonly result: IngestResult
  readonly sourceName: string
  readonly contentSha256: string
  readonly apiKeyName: string | null
  /** Email of the person who uploaded it on the screen; null for other ways, or when the account was deleted. */
  readonly deliveredBy: string | null
  readonly receivedAt: Date
  readonly appliedAt: Date | null
  readonly rowsTotal: bigint
  /** Quarantined rows, or the wrong rows of a refused delivery. */
  readonly badRows: bigint
  readonly movedRows: bigint
  readonly firstDay: Day | null
  readonly lastDay: Day | null
  readonly mediumIds: readonly bigint[]
  readonly refusedBecause: string
  /** The batch that this one replaced, and the one that replaced it. */
  readonly replacesBatchNo: bigint | null
  readonly replacedByBatchNo: bigint | null
}

export interface IngestFilter {
  readonly dataset?: IngestDataset | undefined
  readonly result?: IngestResult | undefined
  readonly mediumId?: bigint | undefined
  /** Instants of receipt; `until` is exclusive. */
  readonly from?: Date | undefined
  readonly until?: Date | undefined
  /** A day that the figures are about. */
  readonly day?: Day | undefined
  /** A LIKE pattern; wildcards of the user's text are escaped. */
  readonly pattern?: string | undefined
}

/** The ledger's state as an {@link IngestResult}: both states before the end are `running`. */
const RESULT = sql`case b.state when 'received' then 'running' when 'applying' then 'running' else b.state end`
/** GraphQL enum names cannot contain a hyphen. */
const DATASET = sql`replace(b.dataset, '-', '_')`
const COLUMNS = sql`b.batch_no, ${DATASET} as dataset, b.batch_id, b.revision, ${RESULT} as result, b.source_name, b.content_sha256,
  k.name as api_key_name, u.email as delivered_by, b.received_at, b.applied_at, b.rows_total, b.rows_quarantined + b.refused_rows as bad_rows,
  b.moved_rows, b.first_day, b.last_day, b.medium_ids, b.refused_because, b.replaces_batch_no,
  (select s.batch_no from ingest_batches s where s.replaces_batch_no = b.batch_no and s.state not in ('refused', 'failed')
    order by s.batch_no limit 1) as replaced_by_batch_no`

/** Deliveries, the last one first. */
export function listIngestBatches(
  database: Database,
  filter: IngestFilter,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: IngestBatchRow[] }> {
  const where = sql.join(conditionsOf(filter), sql` and `)
  return database.inScope(permit.scope, async tx => {
    const counted = await sql<{ total: bigint }>`select count(*) as total from ingest_batches b where ${where}`.execute(
      tx,
    )
    const found =
      await sql<IngestBatchRow>`select ${COLUMNS} from ingest_batches b left join api_keys k on k.id = b.api_key_id
      left join users u on u.uid = b.delivered_by_uid
      where ${where} order by b.batch_no desc limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: Number(counted.rows[0]?.total ?? 0n), nodes: found.rows }
  })
}

function conditionsOf({ dataset, result, mediumId, from, until, day, pattern }: IngestFilter): RawBuilder<unknown>[] {
  const states = {
    applied: ['applied'],
    replaced: ['replaced'],
    refused: ['refused'],
    failed: ['failed'],
    running: ['received', 'applying'],
  }
  return [
    sql`true`,
    ...(dataset === undefined ? [] : [sql`${DATASET} = ${dataset}`]),
    ...(result === undefined ? [] : [sql`b.state = any (${states[result]}::text[])`]),
    // Old batches have no recorded media ('{}'), so every medium's filter includes them.
    ...(mediumId === undefined ? [] : [sql`(b.medium_ids @> array[${mediumId}::bigint] or b.medium_ids = '{}')`]),
    ...(from === undefined ? [] : [sql`b.received_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`b.received_at < ${until}`]),
    ...(day === undefined ? [] : [sql`${day}::date between b.first_day and b.last_day`]),
    ...(pattern === undefined
      ? []
      : [sql`(b.batch_id ilike ${pattern} or b.source_name ilike ${pattern} or b.content_sha256 ilike ${pattern})`]),
  ]
}

export function findIngestBatch(
  database: Database,
  batchNo: bigint,
  permit: ReadPermit,
): Promise<IngestBatchRow | undefined> {
  return database.inScope(permit.scope, async tx => {
    const { rows } = await sql<IngestBatchRow>`select ${COLUMNS} from ingest_batches b
      left join api_keys k on k.id = b.api_key_id left join users u on u.uid = b.delivered_by_uid
      where b.batch_no = ${batchNo}`.execute(tx)
    return rows[0]
  })
}

/** A wrong row of a delivery: what is wrong, and the row as it came. */
export interface IngestError {
  readonly line: bigint
  readonly columnName: string
  readonly reason: string
  readonly sourceText: string
}

/** Errors in the order of the file. */
export function listIngestErrors(
  database: Database,
  batchNo: bigint,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: IngestError[] }> {
  return database.inScope(permit.scope, async tx => {
    const counted = await sql<{ total: bigint }>`
      select count(*) as total from ingest_quarantined_rows where batch_no = ${batchNo}`.execute(tx)
    const found = await sql<IngestError>`select line, column_name, reason, source_text from ingest_quarantined_rows
      where batch_no = ${batchNo} order by line, column_name limit ${page.limit} offset ${page.offset}`.execute(tx)
    return { total: Number(counted.rows[0]?.total ?? 0n), nodes: found.rows }
  })
}

/** A late correction: the difference that a delivery made to a finalised month, booked to a later month. */
export interface IngestCorrection {
  readonly dividendId: bigint
  readonly mediumId: bigint
  readonly originMonth: YearMonth
  readonly month: YearMonth
  readonly amountYen: bigint
  readonly bookedAt: Date
}

/**
 * For every month that was final when the batch was applied, the first correction booked since. A correction covers all
 * batches since the previous one, so that several batches can share it.
 */
export function listIngestCorrections(
  database: Database,
  batchNo: bigint,
  permit: ReadPermit,
): Promise<IngestCorrection[]> {
  return database.inScope(permit.scope, tx => correctionsSince(tx, batchNo))
}

async function correctionsSince(tx: Transaction, batchNo: bigint): Promise<IngestCorrection[]> {
  const { rows } = await sql<IngestCorrection>`
    select distinct on (c.medium_id, c.origin_month) c.dividend_id, c.medium_id, c.origin_month, d.month,
      coalesce((select sum(r.amount_yen) from dividend_rows r where r.dividend_id = c.dividend_id), 0)::bigint as amount_yen,
      c.created_at as booked_at
    from ingest_batches b
    join late_corrections c on c.created_at >= b.applied_at and (b.medium_ids = '{}' or c.medium_id = any (b.medium_ids))
      and c.origin_month between extract(year from b.first_day) * 100 + extract(month from b.first_day)
        and extract(year from b.last_day) * 100 + extract(month from b.last_day)
    join month_closings m on m.medium_id = c.medium_id and m.month = c.origin_month and m.finalized_at <= b.applied_at
    join dividends d on d.id = c.dividend_id
    where b.batch_no = ${batchNo} and b.state in ('applied', 'replaced')
    order by c.medium_id, c.origin_month, c.created_at, c.dividend_id desc`.execute(tx)
  return rows
}
