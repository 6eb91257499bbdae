import {
  ANNOUNCEMENT_LEVELS,
  type AnnouncementTarget,
  readTarget,
  TARGET_KINDS,
  type TargetKind,
} from '@pc/domain/announcement/announcement.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { loadBatched } from '@pc/platform/graphql/load-batched.ts'
import { mutation } from '@pc/platform/graphql/mutation.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type AcknowledgementRow, listAcknowledgements } from './acknowledgement-store.ts'
import {
  ANNOUNCEMENT_ORDERS,
  type AnnouncementRow,
  findAnnouncement,
  listAnnouncements,
  organizationNames,
} from './announcement-store.ts'
import { readAnnouncements } from './read-announcements.ts'
import { type AnnouncementInput, addAnnouncement, changeAnnouncement } from './save-announcement.ts'

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}

/** `announcement`, `announcements`, `announcementAcknowledgements`, `upsertAnnouncement`, `readAnnouncements`. */
export function addAnnouncementFields(graph: Graph, dependencies: Dependencies): void {
  const types = announcementTypes(graph, dependencies.database)
  addAnnouncementQueries(graph, dependencies, types)
  addAcknowledgementQuery(graph, dependencies)
  addAnnouncementMutations(graph, dependencies, types)
}

type Types = ReturnType<typeof announcementTypes>

function announcementTypes(graph: Graph, database: Database) {
  const Level = graph.enumType('AnnouncementLevel', { values: ANNOUNCEMENT_LEVELS })
  const Kind = graph.enumType('AnnouncementTargetKind', { values: TARGET_KINDS })
  const Target = graph.objectRef<AnnouncementTarget>('AnnouncementTarget').implement({
    on: 'inherits',
    fields: t => ({
      kind: t.field({ type: Kind, resolve: target => target.kind }),
      mediumId: t.id({ nullable: true, resolve: target => (target.kind === 'medium' ? target.mediumId : null) }),
      organizationId: t.id({
        nullable: true,
        resolve: target => (target.kind === 'organization' ? target.organizationId : null),
      }),
      organizationName: t.string({
        nullable: true,
        resolve: async (target, _args, context) =>
          target.kind === 'organization'
            ? ((await loadBatched(context, 'organizations of targets', target.organizationId, ids =>
                organizationNames(database, ids, demandPermit(context, 'read:show', 'insight:in_house_field.')),
              )) ?? null)
            : null,
      }),
      role: t.string({ nullable: true, resolve: target => (target.kind === 'role' ? target.role : null) }),
    }),
  })
  const Announcement = graph.objectRef<AnnouncementRow>('Announcement').implement({
    on: 'insight:announcement.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      enabled: t.exposeBoolean('enabled'),
      level: t.expose('level', { type: Level }),
      type: t.field({ type: Level, description: 'The same as level.', resolve: row => row.level }),
      title: t.exposeString('title', { description: 'Plain text.' }),
      body: t.exposeString('body', { description: 'HTML of the allow-list only.' }),
      startAt: t.expose('startAt', { type: 'DateTime' }),
      endAt: t.expose('endAt', { type: 'DateTime', nullable: true }),
      closeButtonText: t.exposeString('closeButtonText'),
      isRead: t.exposeBoolean('isRead', { description: 'By the caller.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
      revision: t.exposeInt('revision', { description: 'Send it back as expectedRevision when saving.' }),
      targets: field(t, {
        type: [Target],
        nullable: true,
        description: 'Staff only.',
        allow: 'read:show',
        on: 'insight:in_house_field.',
        resolve: row => [...row.targets],
      }),
    }),
  })
  return { Announcement, Level, Kind }
}

function addAnnouncementQueries(graph: Graph, { database, clock }: Dependencies, { Announcement }: Types): void {
  graph.queryField('announcement', t =>
    field(t, {
      type: Announcement,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'insight:announcement.',
      description: 'Null when there is none, or none that the caller may see.',
      resolve: async (_parent, args, _context, permit) =>
        (await findAnnouncement(database, readId(args.id, ['id']), permit, clock.now())) ?? null,
    }),
  )
  const AnnouncementList = graph.objectRef<{ total: number; nodes: AnnouncementRow[] }>('AnnouncementList').implement({
    on: 'insight:announcement.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Announcement] }) }),
  })
  const AnnouncementsOrderBy = graph.enumType('AnnouncementsOrderBy', { values: ANNOUNCEMENT_ORDERS })
  const AnnouncementsParam = graph.inputType('AnnouncementsParam', {
    fields: t => ({
      enabled: t.boolean(),
      startAt: t.field({ type: 'DateTime', description: 'Began by this moment.' }),
      endAt: t.field({ type: 'DateTime', description: 'Not over at this moment.' }),
      isAddressedToMe: t.boolean({
        description: 'Only those whose target is the caller: for the bell and popups of staff, who otherwise see all.',
      }),
    }),
  })
  graph.queryField('announcements', t =>
    field(t, {
      type: AnnouncementList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: AnnouncementsOrderBy }),
        param: t.arg({ type: AnnouncementsParam }),
      },
      allow: 'read:list',
      on: 'insight:announcement.',
      resolve(_parent, args, _context, permit) {
        const { enabled, startAt, endAt, isAddressedToMe } = args.param ?? {}
        const filter = {
          enabled: enabled ?? undefined,
          startAt: startAt ?? undefined,
          endAt: endAt ?? undefined,
          isAddressedToMe: isAddressedToMe ?? undefined,
        }
        return listAnnouncements(database, filter, args.orderBy ?? 'STARTAT_DESC', readPage(args), permit, clock.now())
      },
    }),
  )
}

