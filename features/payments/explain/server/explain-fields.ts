import { PAYMENT_COLUMNS } from '@pc/domain/explain/explain-column.ts'
import { EXPLAIN_SCALE, type ExplainInput, type ExplainNode, explainedYen } from '@pc/domain/explain/explain-node.ts'
import { formatScaledYen } from '@pc/domain/money/micro-yen.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { isOfPublishers } from './amount-at-question.ts'
import {
  type Continuation,
  type ExplainedAmount,
  type ExplainedSnapshot,
  explainMonthlyPayment,
  explainPoolJob,
  explainPublisherPayment,
} from './explain-amount.ts'
import { explainSentTransfer } from './explain-transfer.ts'

const KINDS = ['transfer', 'payment', 'publisher_payment', 'pool'] as const

export function addExplainFields(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
): void {
  const { Kind, Column, Node } = explainTypes(graph)
  graph.queryField('explainAmount', t =>
    field(t, {
      type: Node,
      nullable: true,
      description:
        'Where an amount comes from, one level at a time: a node and its children, whose amounts sum to it exactly. Null when there is no such amount.',
      args: {
        kind: t.arg({ type: Kind, required: true }),
        id: t.arg.id({
          required: true,
          description: 'Of the transfer, the payment, the publisher payment or the dividend.',
        }),
        column: t.arg({
          type: Column,
          description:
            'Which amount of the row; default: the payment, of a payment with tax. Pools and transfers have only one.',
        }),
        path: t.arg.string({ description: 'Id of a node; default: the amount itself.' }),
      },
      allow: 'read:show',
      on: 'insight:monthly_payment.',
      async resolve(_parent, args, context, permit) {
        const id = readId(args.id, ['id'])
        const path = args.path ?? undefined
        if (args.kind === 'pool' || args.kind === 'transfer') {
          demandPermit(context, 'read:list', 'insight:dividend.')
          const explain = args.kind === 'pool' ? explainPoolJob : explainSentTransfer
          return (await explain(parts, id, path)) ?? null
        }
        const mayReadRates = findPermit(context, 'read:show', 'insight:payment_rate.') !== undefined
        const request = { id, path, permit, mayReadRates }
        if (args.kind === 'payment') {
          const column = args.column ?? 'paymentIncludingTax'
          return (await explainMonthlyPayment(parts, { ...request, column })) ?? null
        }
        const column = args.column ?? 'payment'
        // A publisher's part has no tax.
        if (!isOfPublishers(column)) return null
        return (await explainPublisherPayment(parts, { ...request, column })) ?? null
      },
    }),
  )
}

function explainTypes(graph: Graph) {
  const Kind = graph.enumType('ExplainKind', { values: KINDS })
  const Column = graph.enumType('ExplainColumn', { values: PAYMENT_COLUMNS })
  const Input = graph.objectRef<ExplainInput>('ExplainInput').implement({
    on: 'inherits',
    fields: t => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  })
  const Continues = graph.objectRef<Continuation>('ExplainContinuation').implement({
    on: 'inherits',
    description: 'The amount of another row in which the story goes on.',
    fields: t => ({
      kind: t.field({ type: Kind, resolve: found => found.kind }),
      id: t.expose('id', { type: 'ID' }),
      column: t.field({ type: Column, resolve: found => found.column }),
    }),
  })
  const Child = graph.objectRef<{ node: ExplainNode; continuesAt: Continuation | null }>('ExplainChild').implement({
    on: 'inherits',
    fields: t => ({
      id: t.id({ resolve: ({ node }) => node.id }),
      label: t.string({ resolve: ({ node }) => node.label }),
      amount: t.string({ description: 'Yen with all decimals.', resolve: ({ node }) => explainedYen(node) }),
      formula: t.string({ resolve: ({ node }) => node.formula }),
      inputs: t.field({ type: [Input], resolve: ({ node }) => [...node.inputs] }),
      hasChildren: t.boolean({ resolve: ({ node }) => node.children.length > 0 || node.source?.kind === 'day' }),
      sourceKind: t.string({ nullable: true, resolve: ({ node }) => node.source?.kind ?? null }),
      sourceIds: t.stringList({
        description:
          'What the source is in the console: of an article or a video its id and its publisher, of terms and opening balances the agreement.',
        resolve: ({ node }) => sourceIds(node),
      }),
      continuesAt: t.field({ type: Continues, nullable: true, resolve: child => child.continuesAt }),
    }),
  })
  const Step = graph.objectRef<ExplainNode>('ExplainStep').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      label: t.exposeString('label'),
      amount: t.string({ resolve: explainedYen }),
      formula: t.exposeString('formula'),
    }),
  })
  const Snapshot = graph.objectRef<ExplainedSnapshot>('ExplainSnapshot').implement({
    on: 'inherits',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      month: t.string({ resolve: found => formatYearMonth(found.month) }),
      isFinal: t.exposeBoolean('isFinal'),
      hash: t.exposeString('hash', { nullable: true, description: 'Null while the month is open.' }),
    }),
  })
  const Node = graph.objectRef<ExplainedAmount>('ExplainNode').implement({
    on: 'inherits',
    fields: t => ({
      id: t.id({ resolve: ({ node }) => node.id }),
      label: t.string({ resolve: ({ node }) => node.label }),
      amount: t.string({ description: 'Yen with all decimals.', resolve: ({ node }) => explainedYen(node) }),
      formula: t.string({ resolve: ({ node }) => node.formula }),
      inputs: t.field({ type: [Input], resolve: ({ node }) => [...node.inputs] }),
      children: t.field({
        type: [Child],
        resolve: ({ node, continuations }) =>
          node.children.map(child => ({ node: child, continuesAt: continuations.get(child.id) ?? null })),
      }),
      childrenSum: t.string({
        description: 'Yen with all decimals; the amount itself, or the tree is wrong.',
        resolve: ({ node }) =>
          formatScaledYen(
            sumBy(node.children, child => child.amount),
            EXPLAIN_SCALE,
          ),
      }),
      trail: t.field({
        type: [Step],
        description: 'From the amount that was asked for down to the parent.',
        resolve: ({ trail }) => [...trail],
      }),
      snapshot: t.field({ type: Snapshot, nullable: true, resolve: found => found.snapshot }),
    }),
  })
  return { Kind, Column, Node }
}

function sourceIds({ source }: ExplainNode): string[] {
  switch (source?.kind) {
    case 'article':
    case 'video':
      return [source.contentId.toString(), source.publisherId.toString()]
    case 'opening_balance':
    case 'terms':
      return [source.agreementId.toString()]
    default:
      return []
  }
}
