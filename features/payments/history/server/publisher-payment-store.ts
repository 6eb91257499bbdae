import type { Permit } from '@pc/domain/access/decide.ts'
import { type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { holdsWords } from '@pc/platform/postgres/page-of-ids.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type Selectable, sql } from 'kysely'
import {
  actionCondition,
  agreementHolds,
  commonConditions,
  inScope,
  type PaymentFilter,
  type PaymentOrder,
} from '../../core/server/payment-store.ts'

export interface PublisherPaymentRow extends Selectable<Tables['monthlyPublisherPayments']> {
  readonly publisherName: string
  readonly agreementName: string
  readonly agreementCode: string
  readonly partnerName: string
  readonly paymentStatus: string
  readonly reasonCode: string | null
  readonly reasonThresholdYen: bigint | null
  readonly monthState: string | null
  readonly shownMicroYen: bigint | null
}
export interface PublisherPaymentList {
  readonly total: number
  readonly sumRevenueYen: bigint
  readonly sumAdjustmentYen: bigint
  readonly sumPaymentYen: bigint
  readonly nodes: readonly PublisherPaymentRow[]
}
export interface PublisherPaymentFilter
  extends Pick<
    PaymentFilter,
    | 'months'
    | 'agreementIds'
    | 'organizationId'
    | 'mediumId'
    | 'publisherIds'
    | 'hasBeenFinalized'
    | 'words'
    | 'actionType'
  > {
  readonly monthlyPaymentId?: bigint | undefined
}

const ORDER_COLUMNS = {
  ID: 'p.id',
  CREATEDAT: 'p.created_at',
  UPDATEDAT: 'p.updated_at',
  MONTH: 'p.month',
  REVENUE: 'p.revenue_yen',
  PAYMENT: 'p.payment_yen',
} as const

/** The publishers' parts of payments within the rows of the permit; totals over the whole filter. */
export function listPublisherPayments(
  database: Database,
  filter: PublisherPaymentFilter,
  order: PaymentOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:monthly_publisher_payment.'>,
): Promise<PublisherPaymentList> {
  const { words = [], ...common } = filter
  const conditions = [
    inScope(permit),
    ...commonConditions({ ...common, words: [] }),
    ...words.map(word => sql<boolean>`(${holdsWords(sql`u.search_text`, [word])} or ${agreementHolds(word)})`),
    actionCondition(filter.actionType, permit, 'a'),
  ]
  if (filter.publisherIds !== undefined) {
    conditions.push(isAmongIds(sql`p.publisher_id`, filter.publisherIds))
  }
  if (filter.monthlyPaymentId !== undefined) {
    conditions.push(sql<boolean>`p.monthly_payment_id = ${filter.monthlyPaymentId}`)
  }
  const condition = sql.join<boolean>(conditions, sql` and `)
  const tables = sql`from monthly_publisher_payments p
    join monthly_payments a on a.id = p.monthly_payment_id
    join monthly_agreement_snapshots s on s.id = a.monthly_agreement_snapshot_id
    left join publishers u on u.id = p.publisher_id
    left join month_states m on m.medium_id = p.medium_id and m.month = p.month`
  const [column, direction] = splitOrder(order)
  const way = sql.raw(direction === 'ASC' ? 'asc' : 'desc')
  return database.inScope(
    permit.scope,
    async tx => {
      const { rows: sums } = await sql<{ total: bigint; revenue: bigint; adjustment: bigint; payment: bigint }>`
        select count(*) as total, coalesce(sum(p.revenue_yen), 0)::bigint as revenue,
          coalesce(sum(p.manual_adjustment_revenue_yen), 0)::bigint as adjustment,
          coalesce(sum(p.payment_yen), 0)::bigint as payment ${tables} where ${condition}`.execute(tx)
      const { rows } = await sql<PublisherPaymentRow>`
        select p.*, coalesce(u.name, '') as publisher_name, s.agreement_name, s.agreement_code, s.partner_name,
          a.payment_status, a.reason_code, a.reason_threshold_yen, m.state as month_state,
          (select e.shown_micro_yen from monthly_estimates e where e.monthly_publisher_payment_id = p.id) as shown_micro_yen
        ${tables} where ${condition}
        order by ${sql.raw(ORDER_COLUMNS[column])} ${way}, p.id ${way}
        limit ${page.limit} offset ${page.offset}`.execute(tx)
      const { total, revenue, adjustment, payment } = sums[0]!
      return {
        total: Number(total),
        sumRevenueYen: revenue,
        sumAdjustmentYen: adjustment,
        sumPaymentYen: payment,
        nodes: rows,
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}
