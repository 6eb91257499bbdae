import { ANNOTATION_VISIBILITIES } from '@pc/domain/annotation/annotation.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type AnnotationRow, listAnnotations } from './annotation-store.ts'
import { addAnnotation, changeAnnotation, deleteAnnotation, restoreAnnotation } from './save-annotation.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}
const ON = 'insight:annotation.'

/** `annotations`, `saveAnnotation`, `deleteAnnotation`, `restoreAnnotation`: notes on the charts. */
export function addAnnotationFields(graph: Graph, dependencies: Dependencies): void {
  const types = annotationTypes(graph)
  addAnnotationQuery(graph, dependencies, types)
  addAnnotationMutations(graph, dependencies, types)
}

type Types = ReturnType<typeof annotationTypes>

function annotationTypes(graph: Graph) {
  const Visibility = graph.enumType('AnnotationVisibility', {
    values: ANNOTATION_VISIBILITIES,
    description:
      'own: the writer · staff: staff · publisher: people who see the publisher on each of the media of the note, and staff',
  })
  const Annotation = graph.objectRef<AnnotationRow>('Annotation').implement({
    on: ON,
    description: 'A note on a day or a range of days of the charts.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      startsOn: t.expose('startsOn', { type: 'Date' }),
      endsOn: t.expose('endsOn', { type: 'Date', description: 'The same day for a point.' }),
      text: t.exposeString('text', { description: 'Plain text.' }),
      visibility: t.expose('visibility', { type: Visibility }),
      publisherId: t.expose('publisherId', { type: 'ID', nullable: true }),
      publisherName: t.exposeString('publisherName', { nullable: true }),
      mediumIds: t.idList({
        resolve: note => [...note.mediumIds],
        description: 'What it is about; empty: about no medium more than about the others.',
      }),
      isMine: t.exposeBoolean('isMine', { description: 'Only the own ones can be changed.' }),
      isByStaff: t.exposeBoolean('isByStaff'),
      writerEmail: t.exposeString('writerEmail', {
        nullable: true,
        description: 'Null where the caller may not see the writer.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
  return { Annotation, Visibility }
}

function addAnnotationQuery(graph: Graph, { database }: Dependencies, { Annotation }: Types): void {
  const AnnotationList = graph.objectRef<{ total: number; nodes: AnnotationRow[] }>('AnnotationList').implement({
    on: ON,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Annotation] }) }),
  })
  const AnnotationsParam = graph.inputType('AnnotationsParam', {
    fields: t => ({
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
      publisherIds: t.idList({ description: 'Notes of these publishers, and those of no publisher.' }),
      mediumIds: t.idList({ description: 'Notes about one of these media, and those about none.' }),
    }),
  })
  graph.queryField('annotations', t =>
    field(t, {
      type: AnnotationList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: AnnotationsParam, required: true }),
      },
      allow: 'read:list',
      on: ON,
      resolve(_parent, args, _context, permit) {
        const { from, to } = args.param
        const publisherIds = args.param.publisherIds?.map(id => readId(id, ['param', 'publisherIds']))
        const mediumIds = args.param.mediumIds?.map(id => readId(id, ['param', 'mediumIds']))
        return listAnnotations(database, { from, to, publisherIds, mediumIds }, readPage(args), permit)
      },
    }),
  )
}

function addAnnotationMutations(
  graph: Graph,
  { database, clock }: Dependencies,
  { Annotation, Visibility }: Types,
): void {
  const AnnotationInput = graph.inputType('AnnotationInput', {
    fields: t => ({
      id: t.id(),
      expectedRevision: t.int({ description: 'The revision that the form began with.' }),
      startsOn: t.field({ type: 'Date', required: true }),
      endsOn: t.field({ type: 'Date', required: true, description: 'The same day for a point.' }),
      text: t.string({ required: true }),
      visibility: t.field({ type: Visibility, required: true }),
      publisherId: t.id(),
      mediumIds: t.idList({ description: 'What it is about; none: about no medium more than about the others.' }),
    }),
  })
  graph.mutationField('saveAnnotation', t =>
    mutation(t, {
      type: Annotation,
      args: { input: t.arg({ type: AnnotationInput, required: true }) },
      allow: 'write:update',
      on: ON,
      description: 'Without id: a new note of the caller. With id: replaces the content of an own one.',
      database,
      async run({ input }, write) {
        const { id, expectedRevision, startsOn, endsOn, text, visibility } = input
        const publisherId = input.publisherId ? readId(input.publisherId, ['input', 'publisherId']) : null
        const mediumIds = (input.mediumIds ?? []).map(one => readId(one, ['input', 'mediumIds']))
        const draft = { startsOn, endsOn, text, visibility, publisherId, mediumIds }
        return id
          ? changeAnnotation(readId(id, ['input', 'id']), draft, expectedRevision, write)
          : addAnnotation(draft, write)
      },
    }),
  )
  graph.mutationField('deleteAnnotation', t =>
    mutation(t, {
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: ON,
      description: 'An own note; it can be restored for a day.',
      database,
      run: ({ id }, write) => deleteAnnotation(readId(id, ['id']), clock.now(), write),
    }),
  )
  graph.mutationField('restoreAnnotation', t =>
    mutation(t, {
      type: Annotation,
      args: { id: t.arg.id({ required: true }) },
      allow: 'write:delete',
      on: ON,
      database,
      run: ({ id }, write) => restoreAnnotation(readId(id, ['id']), clock.now(), write),
    }),
  )
}
