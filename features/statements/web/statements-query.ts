import { rangeEnd } from '@pc/domain/condition/default-range.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { type StatementCondition, statementCondition, typedAmountYen } from '../statement-condition.ts'
import { StatementsDocument, type StatementsQueryVariables } from './statements.gen.ts'

type Param = NonNullable<StatementsQueryVariables['param']>
const STATES: Readonly<Record<StatementCondition['state'], Param['states']>> = {
  current: ['issued', 'confirmed', 'objected', 'resolved'],
  unconfirmed: ['issued', 'objected'],
  issued: ['issued'],
  objected: ['objected'],
  confirmed: ['confirmed'],
  resolved: ['resolved'],
  replaced: ['replaced'],
}

export const statementsQuery = {
  document: StatementsDocument,
  variables(condition: StatementCondition): StatementsQueryVariables {
    const { q, month, monthTo, mediumId, state, paymentId, from, to, order } = condition
    const { limit, offset } = statementCondition.pageVariables(condition)
    const amountFrom = typedAmountYen(condition.amountFrom)
    const amountTo = typedAmountYen(condition.amountTo)
    const lastMonth = rangeEnd(month, monthTo)
    // All documents of one payment, replaced ones too; otherwise those of the chosen states.
    const states = paymentId === undefined || state !== 'current' ? STATES[state] : undefined
    return {
      ...{ limit, offset, orderBy: order },
      ...(q === '' ? {} : { q }),
      param: {
        ...(states ? { states } : {}),
        ...(from === undefined ? {} : { issuedFrom: from }),
        ...(to === undefined ? {} : { issuedTo: to }),
        ...(amountFrom === undefined ? {} : { amountFrom }),
        ...(amountTo === undefined ? {} : { amountTo }),
        ...(month === undefined ? {} : { monthFrom: formatYearMonth(month) }),
        ...(lastMonth === undefined ? {} : { monthTo: formatYearMonth(lastMonth) }),
        ...(mediumId === undefined ? {} : { mediumId }),
        ...(paymentId === undefined ? {} : { monthlyPaymentIds: [paymentId] }),
      },
    }
  },
}
