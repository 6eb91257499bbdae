import { rolesOf } from '@pc/domain/access/role-duties.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { type Email, renderEmail } from '@pc/platform/mail/render-email.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { questionsAddress } from '../links.ts'
import { ANSWERING_ROLES } from './question-store.ts'

interface NoticeDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly webOrigin: string
}
const PUBLISHERS = rolesOf('publisher')

/**
 * Emails new messages to the other side: to the assignee or everybody who may answer on staff's side, to the author or
 * the organisation's administrators on the publisher's. The same transaction records the notice, so that a repeated job
 * sends nothing twice. Several messages in a row give one email.
 * Tested by `features/questions/server/questions.test.ts`.
 */
export async function notifyOfQuestion({ database, jobs, webOrigin }: NoticeDependencies, id: bigint): Promise<void> {
  await database.inScope(SYSTEM, async tx => {
    const question = await tx
      .selectFrom('questions as q')
      .innerJoin('organizations as o', 'o.id', 'q.organizationId')
      .select(['q.id', 'q.subject', 'q.context', 'q.askerUid', 'q.assigneeUid', 'q.organizationId', 'q.toldMessageId'])
      .select(['q.kind', 'o.name as organizationName'])
      .where('q.id', '=', id)
      .forUpdate('q')
      .executeTakeFirst()
    if (!question) return
    const last = await tx
      .selectFrom('questionMessages')
      .select(['id', 'text', 'isByStaff'])
      .where('questionId', '=', id)
      .where('isInternal', '=', false)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!last || last.id <= question.toldMessageId) return
    await tx.updateTable('questions').set({ toldMessageId: last.id }).where('id', '=', id).execute()
    const addresses = await (last.isByStaff ? askersOf(tx, question) : answerersOf(tx, question.assigneeUid))
    const about = `${question.subject}（${question.context}）`
    const message: Omit<Email, 'to'> = last.isByStaff
      ? {
          subject: `【回答】${question.subject}へのご質問について`,
          paragraphs: [
            `${about}へのご質問に回答しました。`,
            last.text,
            '続けて質問するときは、画面から送信してください。',
          ],
          action: { label: '回答を開く', url: threadUrl(webOrigin, id) },
        }
      : {
          subject: `【質問】${question.organizationName}から質問がありました`,
          paragraphs: [
            `${question.organizationName}から、${about}について質問がありました。`,
            last.text,
            '内容を確認し、画面から回答してください。',
          ],
          action: { label: '質問を開く', url: threadUrl(webOrigin, id) },
        }
    for (const to of addresses) await jobs.enqueue(tx, MAIL_JOB, renderEmail({ ...message, to }))
  })
}

/** Emails the person to whom a thread is assigned, in the same transaction. */
export async function notifyAssignee(
  tx: Transaction,
  { jobs, webOrigin }: Pick<NoticeDependencies, 'jobs' | 'webOrigin'>,
  question: { readonly id: bigint; readonly subject: string; readonly context: string },
  to: string,
): Promise<void> {
  if (mailAddress(to) !== to) return
  const message = renderEmail({
    to,
    subject: `【質問】「${question.subject}」の担当になりました`,
    paragraphs: [
      `${question.subject}（${question.context}）についての質問の担当になりました。画面から回答してください。`,
    ],
    action: { label: '質問を開く', url: threadUrl(webOrigin, question.id) },
  })
  await jobs.enqueue(tx, MAIL_JOB, message)
}

function threadUrl(webOrigin: string, id: bigint): string {
  return `${webOrigin}/gpc/${questionsAddress({ id: id.toString() })}`
}

async function answerersOf(tx: Transaction, assigneeUid: string | null): Promise<readonly string[]> {
  const all = await peopleWithRoles(tx, ANSWERING_ROLES, { evenUnconfirmed: true }).execute()
  const assignee = all.filter(person => person.uid === assigneeUid)
  return addressesOf(assignee.length > 0 ? assignee : all)
}

/**
 * The recipients on the publisher's side. An objection, and a question whose author is gone, goes to the
 * administrators.
 */
async function askersOf(
  tx: Transaction,
  question: { readonly askerUid: string; readonly organizationId: bigint; readonly kind: string },
): Promise<readonly string[]> {
  const who = { evenUnconfirmed: true, organizationId: question.organizationId }
  const asker = await peopleWithRoles(tx, PUBLISHERS, who).where('u.uid', '=', question.askerUid).execute()
  if (asker.length > 0 && question.kind !== 'statement') return addressesOf(asker)
  return addressesOf(await peopleWithRoles(tx, rolesOf('publisher', 'administers'), who).execute())
}
