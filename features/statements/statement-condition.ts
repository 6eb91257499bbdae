import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { day, id, month, oneOf, page, text } from '@pc/domain/condition/params.ts'

/** Orders that the column headers offer; the first is the default. */
export const STATEMENT_LIST_ORDERS = [
  'ISSUEDON_DESC',
  'ISSUEDON_ASC',
  'MONTH_DESC',
  'MONTH_ASC',
  'TOTAL_DESC',
  'TOTAL_ASC',
  'DEEMEDON_ASC',
  'DEEMEDON_DESC',
] as const
export const STATEMENT_PAGE_SIZE = 100

/** `current`: all but replaced documents. `unconfirmed`: those that wait for the payee, or whose objection is open. */
const STATEMENT_FILTER_STATES = [
  'current',
  'unconfirmed',
  'issued',
  'objected',
  'confirmed',
  'resolved',
  'replaced',
] as const

/** The filter of statements, by date, amount, payee (`q`) and more, in any combination. */
export const statementCondition = defineCondition({
  q: text(),
  from: day(),
  to: day(),
  amountFrom: text(),
  amountTo: text(),
  month: month(),
  monthTo: month(),
  mediumId: id(),
  state: oneOf(STATEMENT_FILTER_STATES),
  /** One statement alone. */
  id: id(),
  /** The statements of one payment, replaced ones included. */
  paymentId: id(),
  order: oneOf(STATEMENT_LIST_ORDERS),
  page: page(STATEMENT_PAGE_SIZE),
})
export type StatementCondition = ConditionOf<typeof statementCondition>

/** An amount as people type it: `１，０００円` is 1000; undefined when the text is empty or no amount. */
export function typedAmountYen(typed: string): number | undefined {
  const digits = typed.normalize('NFKC').replaceAll(/[\s,¥\\円]/g, '')
  return /^\d{1,13}$/.test(digits) ? Number(digits) : undefined
}
