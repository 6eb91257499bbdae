import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { ContentDataset } from '../checking/dataset-columns.ts'
import { asStored, countDelivered, listContents, type StoredContent } from '../content-store.ts'
import type { IngestContext } from '../ingest-context.ts'
import { listBatches } from '../ingest-store.ts'
import { CONTENT_IDS, CONTENTS_AT_ONCE } from '../reading/content-file.ts'
import { type EngineRow, ReadingEngine, text } from '../reading/reading-engine.ts'
import { withAcceptedRows } from './publish-batch.ts'
import { type CellDifference, MAX_LISTED_DIFFERENCES, type ReplayReport } from './replay-day.ts'

/**
 * Rebuilds all articles or videos from the kept sources in batch order, and compares every cell with the database. Rows
 * that did not come by a delivery are ignored. Changes nothing.
 * Tested by `features/ingest/server/publishing/hostile-contents.test.ts`.
 */
export function replayContents(context: IngestContext, dataset: ContentDataset): Promise<ReplayReport> {
  return context.withImportLock(async () => {
    // Replaced batches too: their articles stay until a later batch names the same id.
    const batches = await context.database.inScope(SYSTEM, tx => listBatches(tx, ['applied', 'replaced'], [dataset]))
    const engine = await ReadingEngine.open(context.engine, [context.workFolder], context.workFolder)
    try {
      const id = CONTENT_IDS[dataset]
      for (const [at, batch] of batches.entries()) {
        await withAcceptedRows(context, batch, async ({ contents }) => {
          const rows = `select ${batch.batchNo}::bigint as batch_no, * exclude (place) from read_parquet(${text(contents!.file)})`
          await engine.run(at === 0 ? `create table delivered as ${rows}` : `insert into delivered ${rows}`)
        })
      }
      const report = { of: dataset, batchIds: batches.map(({ batchId }) => batchId) }
      if (batches.length === 0) return { ...report, storedRows: 0, rebuiltRows: 0, differences: 0, listed: [] }
      await engine.run(
        `create table rebuilt as select * from delivered qualify row_number() over (partition by ${id} order by batch_no desc) = 1`,
      )
      return { ...report, ...(await compare(context, engine, dataset)) }
    } finally {
      engine.close()
    }
  })
}

type Compared = Pick<ReplayReport, 'storedRows' | 'rebuiltRows' | 'differences' | 'listed'>

async function compare(context: IngestContext, engine: ReadingEngine, dataset: ContentDataset): Promise<Compared> {
  const id = CONTENT_IDS[dataset]
  const listed: CellDifference[] = []
  const counts = { storedRows: 0, rebuiltRows: 0, differences: 0 }
  const report = (difference: Omit<CellDifference, 'table'>) => {
    counts.differences += 1
    if (listed.length < MAX_LISTED_DIFFERENCES) listed.push({ table: dataset, ...difference })
  }
  for (let after = 0n; ; ) {
    const rebuilt = await engine.rows(
      `select * from rebuilt where ${id} > ${after} order by ${id} limit ${CONTENTS_AT_ONCE}`,
    )
    const last = rebuilt.at(-1)
    if (last === undefined) break
    after = last[id] as bigint
    const ids = rebuilt.map(row => row[id] as bigint)
    const rows = await context.database.inScope(SYSTEM, tx => listContents(tx, dataset, ids))
    const stored = new Map(rows.map(row => [row[id], row]))
    counts.rebuiltRows += rebuilt.length
    counts.storedRows += rows.length
    for (const row of rebuilt) compareRow(dataset, row, stored.get(String(row[id])), report)
  }
  const delivered = await context.database.inScope(SYSTEM, tx => countDelivered(tx, dataset))
  // A row with a batch number must come from a delivery. (One that equalled its delivery already may have none.)
  const strays = Number(delivered) - counts.rebuiltRows
  if (strays > 0) report({ key: '', column: '', stored: `${strays}`, rebuilt: null })
  return { ...counts, listed }
}

function compareRow(
  dataset: ContentDataset,
  rebuilt: EngineRow,
  stored: StoredContent | undefined,
  report: (difference: Omit<CellDifference, 'table'>) => void,
): void {
  const key = `${CONTENT_IDS[dataset]}=${rebuilt[CONTENT_IDS[dataset]]}`
  if (!stored) {
    report({ key, column: '', stored: null, rebuilt: String(rebuilt.title) })
    return
  }
  for (const [column, expected] of Object.entries(asStored(dataset, rebuilt))) {
    const kept = stored[column] ?? null
    if (kept !== expected) report({ key, column, stored: kept, rebuilt: expected })
  }
}
