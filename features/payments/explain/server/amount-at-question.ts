import { decide } from '@pc/domain/access/decide.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { PAYMENT_COLUMNS, type PaymentColumn, type PublisherColumn } from '@pc/domain/explain/explain-column.ts'
import { explainedYen } from '@pc/domain/explain/explain-node.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { explainMonthlyPayment, explainPublisherPayment } from './explain-amount.ts'

/**
 * An amount as its breakdown names and states it, for one viewer: what a question is asked about. Undefined: no such
 * row for this viewer, or no such node.
 */
export async function amountAtQuestion(
  parts: { readonly database: Database; readonly stats: StatsStore },
  viewer: Viewer,
  subject: { readonly kind: 'payment' | 'publisher_payment'; id: bigint; column: string; path: string | null },
): Promise<{ readonly label: string; readonly value: string } | undefined> {
  const permit = decide(viewer, 'read:show', 'insight:monthly_payment.')
  const column = PAYMENT_COLUMNS.find(each => each === subject.column)
  if (!permit || !column) return undefined
  const mayReadRates = decide(viewer, 'read:show', 'insight:payment_rate.') !== undefined
  const request = { id: subject.id, path: subject.path ?? undefined, permit, mayReadRates }
  const found = await (subject.kind === 'payment'
    ? explainMonthlyPayment(parts, { ...request, column })
    : isOfPublishers(column) && explainPublisherPayment(parts, { ...request, column }))
  return found ? { label: found.node.label, value: explainedYen(found.node) } : undefined
}

/** Whether publishers' parts have the column: tax belongs to the whole payment only. */
export function isOfPublishers(column: PaymentColumn): column is PublisherColumn {
  return column !== 'paymentTax' && column !== 'paymentIncludingTax'
}
