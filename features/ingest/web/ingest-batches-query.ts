import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import {
  INGEST_PAGE_SIZE,
  type IngestCondition,
  type IngestErrorsCondition,
  ingestErrorsCondition,
} from '../ingest-condition.ts'
import { IngestBatchDocument, type IngestBatchQueryVariables } from './ingest-batch.gen.ts'
import { IngestBatchesDocument, type IngestBatchesQueryVariables } from './ingest-batches.gen.ts'

export const ingestBatchesQuery = {
  document: IngestBatchesDocument,
  variables: ({ q, dataset, result, mediumId, from, to, day, page }: IngestCondition): IngestBatchesQueryVariables => ({
    ...(q === '' ? {} : { q }),
    param: {
      ...(dataset === 'all' ? {} : { dataset }),
      ...(result === 'all' ? {} : { result }),
      ...(mediumId === undefined ? {} : { mediumId }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(day === undefined ? {} : { day }),
    },
    limit: INGEST_PAGE_SIZE,
    offset: (page - 1) * INGEST_PAGE_SIZE,
  }),
}

export const ingestBatchQuery = {
  document: IngestBatchDocument,
  variables: (condition: IngestErrorsCondition, { ids }: Pick<ScreenContext, 'ids'>): IngestBatchQueryVariables => ({
    ...ingestErrorsCondition.pageVariables(condition),
    id: ids.id ?? '',
  }),
}
