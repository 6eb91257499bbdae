import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { QUESTION_KINDS, QUESTION_STATE_LABELS, QUESTION_STATES } from '@pc/domain/question/question.ts'
import { QUESTION_FIGURES } from '@pc/domain/question/question-subject.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { QuestionDependencies } from './question-dependencies.ts'
import { type MessageRow, type QuestionList, type QuestionRow, readMessages } from './question-store.ts'
import { type ReadSubject, readValueNow } from './read-subject.ts'

const ON = 'insight:question.' as const

export function questionTypes(graph: Graph, dependencies: QuestionDependencies) {
  const Kind = graph.enumType('QuestionKind', { values: QUESTION_KINDS })
  const State = graph.enumType('QuestionState', { values: QUESTION_STATES })
  const Figure = graph.enumType('AskedFigure', { values: QUESTION_FIGURES })
  const Unit = graph.enumType('QuestionUnit', { values: ['yen', 'count'] as const })
  const Message = messageType(graph)
  const Value = graph.objectRef<{ readonly value: string | null }>('QuestionValue').implement({
    on: 'inherits',
    fields: t => ({ value: t.exposeString('value', { nullable: true, description: 'Null: no data.' }) }),
  })
  const Question = graph.objectRef<QuestionRow>('Question').implement({
    on: ON,
    description: 'A question with what it is pinned to, the value as it was seen, and everything that was said.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      kind: t.field({ type: Kind, resolve: row => row.kind }),
      state: t.field({ type: State, resolve: row => row.state }),
      stateLabel: t.string({ resolve: row => QUESTION_STATE_LABELS[row.state] }),
      subject: t.exposeString('subject'),
      context: t.exposeString('context', { description: 'Agreement, publisher, medium.' }),
      month: t.string({
        nullable: true,
        description: 'YYYY-MM; null for days of two months.',
        resolve: row => (row.month === null ? null : formatYearMonth(row.month as YearMonth)),
      }),
      monthlyPaymentId: t.expose('monthlyPaymentId', { type: 'ID', nullable: true }),
      monthlyPublisherPaymentId: t.expose('monthlyPublisherPaymentId', { type: 'ID', nullable: true }),
      statementId: t.expose('statementId', { type: 'ID', nullable: true }),
      column: t.exposeString('amountColumn', { nullable: true }),
      path: t.exposeString('nodePath', { nullable: true }),
      fromDay: t.expose('fromDay', { type: 'Date', nullable: true }),
      toDay: t.expose('toDay', { type: 'Date', nullable: true }),
      mediumIds: t.idList({ resolve: row => [...row.mediumIds] }),
      publisherIds: t.idList({ resolve: row => [...row.publisherIds] }),
      valueThen: t.exposeString('valueThen', { nullable: true, description: 'As it was seen; null: no data.' }),
      valueNow: field(t, {
        type: Value,
        nullable: true,
        description: 'The same amount or figure now; null when it cannot be read any more, or is a statement.',
        allow: 'read:show',
        on: ON,
        resolve: async (row, _args, _context, permit) => (await readValueNow(dependencies, permit.viewer, row)) ?? null,
      }),
      unit: t.field({ type: Unit, resolve: row => row.unit as 'yen' | 'count' }),
      organizationId: t.expose('organizationId', { type: 'ID' }),
      organizationName: t.exposeString('organizationName', { nullable: true }),
      askerEmail: t.exposeString('askerEmail'),
      askedAt: t.expose('askedAt', { type: 'DateTime' }),
      lastMessageAt: t.expose('lastMessageAt', { type: 'DateTime' }),
      excerpt: t.exposeString('excerpt', { description: 'The beginning of the first message.' }),
      assigneeUid: t.id({ nullable: true, description: 'For staff.', resolve: row => row.assigneeUid }),
      assigneeEmail: t.exposeString('assigneeEmail', { nullable: true, description: 'For staff.' }),
      isObjection: t.exposeBoolean('isObjection', {
        description: 'About an open objection to a statement, which is answered there.',
      }),
      isMine: t.exposeBoolean('isMine'),
      isUnread: t.exposeBoolean('isUnread'),
      revision: t.exposeInt('revision'),
      messages: field(t, {
        type: [Message],
        nullable: true,
        allow: 'read:show',
        on: ON,
        resolve: async (row, _args, _context, permit) => [
          ...(await dependencies.database.inScope(permit.scope, tx => readMessages(tx, row.id, permit), {
            readOnly: true,
          })),
        ],
      }),
    }),
  })
  const Counts = graph.objectRef<QuestionList['counts']>('QuestionCounts').implement({
    on: 'inherits',
    fields: t => ({
      open: t.exposeInt('open'),
      answered: t.exposeInt('answered'),
      resolved: t.exposeInt('resolved'),
      unread: t.exposeInt('unread'),
    }),
  })
  const List = graph.objectRef<QuestionList>('QuestionList').implement({
    on: ON,
    fields: t => ({
      total: t.exposeInt('total'),
      counts: t.field({ type: Counts, resolve: list => list.counts }),
      nodes: t.field({ type: [Question], resolve: list => [...list.nodes] }),
    }),
  })
  const Subject = graph.objectRef<ReadSubject>('QuestionSubject').implement({
    on: ON,
    description: 'What would be asked about, as the caller sees it now.',
    fields: t => ({
      subject: t.exposeString('subject'),
      context: t.exposeString('context'),
      value: t.exposeString('value', { nullable: true, description: 'Send it back as seenValue. Null: no data.' }),
      unit: t.field({ type: Unit, resolve: read => read.unit }),
    }),
  })
  return { Kind, State, Figure, Question, List, Subject }
}
export type QuestionTypes = ReturnType<typeof questionTypes>

function messageType(graph: Graph) {
  return graph.objectRef<MessageRow>('QuestionMessage').implement({
    on: 'inherits',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      text: t.exposeString('text', { description: 'Plain text.' }),
      isByStaff: t.exposeBoolean('isByStaff'),
      isInternal: t.exposeBoolean('isInternal', { description: 'Staff alone reads it.' }),
      isMine: t.exposeBoolean('isMine'),
      writerEmail: t.exposeString('writerEmail', {
        nullable: true,
        description: 'Null where the caller may not see who of the platform wrote it.',
      }),
      writtenAt: t.expose('writtenAt', { type: 'DateTime' }),
    }),
  })
}
