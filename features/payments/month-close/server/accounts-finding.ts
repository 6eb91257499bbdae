import { MAX_HOLDER_BYTES } from '@pc/domain/bank/account-holder-kana.ts'
import { forbiddenCharacters } from '@pc/domain/bank/half-width-kana.ts'
import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { MAX_TOTAL_YEN } from '@pc/domain/bank/zengin-record.ts'
import { formatYen } from '@pc/domain/money/yen.ts'
import { addMonths, firstDayOf } from '@pc/domain/month/year-month.ts'
import { countRecords, MAX_RECORDS, MAX_TRANSFER_LIMIT_YEN } from '@pc/domain/transfer/transfer-records.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { BANK_ACCOUNTS_PATH } from '../../../bank-accounts/links.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readTransferSource } from '../../core/server/transfer-settings.ts'
import { agreementText } from './board-names.ts'
import { closeLink } from './books-findings.ts'
import { amber, combineFindings, exampleText, type Finding, green } from './close-finding.ts'

/** How many findings of one kind are named; the rest are counted. */
const MAX_NAMED = 3

/**
 * Checks the payees' accounts: one exists, no other organisation uses it, and the bank file can hold its holder's name
 * and the amount.
 * Tested by `features/payments/month-close/server/close-acknowledgements.test.ts`.
 */
export async function accountsFinding(tx: Transaction, key: MonthKey): Promise<Finding> {
  const large = await aboveTransferLimit(tx, key)
  const found = [
    await missingFinding(tx, key),
    await sharedFinding(tx, key),
    await holderFinding(tx, key),
    limitFinding(key, large),
  ]
  const finding = combineFindings(
    found.filter(each => each !== undefined),
    green('支払う契約にはすべて口座があります。'),
  )
  return { ...finding, detail: `${finding.detail}${splitText(large)}` }
}

async function missingFinding(tx: Transaction, key: MonthKey): Promise<Finding | undefined> {
  const held = await tx
    .selectFrom('monthlyPayments')
    .select(['agreementId', 'cumulativeRevenueYen'])
    .where('mediumId', '=', key.mediumId)
    .where('month', '=', key.month)
    .where('reasonCode', '=', 'NO_BANK_ACCOUNT')
    .orderBy('agreementId')
    .execute()
  const [first] = held
  if (!first) return undefined
  const example = exampleText(await agreementText(tx, first.agreementId), held.length)
  const detail = `口座のない契約が${held.length}件あります（${example}）。登録しない場合は保留になります。`
  const subject = held.map(({ agreementId, cumulativeRevenueYen }) => `${agreementId} ${cumulativeRevenueYen}`)
  const link = `/managements/agreements/edit/${first.agreementId}`
  return amber('account-missing', detail, link, `held\n${subject.join('\n')}`)
}

async function sharedFinding(tx: Transaction, key: MonthKey): Promise<Finding | undefined> {
  const shared = await accountsOfSeveralPayees(tx, key)
  if (shared.length === 0) return undefined
  const texts = shared.map(({ bank, branch, number, payees }) => {
    const account = `${bank} ${branch} ${maskedAccountNumber(number)}`
    return `同じ口座（${account}）が、複数の組織（${payees}）の振込先になっています。`
  })
  const subject = shared.map(({ accountIds, payeeIds }) => `${accountIds} ${payeeIds}`).join('\n')
  const detail = `${firstOf(texts)}誤りがないか確認してください。`
  return amber('account-shared', detail, BANK_ACCOUNTS_PATH, `shared\n${subject}`)
}

/** Cannot be acknowledged: the bank file would be refused. */
async function holderFinding(tx: Transaction, key: MonthKey): Promise<Finding | undefined> {
  const unwritable = await unwritableHolders(tx, key)
  if (unwritable.length === 0) return undefined
  const texts = unwritable.map(({ name, characters }) =>
    characters === ''
      ? `「${name}」の口座名義は、振込データに入る長さ（${MAX_HOLDER_BYTES}バイト）を超えます。`
      : `「${name}」の口座名義に、振込データで使えない文字（${characters}）があります。`,
  )
  const detail = `${firstOf(texts)}銀行に届けた名義を確認して、口座を登録し直してください。`
  return amber('holder-unwritable', detail, BANK_ACCOUNTS_PATH)
}

/** Information only: payments above the limit are split into several records of the bank file. */
function splitText(large: readonly LargeTransfer[]): string {
  const texts = large.filter(canBeSplit).map(each => {
    const amounts = `${formatYen(each.amountYen)}円、限度額は${formatYen(each.limitYen)}円`
    return `「${each.name}」へは、差引前の額で${countOf(each)}件に分けて振り込みます（${amounts}）。`
  })
  return firstOf(texts)
}

const countOf = ({ amountYen, limitYen }: LargeTransfer) => countRecords(amountYen, limitYen)
/** False when there would be too many records, or the sum does not fit into a bank file. */
const canBeSplit = (large: LargeTransfer) => countOf(large) <= BigInt(MAX_RECORDS) && large.amountYen <= MAX_TOTAL_YEN

