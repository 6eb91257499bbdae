import { importBatch } from '@pc/features/ingest/server/import-batch.ts'
import { ingestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { redoUnfinishedImports } from '@pc/features/ingest/server/redo-unfinished-imports.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import { argumentsOfWork } from './spare-process.ts'

/**
 * A process that delivers the same articles under ever new titles until somebody kills it. Arguments: database URL, data
 * folder, first round number, rounds, articles. Each line of output is the number of a round that was acknowledged; -1
 * when the store is open and the imports begin.
 */
const [url = '', dataDir = '', first = '0', rounds = '0', articles = '0'] = await argumentsOfWork()

const stats = await openDuckDb({ file: `${dataDir}/stats/stats.duckdb`, memoryLimit: '512MB', threads: 4 })
const context = ingestContext(
  { dataDir, statsThreads: 2, statsMemoryLimit: '512MB' },
  { database: openDatabase({ url, maxConnections: 4 }), stats, clock: fixedClock('2026-11-20T12:00:00+09:00') },
)
await redoUnfinishedImports(context)
process.stdout.write('-1\n')
for (let round = Number(first); round < Number(first) + Number(rounds); round += 1) {
  const batchId = round % 2 === 0 ? `round-${round}` : 'corrected'
  const input = content(round)
  const outcome = await importBatch(context, { dataset: 'articles', input, batchId, quarantine: false, sourceName: '' })
  if (outcome.kind === 'refused') throw outcome.refusal
  process.stdout.write(`${round}\n`)
}
process.exit(0)

async function* content(round: number): AsyncIterable<Buffer> {
  yield Buffer.from('article_id,medium_id,medium_article_id,publisher_id,title,url,published_at\n')
  for (let id = 1; id <= Number(articles); id += 1) {
    // A new article of its own in every round: rows that come and rows that change.
    const named = id === Number(articles) ? 1_000_000 + round : id
    yield Buffer.from(`${named},1,a${named},1,round ${round},https://news.example/${named},2026-11-01T00:00:00Z\n`)
  }
}
