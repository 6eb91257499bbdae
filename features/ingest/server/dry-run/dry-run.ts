import { monthOfDay, monthRange, type YearMonth } from '@pc/domain/month/year-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { decideRevision, prepareDelivery, withDelivery } from '../checking/check-delivery.ts'
import type { Dataset } from '../checking/dataset-columns.ts'
import type { ImportRequest } from '../import-request.ts'
import type { IngestContext } from '../ingest-context.ts'
import { IngestRefusal, type RowError } from '../ingest-refusal.ts'
import { type BatchRow, listFinalMonths, mediaOfBatch } from '../ingest-store.ts'
import type { ContentFormat } from '../reading/content-format.ts'
import { type RowsSummary, summariseRows } from './summarise-rows.ts'

/** The outcome that an import of the same delivery would have now. */
export interface DryRun {
  readonly verdict:
    | {
        readonly kind: 'acceptable'
        readonly replaces: BatchRow | undefined
        readonly quarantined: readonly RowError[]
      }
    /** The same content is visible already. */
    | { readonly kind: 'unchanged'; readonly batch: BatchRow }
    | { readonly kind: 'refused'; readonly refusal: IngestRefusal }
  /** Undefined when the delivery was refused before it was received completely. */
  readonly file: DeliveredFile | undefined
  /** Undefined when the rows were not read, for example because the content is unchanged. */
  readonly summary: RowsSummary | undefined
  /** Finalised months whose figures would change. Their difference is booked to a later month as late figures. */
  readonly finalMonths: readonly MediumMonth[]
}

interface DeliveredFile {
  readonly dataset: Dataset
  readonly format: ContentFormat
  readonly sha256: string
}

export interface MediumMonth {
  readonly mediumId: bigint
  readonly month: YearMonth
}

/** Does what {@link importBatch} does up to publication, and keeps nothing. Waits for the import lock like an import. */
export async function dryRun(context: IngestContext, request: ImportRequest): Promise<DryRun> {
  let file: DeliveredFile | undefined
  let summary: RowsSummary | undefined
  try {
    return await withDelivery(context, request, async delivery => {
      const { dataset, source } = delivery
      file = { dataset, format: source.format, sha256: source.sha256 }
      const decided = await decideRevision(context, request, delivery)
      if ('unchanged' in decided) {
        const verdict = { kind: 'unchanged', batch: decided.unchanged } as const
        return { verdict, file, summary: undefined, finalMonths: [] }
      }
      const { predecessor: replaces } = decided
      const prepared = await prepareDelivery(context, request, delivery, replaces, {
        batchNo: UNBORN,
        inspect: async (engine, rows) => {
          summary = await summariseRows(engine, dataset, rows)
        },
      })
      const quarantined = prepared.quarantined.slice(0, context.limits.listedErrors)
      const finalMonths = await context.database.inScope(SYSTEM, async tx => {
        const replaced = replaces ? monthsOf(replaces, await mediaOfBatch(tx, replaces.batchNo)) : []
        return listFinalMonths(tx, [...(summary?.months ?? []), ...replaced])
      })
      return { verdict: { kind: 'acceptable', replaces, quarantined }, file, summary, finalMonths }
    })
  } catch (error) {
    if (!(error instanceof IngestRefusal)) throw error
    return { verdict: { kind: 'refused', refusal: error }, file, summary, finalMonths: [] }
  }
}

/** A batch number for the checks, which never reaches the ledger. */
const UNBORN = 0n

function monthsOf({ firstDay, lastDay }: BatchRow, mediumIds: readonly bigint[]): MediumMonth[] {
  if (firstDay === null || lastDay === null) return []
  const months = monthRange(monthOfDay(firstDay), monthOfDay(lastDay))
  return mediumIds.flatMap(mediumId => months.map(month => ({ mediumId, month })))
}
