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

/** What became of the last mail; a test is not one. */
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

/** The mails of a person, whichever rows the scope of the transaction may see. */
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

/** How many {@link readReportEmails} has, as a subquery. */
export function reportEmailCount({ uid }: Pick<Viewer, 'uid'>): RawBuilder<bigint> {
  return sql<bigint>`(select count(*) from report_mails where uid = ${uid}::uuid and deleted_at is null)`
}

/** Also a deleted one, locked until the end of the transaction. */
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

/** The filter of a saved condition: everything else of it depends on the day of the email. */
export const filterOf = (condition: string): EntityFilter => entityFilterOf(entityCondition.parse(condition))

export interface QueuedEmail {
  readonly mail: ReportEmailRow
  readonly period: { readonly from: Day; readonly to: Day }
  readonly dueAt: Date
  readonly isTest: boolean
  readonly isWanted: boolean
  /** As the database knows the person now; undefined: disabled, or without an address that was confirmed. */
  readonly reader: Viewer | undefined
}

/** A delivery that has to leave; undefined: it has left, or its mail is gone. */
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

/** Whether a person may see what a mail lists; without the reports themselves there is no mail. */
export function mayReadReports(viewer: Viewer): boolean {
  return decide(viewer, 'read:list', 'insight:summary_stats.') !== undefined
}

export function mayReadRanking(viewer: Viewer, ranking: EmailRanking): boolean {
  if (ranking === 'none') return true
  const on = ranking === 'publishers' ? 'insight:publisher_rank.' : 'insight:article_stats.'
  return decide(viewer, 'read:list', on) !== undefined
}
