import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { DividendOperationDocument, type DividendOperationQueryVariables } from './manual-operation.gen.ts'

/** Whether the address names an operation by its id, and not a month that may have none yet. */
export function isOperationId(operation: string): boolean {
  return /^[1-9]\d{0,17}$/.test(operation)
}

export const dividendOperationQuery = {
  document: DividendOperationDocument,
  variables: (_condition: object, { ids: { operation = '' } }: ScreenContext): DividendOperationQueryVariables => {
    if (parseYearMonth(operation) !== undefined) return { param: { dividendMonth: operation } }
    // Anything else names no operation.
    return { param: { id: isOperationId(operation) ? operation : '0' } }
  },
}
