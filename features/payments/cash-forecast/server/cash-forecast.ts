import type { Permit } from '@pc/domain/access/decide.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { inScope } from '../../core/server/payment-store.ts'

/** What will be paid on the next due dates, in yen with tax, before fees and withholding. */
export interface CashForecast {
  /** The next days on which something is due, three at most. */
  readonly dueDates: readonly DueDate[]
  /** The largest first. */
  readonly payees: readonly PayeeForecast[]
  /** Final payments whose due day is over and that are not paid: returned, or not yet sent or answered by the bank. */
  readonly overdueYen: bigint
}

interface DueDate {
  readonly dueOn: Day
  /** The sum of finalised payments. */
  readonly confirmedYen: bigint
  /** The sum of drafts of open months, as they were computed last. */
  readonly draftYen: bigint
}

interface PayeeForecast {
  readonly organizationId: bigint
  readonly partnerName: string
  readonly overdueYen: bigint
  /** One for each of the due dates. */
  readonly amounts: readonly DueDate[]
  readonly totalYen: bigint
}

interface ForecastRow {
  readonly organizationId: bigint
  readonly partnerName: string
  readonly dueOn: Day
  readonly confirmedYen: bigint
  readonly draftYen: bigint
}

const SHOWN_DATES = 3

/** Payments that are still to be made, by payee and due date. People of publishers see their own final ones only. */
export async function forecastCash(
  tx: Transaction,
  today: Day,
  permit: Permit<'read:list', 'insight:monthly_payment.'>,
): Promise<CashForecast> {
  const { rows } = await sql<ForecastRow>`
    select p.organization_id, max(s.partner_name) as partner_name, p.due_on,
      coalesce(sum(p.payment_including_tax_yen) filter (where p.has_been_finalized), 0)::bigint as confirmed_yen,
      coalesce(sum(p.payment_including_tax_yen) filter (where not p.has_been_finalized), 0)::bigint as draft_yen
    from monthly_payments p join monthly_agreement_snapshots s on s.id = p.monthly_agreement_snapshot_id
    where p.payment_yen > 0 and p.payment_status in ('computed', 'scheduled', 'exported', 'returned') and ${inScope(permit)}
    group by p.organization_id, p.due_on order by p.due_on, p.organization_id`.execute(tx)
  const days = [...new Set(rows.map(row => row.dueOn).filter(day => day >= today))].slice(0, SHOWN_DATES)
  const payees = [...Map.groupBy(rows, row => row.organizationId).values()].flatMap(of => {
    const payee = payeeOf(of, days, today)
    return payee.totalYen > 0n ? [payee] : []
  })
  return {
    dueDates: days.map(dueOn => dueDateOf(rows, dueOn)),
    payees: payees.toSorted((a, b) => (a.totalYen > b.totalYen ? -1 : a.totalYen < b.totalYen ? 1 : 0)),
    overdueYen: sumBy(payees, payee => payee.overdueYen),
  }
}

function payeeOf(rows: readonly ForecastRow[], days: readonly Day[], today: Day): PayeeForecast {
  const { organizationId, partnerName } = rows[0]!
  const amounts = days.map(dueOn => dueDateOf(rows, dueOn))
  // Only final payments can be overdue: the due day of an old draft will change when its month is closed.
  const overdueYen = sumBy(rows, row => (row.dueOn < today ? row.confirmedYen : 0n))
  const totalYen = overdueYen + sumBy(amounts, each => each.confirmedYen + each.draftYen)
  return { organizationId, partnerName, overdueYen, amounts, totalYen }
}

function dueDateOf(rows: readonly ForecastRow[], dueOn: Day): DueDate {
  const ofDay = rows.filter(row => row.dueOn === dueOn)
  return {
    dueOn,
    confirmedYen: sumBy(ofDay, row => row.confirmedYen),
    draftYen: sumBy(ofDay, row => row.draftYen),
  }
}
