import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { DividendsDocument, type DividendsQueryVariables } from '../../core/web/month-close.gen.ts'
import { type DividendCondition, dividendMonth } from '../../manual-operation-condition.ts'

export const dividendsQuery = {
  document: DividendsDocument,
  variables: (condition: DividendCondition, { today }: Pick<ScreenContext, 'today'>): DividendsQueryVariables => ({
    month: formatYearMonth(dividendMonth(condition, today)),
  }),
}
