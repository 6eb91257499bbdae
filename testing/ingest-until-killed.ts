import { importBatch } from '@pc/features/ingest/server/import-batch.ts'
import { ingestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { redoUnfinishedImports } from '@pc/features/ingest/server/redo-unfinished-imports.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import { sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { argumentsOfWork } from './spare-process.ts'

/**
 * A process that imports until somebody kills it. Arguments: database URL, data folder, first round number, rounds.
 * Each line of output is one JSON object: `visible` (article → impressions) before and after the redo, `start` and
 * `ack` of each import.
 */
const [url = '', dataDir = '', first = '0', rounds = '0'] = await argumentsOfWork()
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const stats = await openDuckDb({ file: `${dataDir}/stats/stats.duckdb`, memoryLimit: '512MB', threads: 4 })
const context = ingestContext(
  { dataDir, statsThreads: 2, statsMemoryLimit: '512MB' },
  { database: openDatabase({ url, maxConnections: 4 }), stats, clock: fixedClock('2026-11-20T12:00:00+09:00') },
)
say({ visible: await visible(), redone: false })
await redoUnfinishedImports(context)
say({ visible: await visible(), redone: true })

for (let round = Number(first); round < Number(first) + Number(rounds); round += 1) {
  // New batches, and every third time a correction that keeps its name and has another content.
  const isCorrection = round % 3 === 2
  const article = isCorrection ? 7 : 1000 + round
  const impressions = isCorrection ? round : 20 + (round % 30)
  say({ start: article, impressions })
  const outcome = await importBatch(context, {
    dataset: 'events',
    input: content(article, impressions),
    ...(isCorrection ? { batchId: 'corrected' } : {}),
    quarantine: false,
    sourceName: `round ${round}`,
  })
  if (outcome.kind === 'refused') throw outcome.refusal
  say({ ack: article, impressions })
}
say({ end: true })
process.exit(0)

async function* content(article: number, impressions: number): AsyncIterable<Buffer> {
  yield Buffer.from('timestamp,type,medium_id,publisher_id,kind,article_id\n')
  for (let at = 0; at < impressions; at += 1) {
    // Over two months, so that a half published batch would show.
    const day = at % 2 === 0 ? '2026-10-05' : '2026-11-05'
    yield Buffer.from(`${day}T00:00:${String(at % 60).padStart(2, '0')}Z,impression,1,1,article,${article}\n`)
  }
}

/** The three places that hold an impression must agree: article, publisher and month. */
async function visible(): Promise<Record<string, string>> {
  const rows = await stats.query(
    sql`select article_id, ${sumInt(sql`impression`)} as shown from ${table('article_day')} group by article_id order by article_id`,
  )
  const ofPublisher = await stats.query(
    sql`select coalesce(${sumInt(sql`article_impression`)}, 0) as shown from ${table('publisher_day')}`,
  )
  const ofMonth = await stats.query(
    sql`select coalesce(${sumInt(sql`impression`)}, 0) as shown from ${table('article_month')}`,
  )
  const articles = Object.fromEntries(rows.map(row => [String(row.article_id), String(row.shown)]))
  return { ...articles, publisher: String(ofPublisher[0]?.shown), month: String(ofMonth[0]?.shown) }
}