function limitFinding(key: MonthKey, all: readonly LargeTransfer[]): Finding | undefined {
  const large = all.filter(each => !canBeSplit(each))
  if (large.length === 0) return undefined
  const texts = large.map(each =>
    each.amountYen > MAX_TOTAL_YEN
      ? `「${each.name}」への振込額（${formatYen(each.amountYen)}円）が、1つの振込データの上限（${formatYen(MAX_TOTAL_YEN)}円）を超えます。`
      : `「${each.name}」への振込額（${formatYen(each.amountYen)}円）は、1件の限度額（${formatYen(each.limitYen)}円）では${MAX_RECORDS}件に収まりません。`,
  )
  const detail = `${firstOf(texts)}支払設定の限度額を確認するか、口座を分けるか、銀行で振り込んでください。`
  const subject = large.map(({ accountId, dueOn, amountYen }) => `${accountId} ${dueOn} ${amountYen}`).join('\n')
  return amber('transfer-too-large', detail, closeLink(key), `limit\n${subject}`)
}

/** The first few texts, and how many more there are. */
function firstOf(texts: readonly string[]): string {
  const named = texts.slice(0, MAX_NAMED).join('')
  return texts.length > MAX_NAMED ? `${named}ほかに${texts.length - MAX_NAMED}件あります。` : named
}

/**
 * Accounts into which several organisations are paid in the month, over all media, if one of them is in this medium. Rows
 * of `bank_accounts` with the same bank, branch, type and number are one account.
 */
async function accountsOfSeveralPayees(tx: Transaction, { mediumId, month }: MonthKey) {
  const { rows } = await sql<{
    bank: string
    branch: string
    number: string
    payees: string
    accountIds: string
    payeeIds: string
  }>`
    select min(b.name) as bank, min(r.name) as branch, a.number, string_agg(distinct o.name, '、') as payees,
      string_agg(distinct a.id::text, ',') as account_ids, string_agg(distinct o.id::text, ',') as payee_ids
    from monthly_payments p join bank_accounts a on a.id = p.bank_account_id
    join banks b on b.id = a.bank_id join bank_branches r on r.id = a.bank_branch_id
    join organizations o on o.id = p.organization_id
    where p.month = ${month} and p.payment_yen > 0
    group by a.bank_id, a.bank_branch_id, a.type_name, a.number
    having count(distinct p.organization_id) > 1 and bool_or(p.medium_id = ${mediumId})
    order by min(p.id)`.execute(tx)
  return rows
}

/**
 * Payees whose account holder cannot be written into the bank file: the account was saved under older rules, or for a
 * source bank that accepted more characters.
 */
async function unwritableHolders(tx: Transaction, { mediumId, month }: MonthKey) {
  // The source bank of the next month, in which most payments are due.
  const source = await readTransferSource(tx, firstDayOf(addMonths(month, 1)))
  const extraAllowed = source.ok ? source.value.extraCharacters : ''
  const { rows } = await sql<{ name: string; holder: string }>`
    select distinct o.name, a.holder, a.id from monthly_payments p join bank_accounts a on a.id = p.bank_account_id
    join organizations o on o.id = p.organization_id
    where p.medium_id = ${mediumId} and p.month = ${month} and p.payment_yen > 0 order by a.id`.execute(tx)
  return rows
    .map(({ name, holder }) => ({ name, holder, characters: forbiddenCharacters(holder, extraAllowed).join('') }))
    .filter(({ holder, characters }) => characters !== '' || holder.length > MAX_HOLDER_BYTES)
}

interface LargeTransfer {
  readonly name: string
  readonly accountId: bigint
  readonly dueOn: string
  readonly amountYen: bigint
  /** The limit of one record on the due day. */
  readonly limitYen: bigint
}

/**
 * Transfers above the limit of one record. Payments into one account on one due day are one transfer. Fee and
 * withholding, which make it smaller, are not known yet.
 */
async function aboveTransferLimit(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly LargeTransfer[]> {
  const { rows } = await sql<LargeTransfer>`
    select min(o.name) as name, p.bank_account_id as account_id, p.due_on, min(l.limit_yen) as limit_yen,
      sum(p.payment_including_tax_yen)::bigint as amount_yen
    from monthly_payments p join organizations o on o.id = p.organization_id
    cross join lateral (select coalesce((select s.transfer_limit_yen from transfer_sources s
      where s.valid_from_month <= extract(year from p.due_on) * 100 + extract(month from p.due_on)
      order by s.valid_from_month desc limit 1), ${MAX_TRANSFER_LIMIT_YEN}::bigint) as limit_yen) l
    where p.month = ${month} and p.payment_yen > 0
    group by p.bank_account_id, p.due_on
    having sum(p.payment_including_tax_yen) > min(l.limit_yen) and bool_or(p.medium_id = ${mediumId})
    order by amount_yen desc, account_id`.execute(tx)
  return rows
}
