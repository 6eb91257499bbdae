import fs from 'node:fs'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { sql } from 'kysely'
import { openDependencies } from '../../apps/server/open-dependencies.ts'
import { benchConfig } from '../prepare-store.ts'

/** Schema of the peer's table and function, in the same database. */
export const PEER_SCHEMA = 'bench_peer'
const COLUMNS = 'date, medium_id, publisher_id, article_id, impression, click, watch, publisher_revenue_micro_yen'

/** Adds an agreement rule for each publisher, once, so that the list's columns have values. */
export async function addAgreements(folder: string): Promise<void> {
  const config = benchConfig(folder, 4900)
  const dependencies = await openDependencies({ config, log: openLog('warn'), ownsDeliveries: true })
  try {
    await dependencies.database.inScope(
      SYSTEM,
      async tx => {
        await sql`insert into agreements (medium_id, organization_id, name, code)
          select 1, id, name, 'AG-' || id from organizations where not exists (select from agreements)`.execute(tx)
        await sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
          select a.id, p.id, a.medium_id, 5000 from publishers p join agreements a using (organization_id)
          where not exists (select from agreement_publisher_rules)`.execute(tx)
      },
      { statementTimeoutMs: 900_000 },
    )
  } finally {
    await dependencies.close()
  }
}

export interface BareEngine {
  /** Writes the article-days as CSV and returns the file's path. */
  writeRows(): Promise<string>
  /** The first hundred articles of a period by impressions, with totals and number of articles, in one pass. */
  top(from: string, to: string): Promise<number>
  /** Daily sums of a publisher. */
  days(publisherId: string, from: string, to: string): Promise<number>
  close(): void
}

/**
 * Opens plain DuckDB over a copy of the same rows in the same order. Call it before our server opens its file. `work`
 * is a temporary folder.
 */
export async function openBareEngine(folder: string, work: string): Promise<BareEngine> {
  const instance = await DuckDBInstance.create(path.join(work, 'bare.duckdb'), { threads: '2', memory_limit: '4GB' })
  const connection = await instance.connect()
  await connection.run(`attach '${path.join(folder, 'stats/stats.duckdb')}' as store (read_only)`)
  await connection.run(`create table article_day as select ${COLUMNS} from store.article_day`)
  await connection.run('create table publisher_day as select * from store.publisher_day')
  await connection.run('detach store')
  return {
    async writeRows() {
      const file = path.join(work, 'article-days.csv')
      await connection.run(`copy article_day to '${file}' (format csv, header false)`)
      return file
    },
    top: (from, to) => countRows(connection, TOP, [from, to]),
    days: (...values) => countRows(connection, DAYS, values),
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

const TOP = `with sums as materialized (
    select article_id, sum(impression) as impression, sum(click) as click, sum(watch) as watch,
      sum(publisher_revenue_micro_yen) as revenue
    from article_day where date between $1::date and $2::date group by article_id)
  select * from (select 1 as place, * from sums order by impression desc, article_id limit 100)
  union all select 0, count(*), sum(impression), sum(click), sum(watch), sum(revenue) from sums`

const DAYS = `select date, sum(article_impression), sum(article_click), sum(article_watch), sum(video_impression),
    sum(video_click), sum(video_watch), sum(live_impression), sum(live_click), sum(live_watch), sum(publisher_revenue_micro_yen)
  from publisher_day where publisher_id = $1::bigint and date between $2::date and $3::date group by date order by date`

async function countRows(connection: DuckDBConnection, statement: string, values: readonly string[]): Promise<number> {
  const reader = await connection.runAndReadAll(statement, [...values])
  return reader.getRows().length
}

/** Loads the article-days for PostGraphile, once per store, with an index-only index for a publisher's days. */
export async function loadPeerRows(adminUrl: string, engine: BareEngine): Promise<void> {
  await withClient(adminUrl, async client => {
    const known = await client.query(
      `select to_regprocedure('${PEER_SCHEMA}.article_series(bigint, date, date)')::text as name`,
    )
    if (known.rows[0]?.name) return
    const csv = await engine.writeRows()
    await client.query(`drop schema if exists ${PEER_SCHEMA} cascade`)
    await client.query(`create schema ${PEER_SCHEMA}`)
    await client.query(`create table ${PEER_SCHEMA}.article_day (date date not null, medium_id bigint not null,
      publisher_id bigint not null, article_id bigint not null, impression bigint not null, click bigint not null,
      watch bigint not null, publisher_revenue_micro_yen bigint not null)`)
    await client.query(`copy ${PEER_SCHEMA}.article_day (${COLUMNS}) from '${csv.replaceAll("'", "''")}' (format csv)`)
    await client.query(`create index on ${PEER_SCHEMA}.article_day (publisher_id, date)
      include (impression, click, watch, publisher_revenue_micro_yen)`)
    await client.query(`vacuum analyze ${PEER_SCHEMA}.article_day`)
    await client.query(`create type ${PEER_SCHEMA}.article_total as
      (date date, impression bigint, click bigint, watch bigint, publisher_revenue_micro_yen bigint)`)
    // Created last: its existence shows that loading was complete.
    await client.query(`create function ${PEER_SCHEMA}.article_series(publisher bigint, since date, until date)
      returns setof ${PEER_SCHEMA}.article_total language sql stable as $$
        select date, sum(impression)::bigint, sum(click)::bigint, sum(watch)::bigint, sum(publisher_revenue_micro_yen)::bigint
        from ${PEER_SCHEMA}.article_day where publisher_id = publisher and date between since and until
        group by date order by date $$`)
  })
}

/** A temporary folder for one run that PostgreSQL can read, even as another user. */
export function workFolder(dataDir: string): { readonly work: string; remove(): void } {
  const parent = path.join(dataDir, 'bench')
  fs.mkdirSync(parent, { recursive: true })
  const work = fs.mkdtempSync(path.join(path.resolve(parent), 'peers-'))
  return { work, remove: () => fs.rmSync(work, { recursive: true, force: true }) }
}
