import { decide } from '@pc/domain/access/decide.ts'
import { ROLES } from '@pc/domain/access/role.ts'
import { type Viewer, viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { entityCondition } from '@pc/domain/condition/filter-conversions.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import type { EmailCadence, EmailMonthDay, EmailRanking } from '@pc/domain/report/report-email.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'
import { entityFilterOf } from '../../core/server/entity-argument.ts'
import type { EntityFilter } from '../../core/server/report-scope.ts'

export type EmailState = 'waiting' | 'queued' | 'sent' | 'not_sent'

export interface ReportEmailRow {
  readonly id: bigint
  readonly name: string
  readonly cadence: EmailCadence
  readonly hour: number
  readonly monthDay: EmailMonthDay
  readonly compareWith: Comparison
  readonly ranking: EmailRanking
  readonly condition: string
  readonly isPaused: boolean
  readonly revision: number
}

/** The state of the last scheduled email; test emails do not count. */
export interface LastDelivery {
  readonly reportMailId: bigint
  readonly periodFrom: Day
  readonly periodTo: Day
  readonly state: EmailState
  readonly changedAt: Date
}

const COLUMNS = [
  ...(['id', 'name', 'cadence', 'hour', 'monthDay', 'compareWith', 'ranking', 'condition'] as const),
  ...(['isPaused', 'revision'] as const),
] as const

/** The person's own report emails, whatever the scope of the transaction. */
export async function readReportEmails(tx: Transaction, { uid }: Pick<Viewer, 'uid'>): Promise<ReportEmailRow[]> {
  const rows = await tx
    .selectFrom('reportMails')
    .select(COLUMNS)
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(rowOf)
}

/** SQL subquery: the number of emails that {@link readReportEmails} returns. */
export function reportEmailCount({ uid }: Pick<Viewer, 'uid'>): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from report_mails where uid = ${uid}::uuid and deleted_at is null)`
}

/** The person's email, also if deleted, locked until the end of the transaction. */
export async function lockReportEmail(tx: Transaction, { uid }: Pick<Viewer, 'uid'>, id: bigint) {
  const row = await tx
    .selectFrom('reportMails')
    .select([...COLUMNS, 'deletedAt'])
    .where('id', '=', id)
    .where('uid', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...rowOf(row), isDeleted: row.deletedAt !== null }
}

export async function readLastDeliveries(
  tx: Transaction,
  mailIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, LastDelivery>> {
  if (mailIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('reportMailDeliveries')
    .distinctOn('reportMailId')
    .select(['reportMailId', 'periodFrom', 'periodTo', 'state', 'changedAt'])
    .where('reportMailId', 'in', mailIds)
    .where('isTest', '=', false)
    .orderBy('reportMailId')
    .orderBy('dueAt', 'desc')
    .execute()
  return new Map(rows.map(row => [row.reportMailId, { ...row, state: row.state as EmailState }]))
}

interface StoredEmail {
  readonly id: bigint
  readonly name: string
  readonly cadence: string
  readonly hour: number
  readonly monthDay: string
  readonly compareWith: string
  readonly ranking: string
  readonly condition: string
  readonly isPaused: boolean
  readonly revision: number
}

function rowOf(row: StoredEmail): ReportEmailRow {
  const { id, name, hour, condition, isPaused, revision } = row
  return {
    ...{ id, name, hour, condition, isPaused, revision },
    cadence: row.cadence as EmailCadence,
    monthDay: row.monthDay as EmailMonthDay,
    compareWith: row.compareWith as Comparison,
    ranking: row.ranking as EmailRanking,
  }
}

/** The filter of a saved condition. Its days are ignored: they follow from the schedule. */
export const filterOf = (condition: string): EntityFilter => entityFilterOf(entityCondition.parse(condition))

export interface QueuedEmail {
  readonly mail: ReportEmailRow
  readonly period: { readonly from: Day; readonly to: Day }
  readonly dueAt: Date
  readonly isTest: boolean
  readonly isWanted: boolean
  /** The reader with current rights; undefined when disabled or without a confirmed address. */
  readonly reader: Viewer | undefined
}

/** A queued delivery; undefined when it was sent already or its email no longer exists. */
export async function findQueuedEmail(tx: Transaction, deliveryId: bigint): Promise<QueuedEmail | undefined> {
  const row = await tx
    .selectFrom('reportMailDeliveries as d')
    .innerJoin('reportMails as m', 'm.id', 'd.reportMailId')
    .select(COLUMNS.map(column => `m.${column}` as const))
    .select(['m.uid', 'm.deletedAt', 'd.periodFrom', 'd.periodTo', 'd.dueAt', 'd.isTest'])
    .where('d.id', '=', deliveryId)
    .where('d.state', '=', 'queued')
    .executeTakeFirst()
  if (!row) return undefined
  const { uid, deletedAt, periodFrom, periodTo, dueAt, isTest } = row
  return {
    ...{ dueAt, isTest, mail: rowOf(row), period: { from: periodFrom, to: periodTo } },
    isWanted: deletedAt === null && (isTest || !row.isPaused),
    reader: await findReader(tx, uid),
  }
}

async function findReader(tx: Transaction, uid: string): Promise<Viewer | undefined> {
  const person = await tx
    .selectFrom('users')
    .select(['email', 'organizationId'])
    .where('uid', '=', uid)
    .where('enabled', '=', true)
    .where('emailVerifiedAt', 'is not', null)
    .executeTakeFirst()
  if (!person || mailAddress(person.email) !== person.email) return undefined
  const given = await tx.selectFrom('userRoles').select('roleName').where('uid', '=', uid).execute()
  const roles = ROLES.filter(role => given.some(({ roleName }) => roleName === role))
  return { uid, ...person, roles, scope: viewerScope(uid, roles, person.organizationId) }
}

/** Whether the person may see the dashboard's figures; without them there is no email. */
export function mayReadReports(viewer: Viewer): boolean {
  return decide(viewer, 'read:list', 'insight:summary_stats.') !== undefined
}

export function mayReadRanking(viewer: Viewer, ranking: EmailRanking): boolean {
  if (ranking === 'none') return true
  const on = ranking === 'publishers' ? 'insight:publisher_rank.' : 'insight:article_stats.'
  return decide(viewer, 'read:list', on) !== undefined
}
