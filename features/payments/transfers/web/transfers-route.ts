import { type Allow, defineRoute } from '@pc/ui/routing/define-route.ts'
import { TRANSFERS_PATH } from '../../links.ts'
import { transferBatchCondition, transferCondition } from '../../transfer-condition.ts'

const allow: Allow = { action: 'read:list', resource: 'insight:dividend.' }

export const transfersRoute = defineRoute({
  path: TRANSFERS_PATH,
  title: '振込',
  help: 'transfers.html',
  allow,
  condition: transferCondition,
  query: () => import('./transfers-query.ts').then(module => module.transfersQuery),
  view: () => import('./transfers-view.tsx').then(module => module.TransfersView),
})

export const transferBatchRoute = defineRoute({
  path: `${TRANSFERS_PATH}/$id`,
  title: '振込データ',
  allow,
  condition: transferBatchCondition,
  query: () => import('./transfers-query.ts').then(module => module.transferBatchQuery),
  view: () => import('./transfer-batch-view.tsx').then(module => module.TransferBatchView),
})
