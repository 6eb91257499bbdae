import { CashForecastDocument } from './cash-forecast.gen.ts'

export const cashForecastQuery = { document: CashForecastDocument, variables: () => ({}) }
