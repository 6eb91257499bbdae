import { parseYearMonth } from '@pc/domain/month/year-month.ts'

/** What the form holds; null where nothing is chosen. */
export interface DividendValues {
  kind: string | null
  mediumId: string | null
  method: string | null
  amount: number | null
  extraRevenueMonth: string | null
  notes: string
  rawText: string
}

export const NEW_DIVIDEND: DividendValues = {
  kind: 'csv',
  mediumId: null,
  method: 'payment',
  amount: null,
  extraRevenueMonth: null,
  notes: '',
  rawText: '',
}

export function isPool(kind: string | null): boolean {
  return kind === 'ssp' || kind === 'ssp_video' || kind === 'ssp_live'
}

/** The entry as the calls take it; the month by its operation's id, or as YYYY-MM. */
export function entryOf(values: DividendValues, id: string) {
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
