import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { MonthOperationDocument, type MonthOperationQueryVariables } from './manual-operation.gen.ts'

/** Whether the address names an operation by its id, and not a month that may have none yet. */
export function isOperationId(operation: string): boolean {
  return /^[1-9]\d{0,17}$/.test(operation)
}

export const manualOperationQuery = {
  document: MonthOperationDocument,
  variables: (_condition: object, { ids: { operation = '' } }: ScreenContext): MonthOperationQueryVariables => {
    if (parseYearMonth(operation) !== undefined) return { param: { dividendMonth: operation } }
    // No operation has the id 0, so anything that is not an id finds none.
    return { param: { id: isOperationId(operation) ? operation : '0' } }
  },
}
