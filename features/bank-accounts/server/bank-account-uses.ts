import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export const BANK_ACCOUNT_USE_STATES = ['in_use', 'later', 'planned'] as const

export interface BankAccountUseRow {
  readonly bankAccountId: bigint
  readonly agreementId: bigint
  readonly agreementName: string
  readonly state: (typeof BANK_ACCOUNT_USE_STATES)[number]
  /** Null while it is planned. */
  readonly fromMonth: YearMonth | null
  readonly refusalCode: RefusalCode | null
}

/**
 * What each account is used for: an agreement is paid to the account with its latest month that has been reached.
 * Tested by `features/bank-accounts/server/bank-account-switches.test.ts`.
 * @param month the pay month that counts as now
 */
export async function readBankAccountUses(
  reader: Reader,
  ids: readonly bigint[],
  month: YearMonth,
): Promise<ReadonlyMap<bigint, readonly BankAccountUseRow[]>> {
  const { rows } = await sql<BankAccountUseRow>`
    select u.bank_account_id, u.agreement_id, a.name as agreement_name,
      case when u.used_from_month > ${month} then 'later' else 'in_use' end as state,
      u.used_from_month as from_month, null::text as refusal_code
    from agreement_bank_accounts u join agreements a on a.id = u.agreement_id
    where u.bank_account_id = any(${ids}::bigint[]) and not exists (
      select from agreement_bank_accounts o where o.agreement_id = u.agreement_id
        and o.used_from_month > u.used_from_month and o.used_from_month <= ${month})
    union all
    select s.bank_account_id, s.agreement_id, a.name, 'planned', null, s.refusal_code
    from bank_account_switches s join agreements a on a.id = s.agreement_id
      join bank_accounts b on b.id = s.bank_account_id
    where s.bank_account_id = any(${ids}::bigint[]) and s.state = 'planned' and b.state <> 'rejected'
    order by 1, 4, 2`.execute(reader)
  return Map.groupBy(rows, row => row.bankAccountId)
}