function addAcknowledgementQuery(graph: Graph, { database }: Dependencies): void {
  const Acknowledgement = graph.objectRef<AcknowledgementRow>('AnnouncementAcknowledgement').implement({
    on: 'inherits',
    fields: t => ({
      uid: t.exposeID('uid'),
      email: t.exposeString('email'),
      organizationName: t.exposeString('organizationName', { nullable: true }),
      readAt: t.expose('readAt', { type: 'DateTime', nullable: true }),
    }),
  })
  const AcknowledgementList = graph
    .objectRef<{ total: number; readTotal: number; nodes: AcknowledgementRow[] }>('AnnouncementAcknowledgementList')
    .implement({
      on: 'inherits',
      fields: t => ({
        total: t.exposeInt('total', { description: 'People who are addressed, within the filter.' }),
        readTotal: t.exposeInt('readTotal', { description: 'Everybody who has read it.' }),
        nodes: t.expose('nodes', { type: [Acknowledgement] }),
      }),
    })
  graph.queryField('announcementAcknowledgements', t =>
    field(t, {
      type: AcknowledgementList,
      args: {
        id: t.arg.id({ required: true }),
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        isRead: t.arg.boolean(),
      },
      allow: 'read:show',
      on: 'insight:in_house_field.',
      description: 'Whom an announcement addresses, and who has read it. Staff only.',
      resolve: (_parent, args, _context, permit) =>
        listAcknowledgements(database, readId(args.id, ['id']), args.isRead ?? undefined, readPage(args), permit),
    }),
  )
}

function addAnnouncementMutations(
  graph: Graph,
  { database, clock }: Dependencies,
  { Announcement, Level, Kind }: Types,
): void {
  const TargetInput = graph.inputType('AnnouncementTargetInput', {
    fields: t => ({
      kind: t.field({ type: Kind, required: true }),
      mediumId: t.id(),
      organizationId: t.id(),
      role: t.string(),
    }),
  })
  const Input = graph.inputType('AnnouncementInput', {
    fields: t => ({
      id: t.id(),
      expectedRevision: t.int({ description: 'The revision that the form began with.' }),
      enabled: t.boolean(),
      level: t.field({ type: Level }),
      title: t.string(),
      body: t.string({ description: 'HTML; what is not in the allow-list is left out.' }),
      startAt: t.field({ type: 'DateTime' }),
      endAt: t.field({ type: 'DateTime', description: 'Null: no end.' }),
      closeButtonText: t.string(),
      targets: t.field({ type: [TargetInput], description: 'Default of a new one: everybody.' }),
    }),
  })
  graph.mutationField('upsertAnnouncement', t =>
    mutation(t, {
      type: Announcement,
      args: { input: t.arg({ type: Input, required: true }) },
      allow: 'write:update',
      on: 'insight:announcement.',
      description: 'Without id: a new announcement. With id: changes the fields that are sent.',
      database,
      async run({ input }, write) {
        const { id, expectedRevision, targets: sent, endAt, ...rest } = input
        const targets = sent?.map(readSentTarget)
        if (targets?.some(target => target === undefined))
          return refused(refusal('announcement/target-wrong', ['input', 'targets']))
        const values = {
          ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)),
          ...(endAt === undefined ? {} : { endAt }),
          ...(targets ? { targets: targets.filter(target => target !== undefined) } : {}),
        } as AnnouncementInput
        return id
          ? changeAnnouncement(readId(id, ['input', 'id']), values, expectedRevision, write)
          : addAnnouncement(values, write)
      },
    }),
  )
  graph.mutationField('readAnnouncements', t =>
    mutation(t, {
      type: ['ID'],
      args: { ids: t.arg.idList({ required: true }) },
      allow: 'read:show',
      on: 'insight:announcement.',
      description: 'Marks announcements as read by the caller; answers the ids that are read now.',
      database,
      run: ({ ids }, write) =>
        readAnnouncements(
          ids.map(id => readId(id, ['ids'])),
          clock.now(),
          write,
        ),
    }),
  )
}

function readSentTarget(sent: {
  readonly kind: TargetKind
  readonly mediumId?: string | null | undefined
  readonly organizationId?: string | null | undefined
  readonly role?: string | null | undefined
}): AnnouncementTarget | undefined {
  return readTarget({
    kind: sent.kind,
    mediumId: sent.mediumId ? readId(sent.mediumId, ['input', 'targets']) : undefined,
    organizationId: sent.organizationId ? readId(sent.organizationId, ['input', 'targets']) : undefined,
    role: sent.role ?? undefined,
  })
}
