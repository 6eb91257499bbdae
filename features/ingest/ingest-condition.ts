import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, id, oneOf, page, text } from '@pc/domain/condition/params.ts'

/** Every dataset, under its GraphQL name. Files and endpoint addresses use a hyphen: `article-daily`. */
export const INGEST_DATASETS = [
  'article_daily',
  'video_daily',
  'summary_daily',
  'events',
  'articles',
  'videos',
] as const
export type IngestDataset = (typeof INGEST_DATASETS)[number]

/** The outcome of a delivery, as screens show it. `running`: received, and not yet published or refused. */
export const INGEST_RESULTS = ['applied', 'replaced', 'refused', 'running', 'failed'] as const
export type IngestResult = (typeof INGEST_RESULTS)[number]

export const INGEST_PAGE_SIZE = 50
export const INGEST_ERRORS_PAGE_SIZE = 100

/** `from` and `to` are the days on which deliveries were received; `day` is a day that their figures are about. */
export const ingestCondition = defineCondition({
  q: text(),
  dataset: oneOf(['all', ...INGEST_DATASETS]),
  result: oneOf(['all', ...INGEST_RESULTS]),
  mediumId: id(),
  from: day(),
  to: day(),
  day: day(),
  page: page(INGEST_PAGE_SIZE),
})
export type IngestCondition = ConditionOf<typeof ingestCondition>

export const ingestErrorsCondition = defineCondition({ page: page(INGEST_ERRORS_PAGE_SIZE) })
export type IngestErrorsCondition = ConditionOf<typeof ingestErrorsCondition>
