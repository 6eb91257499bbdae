import { addDays } from '@pc/domain/month/day.ts'
import { importBatch } from '@pc/features/ingest/server/import-batch.ts'
import type { IngestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'

const BATCH_ID = 'demo-wrong-rows'

/** Creates a refused delivery with some valid rows and some that are invalid in different ways. */
export async function keepDemoRefusedDelivery(context: IngestContext): Promise<void> {
  const known = await context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select('batchNo').where('batchId', '=', BATCH_ID).executeTakeFirst(),
  )
  if (known) return
  const day = addDays(today(context.clock), -1)
  const lines = [
    'date,medium_id,publisher_id,article_id,impression,click',
    `${day},1,1,9900001,1200,34`,
    `${day},1,1,9900002,１２００,34`,
    `${day},1,1,9900003,-5,0`,
    `${addDays(day, 30)},1,1,9900004,800,12`,
    `${day},1,999999,9900005,800,12`,
    `${day},1,,9900006,800,12`,
    '昨日,1,1,9900007,800,12',
  ]
  async function* input() {
    yield Buffer.from(`${lines.join('\n')}\n`)
  }
  const outcome = await importBatch(context, {
    dataset: 'article-daily',
    input: input(),
    batchId: BATCH_ID,
    quarantine: false,
    sourceName: 'article-daily.csv',
  })
  if (outcome.kind !== 'refused') throw new Error('the wrong rows of the demonstration were taken')
}
