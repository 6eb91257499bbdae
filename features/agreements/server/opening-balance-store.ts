import { compareBigints } from '@pc/domain/money/allocate.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OpeningBalanceEntry, OpeningBalanceFacts } from '@pc/domain/settlement/opening-balance.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { lockMonths } from '@pc/platform/postgres/month-lock.ts'
import { sql } from 'kysely'

/** The first month of consumption tax in Japan; the tables of rates cannot begin earlier. */
const CONSUMPTION_TAX_SINCE = 198904

export interface OpeningBalanceRow extends OpeningBalanceEntry {
  readonly id: bigint
  readonly publisherName: string
  readonly revision: number
}

/** By agreement; the oldest months of each publisher first. */
export async function readOpeningBalances(
  reader: Reader,
  agreementIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly OpeningBalanceRow[]>> {
  const rows = await reader
    .selectFrom('openingBalances as o')
    .innerJoin('publishers as p', 'p.id', 'o.publisherId')
    .select(['o.id', 'o.agreementId', 'o.publisherId', 'o.originMonth', 'o.bookedMonth', 'o.amountYen'])
    .select(['o.isQualified', 'o.revision', 'p.name as publisherName'])
    .where('o.agreementId', '=', sql<bigint>`any(${`{${agreementIds.join(',')}}`}::bigint[])`)
    .orderBy('o.agreementId')
    .orderBy('o.publisherId')
    .orderBy('o.originMonth')
    .execute()
  return Map.groupBy(
    rows.map(row => ({
      ...row,
      originMonth: row.originMonth as YearMonth,
      bookedMonth: row.bookedMonth as YearMonth,
    })),
    row => row.agreementId,
  )
}

type FactsRow = Omit<OpeningBalanceFacts, 'namedBy'> & {
  readonly namedMonth: YearMonth | null
  readonly namedJobId: bigint | null
  readonly namedLine: number | null
}

/**
 * The facts about each entry, in the order of the entries. Takes locks until the transaction ends: no month of their
 * media can be closed, and nobody else records balances of their agreements.
 */
export async function readOpeningBalanceFacts(
  tx: Transaction,
  entries: readonly OpeningBalanceEntry[],
): Promise<readonly OpeningBalanceFacts[]> {
  const column = (value: (entry: OpeningBalanceEntry) => bigint) => `{${entries.map(value).join(',')}}`
  const agreementIds = column(entry => entry.agreementId)
  const { rows: locked } = await sql<{ mediumId: bigint }>`select medium_id from agreements
    where id = any (${agreementIds}::bigint[]) order by id for no key update`.execute(tx)
  // In the order of their ids, so that two imports never wait for each other's locks.
  const mediumIds = [...new Set(locked.map(agreement => agreement.mediumId))].toSorted(compareBigints)
  for (const mediumId of mediumIds) await lockMonths(tx, mediumId, 'shared')
  const { rows } = await sql<FactsRow>`
    with named as materialized (
      select distinct on (w.agreement_id, w.origin_month) w.agreement_id, w.origin_month, d.month, d.id, w.line
      from dividends d join dividend_rows w on w.dividend_id = d.id
      where d.medium_id = any (${`{${mediumIds.join(',')}}`}::bigint[]) and d.kind = 'csv' and w.origin_month is not null
        and d.job_status <> 'failed' and d.reversed_by_dividend_id is null
        and not exists (select from month_closings c where c.medium_id = d.medium_id and c.month = d.month)
      order by w.agreement_id, w.origin_month, d.month, d.id, w.line)
    select a.medium_id, r.id is not null as has_rule,
      (select max(c.month) from month_closings c where c.medium_id = a.medium_id) as last_finalized,
      (select min(s.month) from monthly_agreement_snapshots s
        where s.agreement_id = a.id and s.has_been_finalized) as first_settled,
      n.month as named_month, n.id as named_job_id, n.line as named_line,
      greatest(${CONSUMPTION_TAX_SINCE}::integer, (select min(t.valid_from_month) from consumption_tax_rates t),
        (select min(d.valid_from_month) from input_tax_deductions d)) as first_taxed_month
    from unnest(${agreementIds}::text::bigint[], ${column(entry => entry.publisherId)}::text::bigint[],
      ${`{${entries.map(entry => entry.originMonth).join(',')}}`}::text::integer[])
      with ordinality e (agreement_id, publisher_id, origin_month, place)
    left join agreements a on a.id = e.agreement_id
    left join agreement_publisher_rules r on r.agreement_id = e.agreement_id and r.publisher_id = e.publisher_id
    left join named n on n.agreement_id = e.agreement_id and n.origin_month = e.origin_month
    order by e.place`.execute(tx)
  return rows.map(({ namedMonth: month, namedJobId: jobId, namedLine: line, ...row }) => ({
    ...row,
    namedBy: month === null || jobId === null || line === null ? null : { month, jobId, line },
  }))
}
