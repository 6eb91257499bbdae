import type { PaymentTotals } from '@pc/domain/payment/payment-totals.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

/** Totals over every row that the condition names, whatever page is shown. */
export async function paymentTotalsOf(
  tx: Transaction,
  condition: RawBuilder<boolean>,
): Promise<PaymentTotals & { readonly total: number; readonly sumAdjustmentYen: bigint }> {
  const { rows } = await sql<Record<'total' | 'payment' | 'tax' | 'revenue' | 'revenueTax' | 'adjustment', bigint>>`
    select count(*) as total, coalesce(sum(p.payment_yen), 0)::bigint as payment,
      coalesce(sum(p.payment_tax_yen), 0)::bigint as tax, coalesce(sum(p.revenue_yen), 0)::bigint as revenue,
      coalesce(sum(p.revenue_tax_yen), 0)::bigint as revenue_tax,
      coalesce(sum(p.manual_adjustment_revenue_yen), 0)::bigint as adjustment
    from monthly_payments p
    join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id where ${condition}`.execute(tx)
  const { total, payment, tax, revenue, revenueTax, adjustment } = rows[0]!
  return {
    total: Number(total),
    sumYen: payment + tax,
    sumWithoutTaxYen: payment,
    taxSumYen: tax,
    sumRevenueYen: revenue + revenueTax,
    sumRevenueTaxYen: revenueTax,
    sumRevenueWithoutTaxYen: revenue,
    sumAdjustmentYen: adjustment,
  }
}
