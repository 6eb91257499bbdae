import { decide } from '@pc/domain/access/decide.ts'
import type { Scope, Viewer } from '@pc/domain/access/viewer-scope.ts'
import { formatYen } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  type AmountSubject,
  type FigureSubject,
  figureLabel,
  figureUnit,
  type QuestionFigure,
  type QuestionSubject,
} from '@pc/domain/question/question-subject.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { QuestionDependencies } from './question-dependencies.ts'
import type { QuestionRow } from './question-store.ts'

/** The subject of a question as the asking person sees it now: its name, its value, and what it belongs to. */
export interface ReadSubject {
  readonly requested: QuestionSubject
  /** For example 2026年6月分の支払額（税込）. */
  readonly subject: string
  /** Agreement, publisher and medium. */
  readonly context: string
  /** Null: no data, which differs from zero. */
  readonly value: string | null
  readonly unit: 'yen' | 'count'
  readonly organizationId: bigint
  /** Null for a report, whose rows may belong to several agreements. */
  readonly agreementId: bigint | null
  readonly mediumId: bigint | null
  readonly publisherId: bigint | null
  /** Null for days of more than one month. */
  readonly month: YearMonth | null
}

/**
 * Undefined when the person may not see it or it does not exist.
 * Tested by `features/questions/server/questions.test.ts`.
 */
export function readSubject(
  dependencies: QuestionDependencies,
  viewer: Viewer,
  requested: QuestionSubject,
): Promise<ReadSubject | undefined> {
  return requested.kind === 'report'
    ? readFigure(dependencies, viewer, requested)
    : readAmount(dependencies, viewer, requested)
}

/** The value now, read with the scope of the asking person; undefined when it can no longer be read. */
export async function readValueNow(
  dependencies: QuestionDependencies,
  viewer: Viewer,
  row: QuestionRow,
): Promise<{ readonly value: string | null } | undefined> {
  if (row.kind === 'payment' || row.kind === 'publisher_payment') {
    const id = row.monthlyPaymentId ?? row.monthlyPublisherPaymentId
    if (id === null) return undefined
    const found = await dependencies.readAmount(viewer, {
      kind: row.kind,
      id,
      column: row.amountColumn ?? '',
      path: row.nodePath,
    })
    return found && { value: found.value }
  }
  if (row.kind !== 'report' || !row.fromDay || !row.toDay) return undefined
  if (!decide(viewer, 'read:list', 'insight:summary_stats.')) return undefined
  const { organizationId, askerUid: uid } = row
  const scope: Scope = { kind: row.askerScope as 'organization' | 'agreements', uid, organizationId }
  const value = await dependencies.readFigure(dependencies.database.reader(scope), scope, {
    range: { from: row.fromDay as Day, to: row.toDay as Day },
    figure: row.figure as QuestionFigure,
    mediumIds: row.mediumIds,
    publisherIds: row.publisherIds,
  })
  return { value: value === null ? null : formatYen(value) }
}

async function readAmount(
  dependencies: QuestionDependencies,
  viewer: Viewer,
  requested: AmountSubject,
): Promise<ReadSubject | undefined> {
  const permit = decide(viewer, 'read:show', 'insight:monthly_payment.')
  const found = permit && (await dependencies.readAmount(viewer, requested))
  const row = found && (await readPaymentFacts(dependencies.database, permit.scope, requested))
  if (!row) return undefined
  const month = row.month as YearMonth
  const ofMonth = `${monthText(month)}分`
  return {
    requested,
    subject: found.label.startsWith(ofMonth) ? found.label : `${ofMonth}　${found.label}`,
    context: [row.agreementName, row.publisherName, row.mediumName].filter(Boolean).join(' / '),
    value: found.value,
    unit: 'yen',
    organizationId: row.organizationId,
    agreementId: row.agreementId,
    mediumId: row.mediumId,
    publisherId: row.publisherId,
    month,
  }
}

/** Row-level security hides drafts and rows of others, so they are not found. */
function readPaymentFacts(database: Database, scope: Scope, { kind, id }: AmountSubject) {
  return database.inScope(scope, async (tx: Transaction) => {
    if (kind === 'payment') {
      const row = await tx
        .selectFrom('monthlyPayments as p')
        .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
        .innerJoin('media as m', 'm.id', 'p.mediumId')
        .select([
          'p.organizationId',
          'p.agreementId',
          'p.mediumId',
          'p.month',
          's.agreementName',
          'm.name as mediumName',
        ])
        .where('p.id', '=', id)
        .executeTakeFirst()
      return row && { ...row, publisherId: null, publisherName: null }
    }
    return tx
      .selectFrom('monthlyPublisherPayments as p')
      .innerJoin('monthlyPayments as w', 'w.id', 'p.monthlyPaymentId')
      .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'w.monthlyAgreementSnapshotId')
      .innerJoin('media as m', 'm.id', 'p.mediumId')
      .leftJoin('publishers as u', 'u.id', 'p.publisherId')
      .select(['p.organizationId', 'p.agreementId', 'p.mediumId', 'p.month', 's.agreementName', 'm.name as mediumName'])
      .select(['p.publisherId', 'u.name as publisherName'])
      .where('p.id', '=', id)
      .executeTakeFirst()
  })
}

async function readFigure(
  dependencies: QuestionDependencies,
  viewer: Viewer,
  requested: FigureSubject,
): Promise<ReadSubject | undefined> {
  const permit = decide(viewer, 'read:list', 'insight:summary_stats.')
  if (!permit || permit.scope.kind === 'self' || viewer.organizationId === null) return undefined
  const { range, figure, mediumIds, publisherIds } = requested
  const reader = dependencies.database.reader(permit.scope)
  const named = (table: 'media' | 'publishers', ids: readonly bigint[]) =>
    ids.length === 0
      ? []
      : reader.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).orderBy('id').execute()
  const [media, publishers] = [await named('media', mediumIds), await named('publishers', publisherIds)]
  // An id that the person may not see refuses the whole subject.
  if (media.length < mediumIds.length || publishers.length < publisherIds.length) return undefined
  const value = await dependencies.readFigure(reader, permit.scope, requested)
  const namesOf = (rows: readonly { readonly name: string }[], all: string) =>
    rows.length === 0 ? all : rows.map(row => row.name).join('・')
  const months = [monthOfDay(range.from), monthOfDay(range.to)] as const
  return {
    requested,
    subject: `${daysText(range.from, range.to)}の${figureLabel(figure)}`,
    context: [namesOf(publishers, 'すべてのパブリッシャー'), namesOf(media, 'すべての媒体')].join(' / '),
    value: value === null ? null : formatYen(value),
    unit: figureUnit(figure),
    organizationId: viewer.organizationId,
    agreementId: null,
    mediumId: mediumIds.length === 1 ? mediumIds[0]! : null,
    publisherId: publisherIds.length === 1 ? publisherIds[0]! : null,
    month: months[0] === months[1] ? months[0] : null,
  }
}

function daysText(from: Day, to: Day): string {
  return from === to ? dayText(from) : `${dayText(from)}〜${dayText(to)}`
}
