import { type Allow, defineRoute } from '@pc/ui/routing/define-route.ts'
import { ingestCondition, ingestErrorsCondition } from '../ingest-condition.ts'
import { INGEST_BATCHES_PATH, ingestBatchPath } from '../links.ts'

/** Deliveries hold the platform's own revenue of all publishers, so the history needs the right to see that. */
const allow: Allow = { action: 'read:list', resource: 'insight:revenue_detail.' }

export const ingestBatchesRoute = defineRoute({
  path: INGEST_BATCHES_PATH,
  title: '取り込み履歴',
  help: 'ingest.html#画面から取り込む',
  allow,
  condition: ingestCondition,
  query: () => import('./ingest-batches-query.ts').then(module => module.ingestBatchesQuery),
  view: () => import('./ingest-batches-view.tsx').then(module => module.IngestBatchesView),
})

export const ingestBatchRoute = defineRoute({
  path: ingestBatchPath('$id'),
  title: '取り込みの詳細',
  allow,
  condition: ingestErrorsCondition,
  query: () => import('./ingest-batches-query.ts').then(module => module.ingestBatchQuery),
  view: () => import('./ingest-batch-view.tsx').then(module => module.IngestBatchView),
})
