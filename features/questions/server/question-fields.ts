import { PAYMENT_COLUMNS } from '@pc/domain/explain/explain-column.ts'
import type { QuestionState } from '@pc/domain/question/question.ts'
import { isAllowedRange, type QuestionFigure, type QuestionSubject } from '@pc/domain/question/question-subject.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import { refuse } from '@pc/platform/graphql/refusal-error.ts'
import { addAnswerTemplateFields } from './answer-template-fields.ts'
import type { QuestionDependencies } from './question-dependencies.ts'
import { type QuestionTypes, questionTypes } from './question-graph.ts'
import { findQuestion, listAnswerers, listQuestions } from './question-store.ts'
import { readSubject } from './read-subject.ts'
import { askQuestion, assignQuestion, readQuestion, resolveQuestion, writeMessage } from './update-thread.ts'

const ON = 'insight:question.' as const

/** Threads about amounts and figures: asking, answering, and the list. */
export function addQuestionFields(graph: Graph, dependencies: QuestionDependencies): void {
  const types = questionTypes(graph, dependencies)
  addReading(graph, dependencies, types)
  addAsking(graph, dependencies, types)
  addGoingOn(graph, dependencies, types)
  addAnswerTemplateFields(graph, dependencies)
}

function addReading(graph: Graph, dependencies: QuestionDependencies, { Question, List, State }: QuestionTypes): void {
  const { database } = dependencies
  const Assignee = graph.enumType('QuestionAssigneeFilter', { values: ['me', 'none'] as const })
  const param = graph.inputType('QuestionsParam', {
    fields: t => ({
      states: t.field({ type: [State] }),
      assignee: t.field({ type: Assignee, description: 'For staff.' }),
      organizationId: t.id(),
      month: t.string({ description: 'YYYY-MM' }),
      isUnread: t.boolean({ description: 'True: those only in which somebody else wrote something new.' }),
      isObjection: t.boolean({
        description: 'Whether it belongs to a statement that is objected to now; default: both.',
      }),
    }),
  })
  graph.queryField('questions', t =>
    field(t, {
      type: List,
      description: 'Threads, the one with the latest message first.',
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: param }),
        q: t.arg.string({ description: 'Words of what is asked about.' }),
      },
      allow: 'read:list',
      on: ON,
      resolve(_parent, args, _context, permit) {
        const { states, assignee, organizationId, month, isUnread, isObjection } = args.param ?? {}
        const filter = {
          states: (states as QuestionState[] | null | undefined) ?? undefined,
          assigneeUid: assignee === 'me' ? permit.viewer.uid : assignee === 'none' ? null : undefined,
          organizationId: organizationId ? readId(organizationId, ['param', 'organizationId']) : undefined,
          month: month ? readMonth(month, ['param', 'month']) : undefined,
          isUnread: isUnread ?? undefined,
          isObjection: isObjection ?? undefined,
          words: readSearchWords(args.q),
        }
        return listQuestions(database, filter, readPage(args), permit)
      },
    }),
  )
  graph.queryField('question', t =>
    field(t, {
      type: Question,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: ON,
      resolve: async (_parent, args, _context, permit) => {
        const id = readId(args.id, ['id'])
        return (await database.inScope(permit.scope, tx => findQuestion(tx, id, permit))) ?? null
      },
    }),
  )
  const Answerer = graph.objectRef<{ readonly uid: string; readonly email: string }>('QuestionAnswerer').implement({
    on: 'inherits',
    fields: t => ({ uid: t.exposeID('uid'), email: t.exposeString('email') }),
  })
  graph.queryField('questionAnswerers', t =>
    field(t, {
      type: [Answerer],
      description: 'Who of staff can be given a thread; for others nobody.',
      allow: 'read:list',
      on: ON,
      resolve: (_parent, _args, _context, permit) => listAnswerers(database, permit),
    }),
  )
}

interface SubjectInput {
  readonly kind: QuestionSubject['kind'] | 'statement'
  readonly id?: string | null | undefined
  readonly column?: string | null | undefined
  readonly path?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly figure?: string | null | undefined
  readonly mediumIds?: readonly string[] | null | undefined
  readonly publisherIds?: readonly string[] | null | undefined
}
/** In characters. */
const MAX_PATH = 300

