import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import type { Choice } from '@pc/ui/form/suggest-field.tsx'
import type { ManualOperationDraftCondition } from '../../manual-operation-draft-condition.ts'
import { type ReadRows, readRawRows } from './raw-rows.ts'

/** What the form holds; null where nothing is chosen. */
export interface ManualOperationValues {
  kind: string | null
  mediumId: string | null
  method: string | null
  amount: number | null
  extraRevenueMonth: string | null
  notes: string
  rawText: string
  /** A row that is about to be added to the text. */
  rowAgreement: Choice | null
  rowPublisher: Choice | null
  rowFigure: number | null
}

/** The first values of the form, from its address. */
export function draftOf({ kind, mediumId, method, amount }: ManualOperationDraftCondition): ManualOperationValues {
  return {
    kind,
    mediumId: mediumId ?? null,
    method,
    amount: isPool(kind) && /^\d{1,15}$/.test(amount) ? Number(amount) : null,
    extraRevenueMonth: null,
    notes: '',
    rawText: '',
    ...{ rowAgreement: null, rowPublisher: null, rowFigure: null },
  }
}

export function isPool(kind: string | null): boolean {
  return kind === 'ssp' || kind === 'ssp_video' || kind === 'ssp_live'
}

/**
 * The entry as the API takes it.
 * @param id the operation's id or YYYY-MM, as the address names the month
 */
export function entryOf(values: ManualOperationValues, id: string) {
  const month = parseYearMonth(id)
  return {
    ...(month === undefined ? { monthlyDividendManualOperationId: id } : { dividendMonth: id }),
    kind: (values.kind ?? 'csv') as 'csv',
    mediumId: values.mediumId ?? '',
    dividendMethod: (values.method ?? 'payment') as 'payment',
    ...(isPool(values.kind) && values.amount !== null ? { extraRevenue: values.amount } : {}),
    ...(values.extraRevenueMonth ? { extraRevenueMonth: values.extraRevenueMonth } : {}),
    notes: values.notes,
  }
}

/** Whether the rows of a kind hold amounts to book, or weights by which a pool is shared. */
export function holdsOf(kind: string | null): 'amounts' | 'weights' {
  return isPool(kind) ? 'weights' : 'amounts'
}

/** The rows that are sent. A reset has none, whatever was typed before. */
export async function rowsOf({ kind, rawText }: Pick<ManualOperationValues, 'kind' | 'rawText'>): Promise<ReadRows> {
  return kind === 'reset' ? { rows: [] } : readRawRows(rawText, holdsOf(kind))
}
