import { formatYearMonth, lastDayOf } from '@pc/domain/month/year-month.ts'
import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import type { Preparers } from '@pc/domain/payment/finalize-guard.ts'
import type { SettingSection } from '@pc/domain/payment/setting-section.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'
import { type JobFacts, preparersOf, removersOf } from '../../core/server/month-readiness.ts'

/** Sections of the payment settings that amounts of a month are computed with. */
const SECTIONS = (
  ['payout', 'consumption_tax', 'input_tax_deduction', 'settlement_rule'] satisfies SettingSection[]
).map(section => auditRowId('settings', section))
/** Fields of an agreement, besides its terms, that change what a month pays. */
const FIELDS = [
  ...['terminatedAt', 'isPaymentDisabled', 'payeeKind', 'payeeResidence', 'treatyFormFrom', 'treatyFormTo'],
  ...['treatyFormRate', 'isQualifiedInvoiceIssuer', 'invoiceRegistrationNumber', 'agreementBankAccounts'],
]

/** For months whose preparers do not matter. */
export const NOBODY: Preparers = { preparerUids: [], removerUids: [] }

/**
 * The people who determined the amounts of the month: who made entries, who computed it, who delivered its statistics,
 * and who changed what it is computed from. A change counts when it begins (`begins`) after the last closed month, or
 * was made since that was closed. A change that moves something to another month begins in the earlier of the two.
 */
export async function readPreparers(
  tx: Transaction,
  key: MonthKey,
  jobs: readonly JobFacts[],
  computedByUid: string | null,
): Promise<Preparers> {
  const { mediumId, month } = key
  // `coalesce` around `in` makes PostgreSQL hash the ids once. As a join, it would compare every row of the log with every
  // agreement.
  const agreements = sql`(select a.id::text from agreements a where a.medium_id = ${mediumId})`
  const first = `${formatYearMonth(month)}-01`
  const { rows } = await sql<{ uid: string }>`
    with last as (
      select coalesce(max(month), 0) as month, coalesce(max(finalized_at), '-infinity') as at from month_states
      where medium_id = ${mediumId} and month < ${month} and state in ('finalized', 'paid')),
    changes as (
      select l.actor_uid, l.at, l.before, l.after,
        least((l.before ->> 'bookedMonth')::integer, (l.after ->> 'bookedMonth')::integer) as begins
      from audit_log l where l.resource_name = 'insight:opening_balance.'
        and coalesce(coalesce(l.after, l.before) ->> 'agreementId' in ${agreements}, false)
      union all
      select l.actor_uid, l.at, l.before, l.after, (l.after ->> 'validFromMonth')::integer
      from audit_log l where l.resource_name = 'insight:agreement_publisher_rule.'
        and coalesce(l.row_id in (select r.id::text from agreement_publisher_rules r where r.medium_id = ${mediumId}), false)
      union all
      select l.actor_uid, l.at, l.before, l.after,
        least((l.before ->> 'validFromMonth')::integer, (l.after ->> 'validFromMonth')::integer)
      from audit_log l where l.resource_name = 'insight:dividend.' and l.row_id = any (${SECTIONS}::text[])
      union all
      select l.actor_uid, l.at, l.before, l.after, (t.line ->> 'validFromMonth')::integer
      from audit_log l cross join lateral jsonb_array_elements(l.after -> 'terms') t (line)
      where l.resource_name = 'insight:agreement.' and coalesce(l.row_id in ${agreements}, false) and jsonb_typeof(l.after -> 'terms') = 'array'
        and not coalesce(l.before -> 'terms' @> jsonb_build_array(t.line), false))
    select c.actor_uid::text as uid from changes c, last
    where c.actor_uid is not null and c.begins <= ${month} and (c.begins > last.month or c.at > last.at)
    union
    select l.actor_uid::text from last, audit_log l
    where l.resource_name = 'insight:agreement.' and coalesce(l.row_id in ${agreements}, false) and l.actor_uid is not null
      and l.before is not null and l.after is not null and l.at > last.at
      and exists (select from unnest(${FIELDS}::text[]) f (name) where l.before -> f.name is distinct from l.after -> f.name)
    union
    select b.delivered_by_uid::text from ingest_batches b
    where b.delivered_by_uid is not null and b.state = 'applied' and (b.medium_ids = '{}' or ${mediumId} = any (b.medium_ids))
      and b.dataset not in ('articles', 'videos')
      and b.first_day <= ${lastDayOf(month)}::date and b.last_day >= ${first}::date`.execute(tx)
  return {
    preparerUids: [...new Set([...preparersOf(jobs, computedByUid), ...rows.map(({ uid }) => uid)])],
    removerUids: removersOf(jobs),
  }
}
