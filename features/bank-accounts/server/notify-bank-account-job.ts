import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { BANK_ACCOUNT_WAITING_DAYS } from '@pc/domain/bank/pending-bank-account.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface BankAccountNotice {
  readonly bankAccountId: string
  readonly event: 'requested' | 'approved' | 'rejected' | 'switched' | 'cancelled'
}

/** Somebody who takes over an account must not be able to change where the money goes unnoticed. */
export const BANK_ACCOUNT_NOTICE_JOB = defineJob<BankAccountNotice>('bank-account-notice')

export function bankAccountNoticeHandler(database: Database, jobs: Jobs, webOrigin: string): JobHandler {
  return handleJob(BANK_ACCOUNT_NOTICE_JOB, ({ bankAccountId, event }) =>
    database.inScope(SYSTEM, async tx => {
      const account = await readAccount(tx, BigInt(bankAccountId))
      if (!account) return
      const agreements = await readAgreements(tx, BigInt(bankAccountId), event)
      // An earlier notice has named them all.
      if (agreements.length === 0 && SWITCH_STATES[event] !== 'planned') return
      // Both sides are notified of every step: the requester, the publisher's administrators, and the deciders.
      const recipients = await readRecipients(tx, account.organizationId, account.requestedBy)
      for (const to of recipients) {
        const message = renderEmail({
          to,
          subject: SUBJECTS[event],
          paragraphs: [
            `${account.organizationName}の振込口座について、お知らせします。`,
            TEXTS[event],
            `銀行：${account.bankName} ${account.branchName}\n口座番号：${maskedAccountNumber(account.number)}\n名義：${account.holder}`,
            ...switchTexts(event, account.usableFrom, agreements),
            ...(event === 'approved' && account.usableFrom ? [waitingText(account.usableFrom)] : []),
            ...(account.rejectionReason ? [`却下の理由：${account.rejectionReason}`] : []),
            OBJECTIONS[event],
          ],
          action: { label: '口座の一覧を開く', url: `${webOrigin}/gpc/#/bank-accounts` },
        })
        await jobs.enqueue(tx, MAIL_JOB, message)
      }
    }),
  )
}

const SUBJECTS = {
  requested: '【確認のお願い】振込口座が申請されました',
  approved: '【お知らせ】振込口座が承認されました',
  rejected: '【お知らせ】振込口座の申請が却下されました',
  switched: '【お知らせ】振込口座を切り替えました',
  cancelled: '【お知らせ】振込口座の切り替えを取り消しました',
} as const
const TEXTS = {
  requested: '新しい口座が申請されました。申請した方とは別の管理者が承認すると、支払に利用できるようになります。',
  approved: '申請された口座が承認されました。契約に設定された月のお支払いから、この口座に振り込みます。',
  rejected: '申請された口座は却下されました。内容を確認し、必要であれば改めて申請してください。',
  switched: '次の口座の利用が始まりました。これからのお支払いは、この口座に振り込みます。',
  cancelled: '次の口座への切り替えを取り消しました。契約の振込口座は、いまのままです。',
} as const

const OBJECTIONS = {
  requested: '心当たりのない申請の場合は、承認せずに、すぐに担当者へご連絡ください。',
  approved: '心当たりのない変更の場合は、利用が始まる前に、すぐに担当者へご連絡ください。',
  rejected: '心当たりのない申請の場合は、すぐに担当者へご連絡ください。',
  switched: '心当たりのない変更の場合は、すぐに担当者へご連絡ください。',
  cancelled: '心当たりのない取り消しの場合は、すぐに担当者へご連絡ください。',
} as const

/** The agreements that a mail names: those whose switch has this state; of ended switches, those that no mail has named yet. */
const SWITCH_STATES = {
  requested: 'planned',
  approved: 'planned',
  rejected: 'planned',
  switched: 'done',
  cancelled: 'cancelled',
} as const satisfies Record<BankAccountNotice['event'], string>

/** Names of agreements that a mail lists; the others are counted. */
const MAX_NAMES = 10

function switchTexts(event: BankAccountNotice['event'], from: Day | null, agreements: readonly string[]): string[] {
  const names = agreements.map(name => `「${name}」`)
  if (names.length === 0 || event === 'rejected') return []
  const listed = names.slice(0, MAX_NAMES).join('')
  const text = names.length > MAX_NAMES ? `${listed}ほか${names.length - MAX_NAMES}件` : listed
  if (event === 'switched') return [`切り替えた契約：${text}`]
  if (event === 'cancelled') return [`切り替えを取り消した契約：${text}`]
  const day = event === 'approved' && from !== null ? dayText(from) : `承認から${BANK_ACCOUNT_WAITING_DAYS}日後`
  return [`${day}に、次の契約の振込口座がこの口座に切り替わります：${text}`]
}

function waitingText(usableFrom: Day): string {
  return `安全のため、承認から${BANK_ACCOUNT_WAITING_DAYS}日間は利用できません。${dayText(usableFrom)}から契約に設定できます。`
}

function readAccount(tx: Transaction, id: bigint) {
  return tx
    .selectFrom('bankAccounts as b')
    .innerJoin('organizations as o', 'o.id', 'b.organizationId')
    .innerJoin('banks', 'banks.id', 'b.bankId')
    .innerJoin('bankBranches as branch', 'branch.id', 'b.bankBranchId')
    .select([
      'b.organizationId',
      'b.requestedBy',
      'b.number',
      'b.holder',
      'b.rejectionReason',
      'b.usableFrom',
      'o.name as organizationName',
      'banks.name as bankName',
      'branch.name as branchName',
    ])
    .where('b.id', '=', id)
    .executeTakeFirst()
}

/** Names of the agreements. Ended switches are marked as notified in the transaction that sends the mails. */
async function readAgreements(
  tx: Transaction,
  bankAccountId: bigint,
  event: BankAccountNotice['event'],
): Promise<readonly string[]> {
  const state = SWITCH_STATES[event]
  const { rows } = await (state === 'planned'
    ? sql<{ name: string }>`select a.name from bank_account_switches s join agreements a on a.id = s.agreement_id
        where s.bank_account_id = ${bankAccountId} and s.state = ${state} order by a.id`
    : sql<{ name: string }>`with notified as (
          update bank_account_switches set notified_at = now()
          where bank_account_id = ${bankAccountId} and state = ${state} and notified_at is null returning agreement_id)
        select a.name from notified n join agreements a on a.id = n.agreement_id order by a.id`
  ).execute(tx)
  return rows.map(({ name }) => name)
}

const DECIDERS = rolesOf('staff', 'administers')
const PUBLISHER_ADMINS = rolesOf('publisher', 'administers')

async function readRecipients(
  tx: Transaction,
  organizationId: bigint,
  requestedBy: string | null,
): Promise<readonly string[]> {
  const deciders = await peopleWithRoles(tx, DECIDERS, { evenUnconfirmed: true }).execute()
  const owners = await peopleWithRoles(tx, PUBLISHER_ADMINS, { evenUnconfirmed: true, organizationId }).execute()
  const requester = await tx
    .selectFrom('users')
    .select('email')
    .where('uid', '=', requestedBy)
    .where('enabled', '=', true)
    .execute()
  return addressesOf([...deciders, ...owners, ...requester])
}
