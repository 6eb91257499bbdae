import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { statementNumberText } from '@pc/domain/statement/statement.ts'
import { autoConfirmedOn } from '@pc/domain/statement/statement-confirmation.ts'
import { today } from '@pc/platform/clock.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles, uidsWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { statementsAddress } from '../links.ts'
import { statementOfContent } from './generate-statements.ts'
import type { StatementDependencies } from './statement-dependencies.ts'
import { readEvents, type StatementRow } from './statement-store.ts'

const PAYEES = rolesOf('publisher', 'administers')
const ANSWERERS = rolesOf('staff', 'answers')
/** Days for which the announcement stays after the day of the automatic confirmation. */
const BELL_DAYS = 7
const MAX_NAMED = 20
/** Of the other steps nobody is notified by this job. */
const NOTIFIED_STEPS = new Set<string>(['object', 'withdraw', 'resolve'])

/**
 * Notifies payees of issued statements and answered objections, and staff of objections: one email for each organisation
 * and job, and an announcement for new statements. The same transaction records the notices, so that a repeated job
 * notifies nobody twice.
 * Tested by `features/statements/server/statement-closing.test.ts`.
 */
export async function notifyStatements(parts: StatementDependencies, ids: readonly bigint[]): Promise<void> {
  await parts.database.inScope(SYSTEM, async tx => {
    const rows = await tx
      .selectFrom('statements')
      .selectAll()
      // -1, which is no id, keeps the list from being empty: SQL has no `in ()`.
      .where('id', 'in', [...ids, -1n])
      // A statement that was replaced before its job ran is not announced; its revision is.
      .where('state', '!=', 'replaced')
      .orderBy('id')
      .execute()
    const statements = rows.map(row => ({ ...row, notifiedAt: null, document: statementOfContent(row.content) }))
    const addresses = new Map<bigint, readonly string[]>()
    for (const organizationId of new Set(statements.map(row => row.organizationId))) {
      addresses.set(organizationId, await payeeAddresses(tx, organizationId))
    }
    // Without a recipient the statement stays unnotified, until there is one.
    const reachable = statements.filter(row => (addresses.get(row.organizationId) ?? []).length > 0)
    const fresh = await markNotified(tx, reachable, new Date(parts.clock.now()))
    for (const [organizationId, ofOne] of Map.groupBy(fresh, row => row.organizationId)) {
      await notifyIssued(tx, parts, addresses.get(organizationId) ?? [], organizationId, ofOne)
    }
    for (const row of statements.filter(each => !fresh.includes(each))) await notifyAnswer(tx, parts, row)
  })
}

/** Unanswered statements without a notification whose payee has a user now. */
export async function unnotifiedStatements(database: Database): Promise<readonly bigint[]> {
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ id: bigint }>`select s.id from statements s
      where s.state = 'issued' and not exists (select from statement_notices n where n.statement_id = s.id)
        and exists (${uidsWithRoles(sql`s.organization_id`, PAYEES)})
      order by s.id limit 1000`.execute(tx),
  )
  return rows.map(({ id }) => id)
}

/** Records the notification and returns the statements that had none before. */
async function markNotified(tx: Transaction, rows: readonly StatementRow[], notifiedAt: Date) {
  if (rows.length === 0) return []
  const marked = await tx
    .insertInto('statementNotices')
    .values(rows.map(({ id }) => ({ statementId: id, notifiedAt })))
    .onConflict(conflict => conflict.doNothing())
    .returning('statementId')
    .execute()
  const isNew = new Set(marked.map(row => row.statementId))
  return rows.filter(row => isNew.has(row.id))
}

async function notifyIssued(
  tx: Transaction,
  parts: StatementDependencies,
  addresses: readonly string[],
  organizationId: bigint,
  rows: readonly StatementRow[],
): Promise<void> {
  const months = [...new Set(rows.map(row => `${monthText(row.month as YearMonth)}分`))].join('・')
  const isRevised = rows.every(row => row.revision > 0)
  // After a late notification the payee has as many days as from the issue.
  const notifiedOn = today(parts.clock)
  const deemedOn = rows
    .map(
      ({ issuedOn, deemedOn: printed }) =>
        autoConfirmedOn(issuedOn as Day, printed as Day, notifiedOn) ?? (printed as Day),
    )
    .toSorted()[0]!
  const what = `${months}の支払通知書${isRevised ? 'の改訂版' : ''}`
  const named = rows.slice(0, MAX_NAMED).map(({ document, totalYen }) => {
    const total = totalYen.toLocaleString('ja-JP')
    return `${statementNumberText(document)}　${document.agreementName}　${total}円（税込）`
  })
  const rest = rows.length > MAX_NAMED ? [`ほか${rows.length - MAX_NAMED}件`] : []
  await send(tx, parts, addresses, {
    subject: `【ご確認のお願い】${what}を発行しました`,
    paragraphs: [
      `${what}${rows.length > 1 ? `（${rows.length}件）` : ''}を発行しました。内容をご確認ください。`,
      [...named, ...rest].join('\n'),
      ...payoutParagraph(rows, notifiedOn),
      ...bridgeParagraph(
        await parts.readBridge(
          tx,
          rows.map(row => row.monthlyPaymentId),
        ),
      ),
      `${dayText(deemedOn)}までにご連絡がない場合は、記載内容のとおりご確認いただいたものとします。内容に相違があるときは、画面の「照会する」からお知らせください。`,
    ],
    action: { label: '支払通知書を開く', url: `${parts.webOrigin}/gpc/${statementsAddress({ state: 'unconfirmed' })}` },
  })
  await parts.announce(tx, {
    organizationId,
    title: `${what}を発行しました`,
    body: `<p>「お支払い明細」の「支払通知書を見る」から内容をご確認ください。${dayText(deemedOn)}までにご連絡がない場合は、記載内容のとおりご確認いただいたものとします。</p>`,
    startAt: new Date(parts.clock.now()),
    endAt: new Date(`${addDays(deemedOn, BELL_DAYS)}T15:00:00Z`),
  })
}

