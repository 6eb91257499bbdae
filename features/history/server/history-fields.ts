import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandReader } from '@pc/platform/graphql/guard.ts'
import { readPage } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { type ChangedField, type HistoryEntry, listHistory } from './history-store.ts'

/** The kinds of records whose history staff can read, by their names in the graph. */
const RESOURCES = {
  agreement: 'insight:agreement.',
  agreementPublisherRule: 'insight:agreement_publisher_rule.',
  publisher: 'insight:publisher.',
  feed: 'insight:feed.',
  medium: 'insight:medium.',
  mediumArticle: 'insight:medium_article.',
  bankAccount: 'insight:bank_account.',
  announcement: 'insight:announcement.',
  monthlyPayment: 'insight:monthly_payment.',
  dividend: 'insight:dividend.',
} as const satisfies Readonly<Record<string, ResourceName>>
type RecordKind = keyof typeof RESOURCES
const RECORD_KINDS = Object.keys(RESOURCES) as [RecordKind, ...RecordKind[]]

/** Every edit with before and after, from the audit log. Staff only, and only for records that they may read. */
export function addHistoryFields(graph: Graph, { database }: { readonly database: Database }): void {
  const ChangedFieldType = graph.objectRef<ChangedField>('ChangedField').implement({
    on: 'inherits',
    fields: t => ({
      name: t.exposeString('name'),
      before: t.exposeString('before', { nullable: true, description: 'JSON' }),
      after: t.exposeString('after', { nullable: true, description: 'JSON' }),
    }),
  })
  const RecordChange = graph.objectRef<HistoryEntry>('RecordChange').implement({
    on: 'insight:in_house_note.',
    fields: t => ({
      id: t.id({ resolve: entry => entry.seq }),
      at: t.expose('at', { type: 'DateTime' }),
      action: t.exposeString('action'),
      actorUid: t.expose('actorUid', { type: 'ID', nullable: true }),
      actorEmail: t.exposeString('actorEmail', { nullable: true }),
      fields: t.expose('fields', { type: [ChangedFieldType] }),
    }),
  })
  const RecordChangeList = graph.objectRef<{ total: number; nodes: HistoryEntry[] }>('RecordChangeList').implement({
    on: 'insight:in_house_note.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [RecordChange] }) }),
  })
  const RecordKindEnum = graph.enumType('RecordKind', { values: RECORD_KINDS })
  graph.queryField('recordHistory', t =>
    field(t, {
      type: RecordChangeList,
      args: {
        kind: t.arg({ type: RecordKindEnum, required: true }),
        id: t.arg.id({ required: true }),
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
      },
      allow: 'read:show',
      on: 'insight:in_house_note.',
      resolve(_parent, args, context, permit) {
        const resource = RESOURCES[args.kind]
        demandReader(context, resource)
        const page = readPage(args)
        return database.inScope(permit.scope, tx => listHistory(tx, resource, String(args.id), page))
      },
    }),
  )
}
