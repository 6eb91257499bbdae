/**
 * The history of deliveries. Reached from the data-freshness text of reports, the close board and the command palette; it
 * has no item in the sidebar, whose items are fixed (`apps/console/menu.ts`).
 */
export const INGEST_BATCHES_PATH = '/reports/ingest-batches'

export function ingestBatchPath(batchNo: string): `/${string}` {
  return `${INGEST_BATCHES_PATH}/${batchNo}`
}
