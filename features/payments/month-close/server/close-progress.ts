import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { uidsWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { isAmongIds } from '@pc/platform/postgres/is-among.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'

/** How far the payments above zero of a medium's final month have come, and how many statements were not yet notified. */
export interface CloseProgress {
  readonly unnotifiedStatements: number
  /** Statements whose payee has no user to notify; they are notified as soon as there is one. */
  readonly statementsWithoutRecipient: number
  readonly scheduledPayments: number
  readonly exportedPayments: number
  readonly paidPayments: number
  readonly returnedPayments: number
}

const IS_UNNOTIFIED = sql`exists (select from statements s where s.monthly_payment_id = p.id and s.state = 'issued'
  and not exists (select from statement_notices n where n.statement_id = s.id))`
/** Who is notified of a statement: see `notify-statements.ts`. */
const RECIPIENTS = uidsWithRoles(sql`p.organization_id`, rolesOf('publisher', 'administers'))
const HAS_RECIPIENT = sql`exists (${RECIPIENTS})`

/** Reads the progress of a month by its current statements and payments. */
export async function readCloseProgress(tx: Transaction, { mediumId, month }: MonthKey): Promise<CloseProgress> {
  const { rows } = await sql<Record<keyof CloseProgress, bigint>>`
    select count(*) filter (where ${IS_UNNOTIFIED} and ${HAS_RECIPIENT}) as unnotified_statements,
      count(*) filter (where ${IS_UNNOTIFIED} and not ${HAS_RECIPIENT}) as statements_without_recipient,
      count(*) filter (where p.payment_status = 'scheduled') as scheduled_payments,
      count(*) filter (where p.payment_status = 'exported') as exported_payments,
      count(*) filter (where p.payment_status = 'paid') as paid_payments,
      count(*) filter (where p.payment_status = 'returned') as returned_payments
    from monthly_payments p
    where p.medium_id = ${mediumId} and p.month = ${month} and p.payment_yen > 0`.execute(tx)
  const row = rows[0]!
  return {
    unnotifiedStatements: Number(row.unnotifiedStatements),
    statementsWithoutRecipient: Number(row.statementsWithoutRecipient),
    scheduledPayments: Number(row.scheduledPayments),
    exportedPayments: Number(row.exportedPayments),
    paidPayments: Number(row.paidPayments),
    returnedPayments: Number(row.returnedPayments),
  }
}

/** What the month before paid, with tax; null: it is not final, or there is none. */
export async function readPreviousPaymentYen(tx: Transaction, { mediumId, month }: MonthKey): Promise<bigint | null> {
  const { rows } = await sql<{ yen: bigint | null }>`
    select (select coalesce(sum(p.payment_including_tax_yen), 0)::bigint from monthly_payments p
        where p.medium_id = m.medium_id and p.month = m.month) as yen
    from month_states m
    where m.medium_id = ${mediumId} and m.month = ${addMonths(month, -1)} and m.state in ('finalized', 'paid')`.execute(
    tx,
  )
  return rows[0]?.yen ?? null
}

/** Who gets an email when the month is closed. */
export interface CloseConsequences {
  readonly statements: number
  readonly payees: number
  /** People who get an email: one for each of their organisations, whatever the number of its statements. */
  readonly recipients: number
  /** Names of payees without a user to notify, at most {@link MAX_NAMED}; their statements wait until there is one. */
  readonly payeesWithoutRecipient: readonly string[]
  readonly payeesWithoutRecipientCount: number
}

const MAX_NAMED = 20

/** What finalising these media would send out. A payment whose transfer cannot be planned yet gets its statement later. */
export async function readCloseConsequences(
  tx: Transaction,
  month: YearMonth,
  mediumIds: readonly bigint[],
): Promise<CloseConsequences> {
  const { rows } = await sql<{ name: string; statements: bigint; recipients: bigint }>`
    select o.name, count(*) as statements,
      (select count(*) from (${RECIPIENTS}) as recipient) as recipients
    from monthly_payments p join organizations o on o.id = p.organization_id
    where p.month = ${month} and ${isAmongIds(sql`p.medium_id`, mediumIds)} and p.payment_yen > 0
    group by o.id, p.organization_id
    order by o.name, o.id`.execute(tx)
  const unreachable = rows.filter(row => row.recipients === 0n).map(row => row.name)
  return {
    statements: rows.reduce((sum, row) => sum + Number(row.statements), 0),
    payees: rows.length,
    recipients: rows.reduce((sum, row) => sum + Number(row.recipients), 0),
    payeesWithoutRecipient: unreachable.slice(0, MAX_NAMED),
    payeesWithoutRecipientCount: unreachable.length,
  }
}
