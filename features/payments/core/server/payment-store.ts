import type { Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { PaymentStatus } from '@pc/domain/payment/payment-states.ts'
import type { PaymentTotals } from '@pc/domain/payment/payment-totals.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { MonthRange } from '@pc/platform/graphql/month-argument.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { isAmong, isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { isOfOwnAgreement, ownRows } from '@pc/platform/postgres/own-rows.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { paymentTotalsOf } from './payment-totals-query.ts'

export const PAYMENT_ACTION_TYPES = ['all', 'payment', 'discard'] as const
export type PaymentActionType = (typeof PAYMENT_ACTION_TYPES)[number]

export const PAYMENT_ORDERS = [
  ...COMMON_LIST_ORDERS,
  'MONTH_ASC',
  'MONTH_DESC',
  'REVENUE_ASC',
  'REVENUE_DESC',
  'PAYMENT_ASC',
  'PAYMENT_DESC',
] as const
export type PaymentOrder = (typeof PAYMENT_ORDERS)[number]
/** Chosen from this list only; never from what a caller writes. */
const ORDER_COLUMNS = {
  ID: 'p.id',
  CREATEDAT: 'p.created_at',
  UPDATEDAT: 'p.updated_at',
  MONTH: 'p.month',
  REVENUE: 'p.revenue_yen',
  PAYMENT: 'p.payment_yen',
} as const

export interface PaymentFilter {
  readonly months: MonthRange
  readonly agreementIds?: readonly bigint[] | undefined
  readonly organizationId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly publisherIds?: readonly bigint[] | undefined
  /** The shown statuses, which depend on the current month (`running`); see {@link shownStatus}. */
  readonly statuses?: { readonly shown: readonly PaymentStatus[]; readonly running: YearMonth } | undefined
  readonly hasBeenFinalized?: boolean | undefined
  readonly actionType: PaymentActionType
  /** Search words as `searchWords` normalises them; every one has to be found. */
  readonly words?: readonly string[] | undefined
}

export interface PaymentRow extends Selectable<Tables['monthlyPayments']> {
  readonly agreementName: string
  readonly agreementCode: string
  readonly partnerName: string
  readonly qualifiedInvoiceIssuer: boolean
  readonly invoiceRegistrationNumber: string | null
  /** A draft whose input has changed since counts as not computed. */
  readonly monthState: string | null
  /** The revenue that the reports showed before the month was final; null where nothing was kept. */
  readonly shownMicroYen: bigint | null
}

export interface PaymentList extends PaymentTotals {
  readonly total: number
  readonly sumAdjustmentYen: bigint
  readonly nodes: readonly PaymentRow[]
}

/** Payments within the rows of the permit; totals over the whole filter. */
export function listMonthlyPayments(
  database: Database,
  filter: PaymentFilter,
  order: PaymentOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:monthly_payment.'>,
): Promise<PaymentList> {
  return database.inScope(
    permit.scope,
    async tx => {
      const condition = paymentCondition(filter, permit)
      const totals = await paymentTotalsOf(tx, condition)
      const { rows } = await sql<PaymentRow>`select ${PAYMENT_FIELDS}
        ${PAYMENT_TABLES} where ${condition} ${ordering(order)} limit ${page.limit} offset ${page.offset}`.execute(tx)
      return { ...totals, nodes: rows }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

const PAYMENT_FIELDS = sql`p.*, s.agreement_name, s.agreement_code, s.partner_name, s.qualified_invoice_issuer,
  s.invoice_registration_number, m.state as month_state,
  (select sum(e.shown_micro_yen)::bigint from monthly_estimates e where e.monthly_payment_id = p.id) as shown_micro_yen`
const PAYMENT_TABLES = sql`from monthly_payments p
  join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
  left join month_states m on m.medium_id = p.medium_id and m.month = p.month`

/** One payment that the permit covers; undefined for every other id. */
export async function findMonthlyPayment(
  tx: Transaction,
  id: bigint,
  permit: Permit<'read:show', 'insight:monthly_payment.'>,
): Promise<PaymentRow | undefined> {
  const { rows } = await sql<PaymentRow>`select ${PAYMENT_FIELDS} ${PAYMENT_TABLES}
    where p.id = ${id} and ${inScope(permit)}`.execute(tx)
  return rows[0]
}

/**
 * The status that is shown. It is `accruing` while the month is not over, and while its draft is outdated: such amounts
 * are estimates, although the row may say `computed`.
 */
export function shownStatus(
  row: Pick<PaymentRow, 'paymentStatus' | 'hasBeenFinalized' | 'monthState' | 'month'>,
  running: YearMonth,
): PaymentStatus {
  if (!row.hasBeenFinalized && (row.monthState !== 'computed' || row.month >= running)) return 'accruing'
  return row.paymentStatus as PaymentStatus
}

/** {@link shownStatus} in SQL. */
function shownStatusSql(running: YearMonth): RawBuilder<string> {
  return sql<string>`case when p.has_been_finalized then p.payment_status
    when p.month < ${running} and exists (select from month_states o
      where o.medium_id = p.medium_id and o.month = p.month and o.state = 'computed') then p.payment_status
    else 'accruing' end`
}

function ordering(order: PaymentOrder): RawBuilder<unknown> {
  const [column, direction] = splitOrder(order)
  const way = sql.raw(direction === 'ASC' ? 'asc' : 'desc')
  return sql`order by ${sql.raw(ORDER_COLUMNS[column])} ${way}, p.id ${way}`
}

/** The rows that the permit covers, as a condition on `p`. Row-level security enforces the same a second time. */
export function inScope(permit: Permit<'read:list' | 'read:show', ResourceName>): RawBuilder<boolean> {
  const own = ownRows(permit, {
    organization: id => sql<boolean>`p.organization_id = ${id}`,
    agreements: uid => isOfOwnAgreement(sql`p.agreement_id`, uid),
  })
  return permit.onlyFinalized ? sql<boolean>`(p.has_been_finalized and ${own})` : own
}

function paymentCondition(
  filter: PaymentFilter,
  permit: Permit<'read:list', 'insight:monthly_payment.'>,
): RawBuilder<boolean> {
  const conditions = [inScope(permit), ...commonConditions(filter)]
  if (filter.publisherIds !== undefined) {
    conditions.push(sql<boolean>`exists (select from monthly_publisher_payments q
      where q.monthly_payment_id = p.id and ${isAmongIds(sql`q.publisher_id`, filter.publisherIds)})`)
  }
  if (filter.statuses !== undefined) {
    const { shown, running } = filter.statuses
    conditions.push(isAmong(shownStatusSql(running), shown))
  }
  conditions.push(actionCondition(filter.actionType, permit, 'p'))
  return sql.join<boolean>(conditions, sql` and `)
}

/** @param payment the alias of the table of payments in the statement */
export function actionCondition(
  actionType: PaymentActionType,
  { scope }: Permit<'read:list', ResourceName>,
  payment: 'p' | 'a',
): RawBuilder<boolean> {
  const row = sql.raw(payment)
  if (actionType === 'payment') return sql<boolean>`${row}.payment_yen > 0`
  if (actionType === 'all') return sql<boolean>`true`
  // Publishers do not see discarded pools, so their filter considers discarded adjustments only.
  return scope.kind === 'all'
    ? sql<boolean>`(${row}.has_discarded_rows or ${row}.has_discarded_pools)`
    : sql<boolean>`${row}.has_discarded_rows`
}

/** The conditions that lists of payments and lists of publishers' parts have in common. */
export function commonConditions(filter: Omit<PaymentFilter, 'actionType' | 'publisherIds' | 'statuses'>) {
  const conditions: RawBuilder<boolean>[] = []
  const { months, agreementIds, organizationId, mediumId, hasBeenFinalized, words = [] } = filter
  if (months.from !== undefined) conditions.push(sql<boolean>`p.month >= ${months.from}`)
  if (months.to !== undefined) conditions.push(sql<boolean>`p.month <= ${months.to}`)
  if (agreementIds !== undefined) {
    conditions.push(isAmongIds(sql`p.agreement_id`, agreementIds))
  }
  if (organizationId !== undefined) conditions.push(sql<boolean>`p.organization_id = ${organizationId}`)
  if (mediumId !== undefined) conditions.push(sql<boolean>`p.medium_id = ${mediumId}`)
  if (hasBeenFinalized !== undefined) conditions.push(sql<boolean>`p.has_been_finalized = ${hasBeenFinalized}`)
  return [...conditions, ...words.map(agreementHolds)]
}

/**
 * Whether a word is found in the agreement's name, its code or the payee's name, as they were frozen with the month.
 * `offset 0` keeps the planner from merging the subquery, so that each distinct spelling is normalised only once.
 */
export function agreementHolds(word: string): RawBuilder<boolean> {
  const text = sql`app.search_text(d.agreement_name) || ' ' || app.search_text(d.agreement_code) || ' '
    || app.search_text(d.partner_name)`
  return sql<boolean>`(s.agreement_name, s.agreement_code, s.partner_name) in (
    select d.agreement_name, d.agreement_code, d.partner_name
    from (select distinct agreement_name, agreement_code, partner_name from monthly_agreement_snapshots offset 0) d
    where ${holdsWords(text, [word])})`
}
