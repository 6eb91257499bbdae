import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import { joined, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { FACT_TABLES, ROLL_UP_TABLES, ROLL_UPS, type TableName } from '@pc/platform/stats/tables.ts'
import { PublicationConflict } from '@pc/platform/stats/version-ledger.ts'
import { type Publication, type PublicationRequest, readMessage, writeMessage } from '../statistics/publications.ts'
import { openTestClickHouse } from '../statistics/stats-engines.ts'
import { importFacts } from '../statistics/stats-rows.ts'

const TABLE_NAMES: readonly TableName[] = [...FACT_TABLES, ...ROLL_UP_TABLES]

/**
 * A process with its own statistics store, for tests in which several processes read while one publishes. It does what
 * its parent sends (answer, publish or compact) until it is killed.
 */
const [engine = '', place = '', databaseUrl = '', clockSpeed = '1'] = process.argv.slice(2)
const startedAt = Date.now()
const clock = { now: () => startedAt + (Date.now() - startedAt) * Number(clockSpeed) }
const store =
  engine === 'duckdb'
    ? await openDuckDb({ file: place, memoryLimit: '256MB', threads: 2 })
    : await openTestClickHouse(place, databaseUrl, clock)
await store.prepare?.()

process.on('message', (text: string) => {
  const { id, request } = readMessage(text) as { id: number; request: PublicationRequest }
  const done = (answer: unknown) => process.send?.(writeMessage({ id, answer }))
  perform(request).then(done, (error: unknown) => {
    if (error instanceof PublicationConflict) done('conflict')
    else process.send?.(writeMessage({ id, error: String(error) }))
  })
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function perform(request: PublicationRequest): Promise<unknown> {
  if (request.kind === 'answer') return answer()
  if (request.kind === 'compact') return (await store.compact(request.before)).length
  const { batchNo, facts, replaces, months }: Publication = request.publication
  await importFacts(store, batchNo, facts, replaces, months)
  return true
}

/** The figures of every month of every table, in four statements of one snapshot. */
function answer(): Promise<string[]> {
  return store.snapshot(async query => {
    const figures: string[] = []
    for (let start = 0; start < TABLE_NAMES.length; start += 4) {
      const parts = TABLE_NAMES.slice(start, start + 4).map(figuresOf)
      const rows = await query(joined(parts, sql` union all `))
      figures.push(
        ...rows.map(
          row => `${TABLE_NAMES[Number(row.place)]} ${row.bucket} ${row.shown} ${row.deliveries} ${row.facts}`,
        ),
      )
    }
    return figures.sort()
  })
}

/**
 * Roll-ups have no batch numbers, and their number of rows does not follow from that of the facts, so only figures are
 * compared.
 */
function figuresOf(name: TableName): Sql {
  const figure = (name in ROLL_UPS ? ROLL_UPS[name as keyof typeof ROLL_UPS].of : name).startsWith('publisher')
    ? sql`article_click`
    : sql`click`
  const shown = /_demo_/.test(name) ? sql`click` : name === 'video_watch_time_day' ? sql`watch` : figure
  const isFact = (FACT_TABLES as readonly string[]).includes(name)
  const [deliveries, facts] = isFact ? [sumInt(sql`batch_no`), sql`count(*)`] : [sql`0`, sql`0`]
  return sql`select ${BigInt(TABLE_NAMES.indexOf(name))} as place, cast(date_trunc('month', date) as date) as bucket,
    cast(${sumInt(shown)} as Int64) as shown, cast(${deliveries} as Int64) as deliveries, cast(${facts} as Int64) as facts
    from ${table(name)} group by bucket`
}
