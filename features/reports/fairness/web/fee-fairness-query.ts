import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { FairnessCondition } from '../../fairness-condition.ts'
import { FeeFairnessDocument, type FeeFairnessQueryVariables } from './fee-fairness.gen.ts'

export const feeFairnessQuery = {
  document: FeeFairnessDocument,
  variables({ mediumId, month }: FairnessCondition): FeeFairnessQueryVariables {
    return {
      ...(mediumId === undefined ? {} : { mediumId }),
      ...(month === undefined ? {} : { month: formatYearMonth(month) }),
    }
  },
}
