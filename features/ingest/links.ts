/**
 * What was delivered, and what became of it. Reached from the days that the figures reach to, from the close board and
 * the command palette: the sidebar's items are given (`apps/console/menu.ts`).
 */
export const INGEST_BATCHES_PATH = '/reports/ingest-batches'

export function ingestBatchPath(batchNo: string): `/${string}` {
  return `${INGEST_BATCHES_PATH}/${batchNo}`
}