/** The subject of an input. An id that cannot exist is refused like a row that does not exist. */
function readSubjectInput(input: SubjectInput): QuestionSubject {
  const ids = (given: readonly string[] | null | undefined, name: string) =>
    [...new Set((given ?? []).map(id => readId(id, ['subject', name])))].sort((a, b) => (a < b ? -1 : 1))
  if (input.kind === 'report') {
    const { from, to, figure } = input
    const range = { from, to } as Extract<QuestionSubject, { kind: 'report' }>['range']
    if (!from || !to || !figure || !isAllowedRange(range)) refuse('question/subject-not-found', ['subject'])
    return {
      kind: 'report',
      range,
      figure: figure as QuestionFigure,
      mediumIds: ids(input.mediumIds, 'mediumIds'),
      publisherIds: ids(input.publisherIds, 'publisherIds'),
    }
  }
  const column = PAYMENT_COLUMNS.find(each => each === input.column)
  const path = input.path ? input.path : null
  if (input.kind === 'statement' || !input.id || !column || (path?.length ?? 0) > MAX_PATH)
    refuse('question/subject-not-found', ['subject'])
  return { kind: input.kind, id: readId(input.id, ['subject', 'id']), column, path }
}

function addAsking(
  graph: Graph,
  dependencies: QuestionDependencies,
  { Question, Subject, Kind, Figure }: QuestionTypes,
): void {
  const SubjectInput = graph.inputType('QuestionSubjectInput', {
    fields: t => ({
      kind: t.field({ type: Kind, required: true, description: 'Statements are objected to with objectToStatement.' }),
      id: t.id({ description: 'Of the payment or the publisher payment.' }),
      column: t.string({ description: 'Which amount of the row, as explainAmount names it.' }),
      path: t.string({ description: 'Id of a node of its breakdown; default: the amount itself.' }),
      from: t.field({ type: 'Date', description: 'First day of a report.' }),
      to: t.field({ type: 'Date' }),
      figure: t.field({ type: Figure }),
      mediumIds: t.idList({ description: 'Of a report; default: all.' }),
      publisherIds: t.idList(),
    }),
  })
  graph.queryField('questionSubject', t =>
    field(t, {
      type: Subject,
      nullable: true,
      description: 'What would be asked about. Null when there is no such thing for the caller.',
      args: { subject: t.arg({ type: SubjectInput, required: true }) },
      allow: 'read:show',
      on: ON,
      resolve: async (_parent, args, _context, permit) =>
        (await readSubject(dependencies, permit.viewer, readSubjectInput(args.subject))) ?? null,
    }),
  )
  graph.mutationField('askQuestion', t =>
    mutation(t, {
      type: Question,
      args: {
        subject: t.arg({ type: SubjectInput, required: true }),
        seenValue: t.arg.string({ description: 'As questionSubject answered it; refused when it is another by now.' }),
        text: t.arg.string({ required: true }),
      },
      allow: 'write:create',
      on: ON,
      description: 'People of publishers ask; staff answers.',
      database: dependencies.database,
      prepare: ({ subject }, permit) => readSubject(dependencies, permit.viewer, readSubjectInput(subject)),
      run: ({ seenValue, text }, write, _context, read) =>
        askQuestion(dependencies, { seenValue: seenValue ?? null, text }, read, write),
    }),
  )
}

function addGoingOn(graph: Graph, dependencies: QuestionDependencies, { Question }: QuestionTypes): void {
  const { database } = dependencies
  graph.mutationField('writeQuestionMessage', t =>
    mutation(t, {
      type: Question,
      args: {
        id: t.arg.id({ required: true }),
        text: t.arg.string({ required: true }),
        isInternal: t.arg.boolean({ description: 'A note among staff, which people of publishers never see.' }),
      },
      allow: 'write:update',
      on: ON,
      database,
      run: ({ id, text, isInternal }, write) =>
        writeMessage(dependencies, readId(id, ['id']), { text, isInternal: isInternal ?? false }, write),
    }),
  )
  graph.mutationField('resolveQuestion', t =>
    mutation(t, {
      type: Question,
      args: {
        id: t.arg.id({ required: true }),
        expectedRevision: t.arg.int({ required: true, description: 'Of the thread as it was read.' }),
      },
      allow: 'write:update',
      on: ON,
      description: 'Nothing is left to be answered; a further message of the publisher opens it again.',
      database,
      run: ({ id, expectedRevision }, write) =>
        resolveQuestion(dependencies, readId(id, ['id']), expectedRevision, write),
    }),
  )
  graph.mutationField('assignQuestion', t =>
    mutation(t, {
      type: Question,
      args: {
        id: t.arg.id({ required: true }),
        assigneeUid: t.arg.id({ description: 'Null: nobody in particular.' }),
      },
      allow: 'write:update',
      on: ON,
      description: 'Staff only.',
      database,
      run: ({ id, assigneeUid }, write) => assignQuestion(dependencies, readId(id, ['id']), assigneeUid ?? null, write),
    }),
  )
  graph.mutationField('readQuestion', t =>
    mutation(t, {
      type: Question,
      args: { id: t.arg.id({ required: true }), messageId: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: ON,
      description: 'The caller has read the thread up to a message.',
      database,
      run: ({ id, messageId }, write) => readQuestion(readId(id, ['id']), readId(messageId, ['messageId']), write),
    }),
  )
}
