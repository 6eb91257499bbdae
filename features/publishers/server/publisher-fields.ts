import { hasInHouseText } from '@pc/domain/publisher/publisher-record.ts'
import { ok } from '@pc/domain/result.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, GraphContext } from '@pc/platform/graphql/graph.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { readId, readMonth, readPage, readSearchWords } from '@pc/platform/graphql/list-arguments.ts'
import { mutation, type Write } from '@pc/platform/graphql/mutation.ts'
import { type PublisherTypeDependencies, publisherType, readAhead } from './publisher-graph.ts'
import {
  type PublisherInput,
  publisherInputTypes,
  type RuleInput,
  readPublisherInput,
  readRuleInputs,
} from './publisher-input.ts'
import {
  findPublishers,
  listPublishers,
  PUBLISHER_ORDERS,
  type PublisherRow,
  showPublisher,
} from './publisher-store.ts'
import { savePublisher } from './save-publisher.ts'
import { savePublisherRules } from './save-publisher-rules.ts'

type PublisherRef = ReturnType<typeof publisherType>

/**
 * Adds the queries and mutations of publishers. Returns the type and a reader, for features that refer to publishers, and
 * the input type of rules, for further mutations.
 */
export function addPublisherFields(graph: Graph, dependencies: PublisherTypeDependencies) {
  const Publisher = publisherType(graph, dependencies)
  const inputs = publisherInputTypes(graph)
  addQueries(graph, Publisher, dependencies)
  addMutations(graph, Publisher, inputs, dependencies)
  const read = async (context: GraphContext, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, PublisherRow>> => {
    const { scope } = demandPermit(context, 'read:list', 'insight:publisher.')
    const rows = await findPublishers(dependencies.database.reader(scope), ids)
    return new Map(rows.map(row => [row.id, row]))
  }
  return { Publisher, findPublishers: read, AgreementPublisherRuleInput: inputs.AgreementPublisherRuleInput }
}

function addQueries(graph: Graph, Publisher: PublisherRef, { database }: PublisherTypeDependencies): void {
  const PublisherList = graph.objectRef<{ total: number; nodes: PublisherRow[] }>('PublisherList').implement({
    on: 'insight:publisher.',
    fields: t => ({ total: t.exposeInt('total'), nodes: t.expose('nodes', { type: [Publisher] }) }),
  })
  const PublishersOrderBy = graph.enumType('PublishersOrderBy', { values: PUBLISHER_ORDERS })
  const PublishersParam = graph.inputType('PublishersParam', {
    fields: t => ({ organizationId: t.id(), enabled: t.boolean() }),
  })
  graph.queryField('publisher', t =>
    field(t, {
      type: Publisher,
      nullable: true,
      args: {
        id: t.arg.id({ required: true }),
        asOfMonth: t.arg.int({ description: 'Rules of this month (YYYYMM). Default: this month.' }),
      },
      allow: 'read:show',
      on: 'insight:publisher.',
      async resolve(_parent, args, _context, permit) {
        const month = args.asOfMonth
        const asOfMonth = month === null || month === undefined ? undefined : readMonth(month, ['asOfMonth'])
        const row = await showPublisher(database, readId(String(args.id), ['id']), permit)
        return row ? { ...row, asOfMonth } : null
      },
    }),
  )
  graph.queryField('publishers', t =>
    field(t, {
      type: PublisherList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: PublishersOrderBy, description: 'Default: NAME_ASC.' }),
        param: t.arg({ type: PublishersParam }),
        q: t.arg.string(),
      },
      allow: 'read:list',
      on: 'insight:publisher.',
      resolve(_parent, args, context, permit, info) {
        const page = readPage(args)
        const { organizationId, enabled } = args.param ?? {}
        const filter = {
          organizationId: organizationId ? readId(String(organizationId), ['param', 'organizationId']) : undefined,
          enabled: enabled ?? undefined,
          words: readSearchWords(args.q),
        }
        return listPublishers(database, filter, args.orderBy ?? 'NAME_ASC', page, permit, ids =>
          readAhead(database, context, info, ids),
        )
      },
    }),
  )
}

function addMutations(
  graph: Graph,
  Publisher: PublisherRef,
  { PublisherInput, AgreementPublisherRuleInput }: ReturnType<typeof publisherInputTypes>,
  { database, clock }: PublisherTypeDependencies,
): void {
  const save = async (write: Write, context: GraphContext, input: PublisherInput, rules: readonly RuleInput[]) => {
    const action = input.id === undefined ? 'write:create' : 'write:update'
    if (input.id === undefined) demandPermit(context, 'write:create', 'insight:publisher.')
    if (hasInHouseText(input)) demandPermit(context, action, 'insight:in_house_note.')
    const saved = await savePublisher(write, input, ['publisher'])
    if (!saved.ok) return saved
    const ruled = await savePublisherRules(write, clock, saved.value.row.id, rules)
    if (!ruled.ok) return ruled
    if (!saved.value.isChanged && !ruled.value) write.recordNothing()
    return ok(saved.value.row)
  }
  graph.mutationField('upsertPublisher', t =>
    mutation(t, {
      type: Publisher,
      args: { publisher: t.arg({ type: PublisherInput, required: true }) },
      allow: 'write:update',
      on: 'insight:publisher.',
      database,
      run: (args, write, context) => save(write, context, readPublisherInput(args.publisher, ['publisher']), []),
    }),
  )
  graph.mutationField('upsertPublisherWithAgreementPublisherRules', t =>
    mutation(t, {
      type: Publisher,
      description: 'A rule that is not named stays as it is.',
      args: {
        publisher: t.arg({ type: PublisherInput, required: true }),
        agreementPublisherRules: t.arg({ type: [AgreementPublisherRuleInput], required: true }),
      },
      allow: 'write:update',
      on: 'insight:publisher.',
      database,
      needsStepUp: true,
      run(args, write, context) {
        const rules = readRuleInputs(args.agreementPublisherRules)
        if (rules.length > 0) {
          demandPermit(context, 'write:create', 'insight:agreement_publisher_rule.')
          demandPermit(context, 'write:update', 'insight:agreement_publisher_rule.')
          demandPermit(context, 'write:update', 'insight:payment_rate.')
        }
        return save(write, context, readPublisherInput(args.publisher, ['publisher']), rules)
      },
    }),
  )
}
