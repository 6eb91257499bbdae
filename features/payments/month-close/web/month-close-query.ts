import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { MonthCloseDocument, type MonthCloseQueryVariables } from '../../core/web/month-close.gen.ts'
import { type MonthCloseCondition, shownMonth } from '../../month-close-condition.ts'

export const monthCloseQuery = {
  document: MonthCloseDocument,
  variables: (condition: MonthCloseCondition, { today }: Pick<ScreenContext, 'today'>): MonthCloseQueryVariables => ({
    month: formatYearMonth(shownMonth(condition, today)),
  }),
}
