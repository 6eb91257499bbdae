import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { monthRange, type PaymentCondition, paymentCondition } from '../../payment-condition.ts'
import { MonthlyPaymentsDocument, type MonthlyPaymentsQueryVariables } from './payments.gen.ts'

export const paymentsQuery = {
  document: MonthlyPaymentsDocument,
  variables(condition: PaymentCondition, context?: Pick<ScreenContext, 'viewer'>): MonthlyPaymentsQueryVariables {
    const { q, mediumId, actionType, state, order } = condition
    const { limit, offset } = paymentCondition.pageVariables(condition)
    return {
      limit,
      offset,
      orderBy: order,
      withStatements: context?.viewer.can('read:show', 'insight:statement.') ?? false,
      ...(q === '' ? {} : { q }),
      param: {
        ...monthRange(condition),
        actionType,
        ...(mediumId === undefined ? {} : { mediumId }),
        ...(state === 'all' ? {} : { hasBeenFinalized: state === 'finalized' }),
      },
    }
  },
}