/**
 * How much will be paid on which day. Days before the notification (of a revision, or a late one) are left out, because
 * nothing is planned for them any more.
 */
function payoutParagraph(rows: readonly StatementRow[], notifiedOn: Day): readonly string[] {
  const days = [...Map.groupBy(rows, row => row.dueOn as Day)]
    .filter(([dueOn]) => dueOn >= notifiedOn)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = days.map(
    ([dueOn, ofDay]) => `${dayText(dueOn)}　${sumBy(ofDay, row => row.totalYen).toLocaleString('ja-JP')}円`,
  )
  return lines.length === 0
    ? []
    : [['【お支払いの予定】（税込。源泉徴収と振込手数料を差し引く前）', ...lines].join('\n')]
}

/** The steps from the estimate to the final amount. Only the changes between the first and the last amount have a sign. */
function bridgeParagraph(steps: Awaited<ReturnType<StatementDependencies['readBridge']>>): readonly string[] {
  if (!steps) return []
  const lines = steps.map(({ label, amountYen }, index) => {
    const isLevel = index === 0 || index === steps.length - 1
    const sign = !isLevel && amountYen > 0n ? '+' : ''
    return `${label}　${sign}${amountYen.toLocaleString('ja-JP')}円`
  })
  return [['【速報から確定まで】（税抜・この通知の合計）', ...lines].join('\n')]
}

/** Notifies the other side of the latest step, once. Of an objection that was withdrawn meanwhile it says only that. */
async function notifyAnswer(tx: Transaction, parts: StatementDependencies, row: StatementRow): Promise<void> {
  const latest = (await readEvents(tx, row.id)).at(-1)
  if (!latest || !NOTIFIED_STEPS.has(latest.event) || !(await markStepNotified(tx, latest.id))) return
  const number = statementNumberText(row.document)
  const url = `${parts.webOrigin}/gpc/${statementsAddress({ id: row.id.toString() })}`
  const action = { label: '支払通知書を開く', url }
  if (latest.event === 'object') {
    const lines = latest.lines.map(({ label, reason }) => `${label}：${reason}`)
    await send(tx, parts, addressesOf(await peopleWithRoles(tx, ANSWERERS, { evenUnconfirmed: true }).execute()), {
      subject: `【照会】${row.payeeName}から支払通知書 ${number} について照会がありました`,
      paragraphs: [
        `${row.payeeName}から支払通知書 ${number} について照会がありました。支払は「照会中」と表示されます。`,
        [...lines, ...(latest.text === null ? [] : [latest.text])].join('\n'),
        '内容を確認し、画面から回答してください。金額の訂正が必要なときは、翌月以降の調整として登録してください。',
      ],
      action,
    })
  }
  if (latest.event === 'withdraw') {
    await send(tx, parts, addressesOf(await peopleWithRoles(tx, ANSWERERS, { evenUnconfirmed: true }).execute()), {
      subject: `【取り下げ】支払通知書 ${number} への照会が取り下げられました`,
      paragraphs: [
        `${row.payeeName}が、支払通知書 ${number} への照会を取り下げました。支払通知書は確認待ちに戻りました。`,
      ],
      action,
    })
  }
  if (latest.event === 'resolve') {
    const how =
      latest.resolution === 'adjusted_later' && latest.adjustmentMonth !== null
        ? `${monthText(latest.adjustmentMonth as YearMonth)}分の支払で調整します。`
        : '支払通知書の記載のとおりとさせていただきます。'
    await send(tx, parts, await payeeAddresses(tx, row.organizationId), {
      subject: `【回答】支払通知書 ${number} へのご照会について`,
      paragraphs: [`支払通知書 ${number} へのご照会に回答しました。${how}`, latest.text ?? ''],
      action,
    })
  }
}

/** Whether nobody was notified of the step before. Of two jobs at once, the second waits for the first one's row. */
async function markStepNotified(tx: Transaction, statementEventId: bigint): Promise<boolean> {
  const marked = await tx
    .insertInto('statementEventNotices')
    .values({ statementEventId })
    .onConflict(conflict => conflict.doNothing())
    .returning('statementEventId')
    .executeTakeFirst()
  return marked !== undefined
}

/** Also people who have not accepted their invitation yet, so that they do not miss a statement. */
async function payeeAddresses(tx: Transaction, organizationId: bigint): Promise<readonly string[]> {
  return addressesOf(await peopleWithRoles(tx, PAYEES, { evenUnconfirmed: true, organizationId }).execute())
}

async function send(
  tx: Transaction,
  { jobs }: StatementDependencies,
  addresses: readonly string[],
  message: Omit<Parameters<typeof renderEmail>[0], 'to'>,
): Promise<void> {
  for (const to of addresses) await jobs.enqueue(tx, MAIL_JOB, renderEmail({ ...message, to }))
}
