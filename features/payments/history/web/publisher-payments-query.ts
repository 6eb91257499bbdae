import { monthRange, type PublisherPaymentCondition, publisherPaymentCondition } from '../../payment-condition.ts'
import {
  MonthlyPublisherPaymentsDocument,
  type MonthlyPublisherPaymentsQueryVariables,
} from './publisher-payments.gen.ts'

export const publisherPaymentsQuery = {
  document: MonthlyPublisherPaymentsDocument,
  variables(condition: PublisherPaymentCondition): MonthlyPublisherPaymentsQueryVariables {
    const { q, mediumId, monthlyPaymentId, actionType, state, order } = condition
    const { limit, offset } = publisherPaymentCondition.pageVariables(condition)
    return {
      limit,
      offset,
      orderBy: order,
      ...(q === '' ? {} : { q }),
      param: {
        ...monthRange(condition),
        actionType,
        ...(mediumId === undefined ? {} : { mediumId }),
        ...(monthlyPaymentId === undefined ? {} : { monthlyPaymentId }),
        ...(state === 'all' ? {} : { hasBeenFinalized: state === 'finalized' }),
      },
    }
  },
}
