import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { rangeEnd } from '@pc/domain/condition/default-range.ts'
import { id, month, oneOf, page, text } from '@pc/domain/condition/params.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type ExplainTarget, formatExplainTarget } from './explain-address.ts'

/** Orders that the column headers offer; the first is the default. */
export const PAYMENT_LIST_ORDERS = [
  'MONTH_DESC',
  'MONTH_ASC',
  'REVENUE_DESC',
  'REVENUE_ASC',
  'PAYMENT_DESC',
  'PAYMENT_ASC',
] as const
export const PAYMENT_PAGE_SIZE = 100

/** `month` alone is that month; with `monthTo` it begins the range. */
const MONTHS = { month: month(), monthTo: month() }

/** The amount that is explained beside the list (`explain-address.ts`), and the node of its tree. */
const EXPLAINED = { explain: text(), at: text() }

/** The filter of payments, for staff and for publishers. */
export const paymentCondition = defineCondition({
  ...MONTHS,
  q: text(),
  mediumId: id(),
  actionType: oneOf(['all', 'payment', 'discard']),
  state: oneOf(['all', 'finalized', 'open']),
  order: oneOf(PAYMENT_LIST_ORDERS),
  page: page(PAYMENT_PAGE_SIZE),
  ...EXPLAINED,
})
export type PaymentCondition = ConditionOf<typeof paymentCondition>

export const publisherPaymentCondition = defineCondition({
  ...MONTHS,
  q: text(),
  mediumId: id(),
  monthlyPaymentId: id(),
  actionType: oneOf(['all', 'payment', 'discard']),
  state: oneOf(['all', 'finalized', 'open']),
  order: oneOf(PAYMENT_LIST_ORDERS),
  page: page(PAYMENT_PAGE_SIZE),
  ...EXPLAINED,
})
export type PublisherPaymentCondition = ConditionOf<typeof publisherPaymentCondition>

/**
 * The condition of the list with an amount explained beside it.
 * @param at the node that is shown; empty: the amount itself
 */
export function explainedPayments(target: ExplainTarget, at: string, month: YearMonth | undefined): string | undefined {
  return paymentCondition.format({ ...paymentCondition.defaults, month, explain: formatExplainTarget(target), at })
}

interface Months {
  readonly month: YearMonth | undefined
  readonly monthTo: YearMonth | undefined
}

/** The range as the API takes it: a single month is both ends; without months there is no limit. */
export function monthRange({ month: from, monthTo }: Months): { monthFrom?: string; monthTo?: string } {
  const to = rangeEnd(from, monthTo)
  return {
    ...(from === undefined ? {} : { monthFrom: formatYearMonth(from) }),
    ...(to === undefined ? {} : { monthTo: formatYearMonth(to) }),
  }
}
