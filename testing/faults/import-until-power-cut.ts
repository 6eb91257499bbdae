import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import { sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { importFacts, randomFrom } from '../statistics/stats-rows.ts'

/**
 * A process that imports into a statistics store until its disk is cut off. Arguments: file of the store, first batch.
 * Each line of output is a JSON object: `found` (batch → impressions) at the start, `start` and `ack` of each batch.
 */
const [file = '', first = '1'] = process.argv.slice(2)
const ROUNDS_PER_REOPENING = 9
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
process.on('disconnect', () => process.exit())

const settings = { file, memoryLimit: '256MB', threads: 1 }
let store = await openDuckDb(settings)
say({ found: await found() })
for (let batch = Number(first); ; batch += 1) {
  const random = randomFrom(batch)
  // Mostly small batches as they arrive every day, sometimes one that needs several blocks of the file.
  const rows = random.chance(0.15) ? 20_000 : 5 + random.below(400)
  const replaces = batch % 4 === 0 ? batch - 2 : undefined
  const facts = Array.from({ length: rows }, (_, n) => ({
    date: day(n % 2 === 0 ? '2026-09-15' : '2026-10-15'),
    medium_id: 1n,
    publisher_id: 1n,
    article_id: BigInt(batch * 100_000 + n),
    batch_no: BigInt(batch),
    impression: BigInt(1 + random.below(1_000_000)),
    click: 0n,
    watch: 0n,
    ads_revenue_micro_yen: BigInt(random.below(1_000_000_000)),
    publisher_revenue_micro_yen: 0n,
  }))
  const total = facts.reduce((sum, row) => sum + row.impression, 0n)
  say({ start: batch, total: String(total), replaces })
  await importFacts(store, BigInt(batch), { article_day: facts }, replaces === undefined ? [] : [BigInt(replaces)])
  say({ ack: batch })
  if (batch % ROUNDS_PER_REOPENING === 0) {
    await store.compact(202610 as YearMonth)
    await store.close() // folds the log into the file
    store = await openDuckDb(settings)
  }
}

/** The sums of each batch and of the month's roll-up, and whether the store itself reports a damaged batch. */
async function found() {
  const days = await store.query(
    sql`select batch_no, ${sumInt(sql`impression`)} as shown from ${table('article_day')} group by batch_no order by batch_no`,
  )
  const [months] = await store.query(
    sql`select coalesce(${sumInt(sql`impression`)}, 0) as shown from ${table('article_month')}`,
  )
  return {
    batches: Object.fromEntries(days.map(row => [String(row.batch_no), String(row.shown)])),
    ofMonths: String(months?.shown),
    damaged: (await store.damagedBatches()).map(String),
  }
}
