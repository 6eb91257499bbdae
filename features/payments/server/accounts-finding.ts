import { forbiddenCharacters } from '@pc/domain/bank/half-width-kana.ts'
import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { MAX_AMOUNT_YEN } from '@pc/domain/bank/zengin-record.ts'
import { formatYen } from '@pc/domain/money/yen.ts'
import { firstDayOf } from '@pc/domain/month/year-month.ts'
import { BANK_ACCOUNTS_PATH } from '@pc/features/bank-accounts/links.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { agreementText } from './board-names.ts'
import { closeLink, exampleText, type Finding, green } from './close-findings.ts'
import type { MonthKey } from './month-key.ts'
import { readTransferSource } from './transfer-settings.ts'

/** Whether each payee has an account, and one that looks right. */
export async function accountsFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const held = await tx
    .selectFrom('monthlyPayments')
    .select(['agreementId', 'cumulativeRevenueYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .where('reasonCode', '=', 'NO_BANK_ACCOUNT')
    .orderBy('agreementId')
    .execute()
  const [first] = held
  if (!first) return payeesFinding(tx, key)
  const example = exampleText(await agreementText(tx, first.agreementId), held.length)
  const detail = `口座のない契約が${held.length}件あります（${example}）。登録しない場合は保留になります。`
  return { state: 'amber', detail, link: `/managements/agreements/edit/${first.agreementId}` }
}

/** What a mistake in the master of accounts looks like: two payees with one account, an amount that no transfer holds. */
async function payeesFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const [shared] = await accountsOfSeveralPayees(tx, key)
  if (shared) {
    const account = `${shared.bank} ${shared.branch} ${maskedAccountNumber(shared.number)}`
    const detail = `同じ口座（${account}）が、複数の組織（${shared.payees}）の振込先になっています。誤りがないか確認してください。`
    return { state: 'amber', detail, link: BANK_ACCOUNTS_PATH, subject: `${account}\n${shared.payees}` }
  }
  const unwritable = await unwritableHolder(tx, key)
  if (unwritable) {
    const detail = `「${unwritable.name}」の口座名義に、振込データで使えない文字（${unwritable.characters}）があります。銀行に届けた名義を確認して、口座を登録し直してください。`
    return { state: 'amber', detail, link: BANK_ACCOUNTS_PATH }
  }
  const [large] = await aboveTransferLimit(tx, key)
  if (large) {
    const detail = `「${large.name}」への振込額（${formatYen(large.amountYen)}円）が、1件の振込の上限（${formatYen(MAX_AMOUNT_YEN)}円）を超えます。振込データに入らないため、口座を分けるか、銀行で振り込んでください。`
    return { state: 'amber', detail, link: closeLink(key) }
  }
  return green('支払う契約にはすべて口座があります。')
}

/** Accounts that pay several organisations in the month, in whatever medium, one of them in this one. */
async function accountsOfSeveralPayees(tx: Transaction, { mediumId, month }: MonthKey) {
  const { rows } = await sql<{ bank: string; branch: string; number: string; payees: string }>`
    select min(b.name) as bank, min(r.name) as branch, a.number, string_agg(distinct o.name, '、') as payees
    from monthly_payments p join bank_accounts a on a.id = p.bank_account_id
    join banks b on b.id = a.bank_id join bank_branches r on r.id = a.bank_branch_id
    join organizations o on o.id = p.organization_id
    where p.month = ${month} and p.payment_yen > 0
    group by a.bank_id, a.bank_branch_id, a.type_name, a.number
    having count(distinct p.organization_id) > 1 and bool_or(p.medium_id = ${mediumId})
    order by min(p.id) limit 1`.execute(tx)
  return rows
}

/** A payee whose account was saved under rules that let a sign through which the bank file does not hold. */
async function unwritableHolder(tx: Transaction, { mediumId, month }: MonthKey) {
  const source = await readTransferSource(tx, firstDayOf(month))
  const extraAllowed = source.ok ? source.value.extraCharacters : ''
  const { rows } = await sql<{ name: string; holder: string }>`
    select o.name, a.holder from monthly_payments p join bank_accounts a on a.id = p.bank_account_id
    join organizations o on o.id = p.organization_id
    where p.medium_id = ${mediumId} and p.month = ${month} and p.payment_yen > 0 order by p.id`.execute(tx)
  for (const { name, holder } of rows) {
    const characters = forbiddenCharacters(holder, extraAllowed)
    if (characters.length > 0) return { name, characters: characters.join('') }
  }
  return undefined
}

/** Payments of one account and due day are one transfer; its fee and withholding make it smaller. */
async function aboveTransferLimit(tx: Transaction, { mediumId, month }: MonthKey) {
  const { rows } = await sql<{ name: string; amountYen: bigint }>`
    select min(o.name) as name, sum(p.payment_including_tax_yen)::bigint as amount_yen
    from monthly_payments p join organizations o on o.id = p.organization_id
    where p.month = ${month} and p.payment_yen > 0
    group by p.bank_account_id, p.due_on
    having sum(p.payment_including_tax_yen) > ${MAX_AMOUNT_YEN} and bool_or(p.medium_id = ${mediumId})
    order by amount_yen desc limit 1`.execute(tx)
  return rows
}
