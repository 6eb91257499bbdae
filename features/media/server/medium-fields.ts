import { type MediumFields, mediumNumberOf } from '@pc/domain/medium/medium.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import {
  listAvailableMedia,
  listMedia,
  MEDIUM_ORDERS,
  type MediumName,
  type MediumRow,
  showMedium,
} from './medium-store.ts'
import { createMedium, type MediumInput, updateMedium } from './save-medium.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}
const ON = 'insight:medium.'

/** Adds `availableMedia` for everybody's filters, and `media`, `medium`, `createMedium`, `updateMedium` for staff. */
export function addMediumFields(graph: Graph, dependencies: Dependencies): void {
  addAvailableMedia(graph, dependencies)
  const MediumRecord = mediumRecordType(graph)
  addMediumQueries(graph, dependencies, MediumRecord)
  addMediumMutations(graph, dependencies, MediumRecord)
}

type MediumRecordRef = ReturnType<typeof mediumRecordType>

function addAvailableMedia(graph: Graph, { database }: Dependencies): void {
  const Medium = graph.objectRef<MediumName>('Medium').implement({
    on: 'inherits',
    fields: t => ({ id: t.expose('id', { type: 'ID' }), name: t.exposeString('name') }),
  })
  const MediumList = graph.objectRef<{ total: number; nodes: MediumName[] }>('MediumList').implement({
    on: 'inherits',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Medium] }) }),
  })
  graph.queryField('availableMedia', t =>
    field(t, {
      type: MediumList,
      allow: 'read:list',
      on: 'insight:agreement.',
      description: 'In display order, also retired ones. For publishers the media of their own agreements.',
      async resolve(_parent, _args, _context, permit) {
        const nodes = await listAvailableMedia(database, permit)
        return { total: nodes.length, nodes }
      },
    }),
  )
}

function mediumRecordType(graph: Graph) {
  return graph.objectRef<MediumRow>('MediumRecord').implement({
    on: ON,
    description: 'A medium with everything that is administered of it.',
    fields: t => ({
      id: t.expose('id', { type: 'ID', description: 'The number that statistics files use. It never changes.' }),
      name: t.exposeString('name'),
      code: t.exposeString('code', { description: 'Short, unique, in lower-case ASCII.' }),
      displayOrder: t.exposeInt('displayOrder', { description: 'Small ones come first where media are chosen.' }),
      retiredOn: t.expose('retiredOn', {
        type: 'Date',
        nullable: true,
        description: 'From this day on the medium takes no new agreements; what exists goes on. Null: it takes them.',
      }),
      liveAgreementCount: t.int({
        description: 'Agreements that are not terminated.',
        resolve: row => row.liveAgreements,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
    }),
  })
}

function addMediumQueries(graph: Graph, { database, clock }: Dependencies, MediumRecord: MediumRecordRef): void {
  const MediumRecordList = graph.objectRef<{ total: number; nodes: MediumRow[] }>('MediumRecordList').implement({
    on: ON,
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [MediumRecord] }) }),
  })
  const MediaOrderBy = graph.enumType('MediaOrderBy', { values: MEDIUM_ORDERS })
  const MediaParam = graph.inputType('MediaParam', {
    fields: t => ({
      q: t.string({ description: 'Words that the name, the code or the number contains.' }),
      isRetired: t.boolean({ description: 'Today. Absent: all.' }),
    }),
  })
  graph.queryField('medium', t =>
    field(t, {
      type: MediumRecord,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: ON,
      description: 'One medium of the administration. Null when there is none.',
      resolve: async (_parent, args, _context, permit) =>
        (await showMedium(database, readId(args.id, ['id']), today(clock), permit)) ?? null,
    }),
  )
  graph.queryField('media', t =>
    field(t, {
      type: MediumRecordList,
      args: {
        param: t.arg({ type: MediaParam }),
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: MediaOrderBy, description: 'Default: DISPLAYORDER_ASC.' }),
      },
      allow: 'read:list',
      on: ON,
      description: 'The media for their administration. Staff only; `availableMedia` has the names for everybody.',
      resolve(_parent, { param, orderBy, ...page }, _context, permit) {
        const filter = {
          words: readSearchWords(param?.q),
          isRetired: param?.isRetired ?? undefined,
          today: today(clock),
        }
        return listMedia(database, filter, orderBy ?? 'DISPLAYORDER_ASC', readPage(page), permit)
      },
    }),
  )
}

type InputFields = Parameters<Parameters<Graph['inputType']>[1]['fields']>[0]

/** The editable fields; absent ones stay unchanged. */
function mediumFieldInputs(t: InputFields) {
  return {
    name: t.string(),
    code: t.string({ description: 'Empty, or absent for a new medium: `medium-` and the number.' }),
    displayOrder: t.int({ description: 'Absent for a new medium: the last place.' }),
    retiredOn: t.field({
      type: 'Date',
      description: 'The first day without new agreements. Null: it takes them (again).',
    }),
  } satisfies Record<keyof MediumFields, unknown>
}

function addMediumMutations(graph: Graph, { database, clock }: Dependencies, MediumRecord: MediumRecordRef): void {
  const CreateMediumParam = graph.inputType('CreateMediumParam', {
    fields: t => ({
      id: t.id({ description: 'The number that statistics files use. Absent: the one after the largest.' }),
      ...mediumFieldInputs(t),
      name: t.string({ required: true }),
    }),
  })
  const UpdateMediumParam = graph.inputType('UpdateMediumParam', {
    fields: t => ({
      expectedRevision: t.int({ description: 'The revision that the form began with.' }),
      ...mediumFieldInputs(t),
    }),
  })
  graph.mutationField('createMedium', t =>
    mutation(t, {
      type: MediumRecord,
      args: { param: t.arg({ type: CreateMediumParam, required: true }) },
      allow: 'write:create',
      on: ON,
      description: 'A new medium.',
      database,
      async run({ param }, write) {
        const { id, retiredOn, ...rest } = param
        return createMedium(
          { ...sent(rest), number: id ? mediumNumberOf(id) : undefined, retiredOn: retiredOn ?? null },
          write,
          today(clock),
        )
      },
    }),
  )
  graph.mutationField('updateMedium', t =>
    mutation(t, {
      type: MediumRecord,
      args: { id: t.arg.id({ required: true }), param: t.arg({ type: UpdateMediumParam, required: true }) },
      allow: 'write:update',
      on: ON,
      description: 'Changes the fields that are sent. The number never changes.',
      database,
      async run({ id, param }, write) {
        const { expectedRevision, retiredOn, ...rest } = param
        const input = { ...sent(rest), ...(retiredOn === undefined ? {} : { retiredOn }) }
        return updateMedium(readId(id, ['id']), input, expectedRevision, write, today(clock))
      },
    }),
  )
}

function sent(values: { readonly [Name in keyof MediumInput]?: MediumInput[Name] | null | undefined }): MediumInput {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
}
