import { type ExplainInput, type ExplainNode, explainedYen } from '@pc/domain/payment/explain-node.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { explainDividendPool, explainMonthlyPayment, explainPublisherPayment } from './explain-amount.ts'

const KINDS = ['payment', 'publisher_payment', 'pool'] as const

export function addExplainFields(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
): void {
  const Kind = graph.enumType('ExplainKind', { values: KINDS })
  const Node = nodeType(graph)
  graph.queryField('explainAmount', t =>
    field(t, {
      type: Node,
      nullable: true,
      description:
        'Where an amount comes from, one level at a time: a node and its children, whose amounts sum to it exactly. Null when there is no such amount.',
      args: {
        kind: t.arg({ type: Kind, required: true }),
        id: t.arg.id({ required: true, description: 'Of the payment, the publisher payment or the dividend.' }),
        path: t.arg.string({ description: 'Id of a node; default: the amount itself.' }),
      },
      allow: 'read:show',
      on: 'insight:monthly_payment.',
      async resolve(_parent, args, context, permit) {
        const id = readId(args.id, ['id'])
        const path = args.path ?? undefined
        if (args.kind === 'pool') {
          demandPermit(context, 'read:list', 'insight:dividend.')
          return (await explainDividendPool(parts, id, path)) ?? null
        }
        const mayReadRates = findPermit(context, 'read:show', 'insight:payment_rate.') !== undefined
        const request = { id, path, permit, mayReadRates }
        const explain = args.kind === 'payment' ? explainMonthlyPayment : explainPublisherPayment
        return (await explain(parts, request)) ?? null
      },
    }),
  )
}

function nodeType(graph: Graph) {
  const Input = graph.objectRef<ExplainInput>('ExplainInput').implement({
    on: 'inherits',
    fields: t => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
  })
  const Child = graph.objectRef<ExplainNode>('ExplainChild').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      label: t.exposeString('label'),
      amount: t.string({ description: 'Yen with all decimals.', resolve: explainedYen }),
      formula: t.exposeString('formula'),
      inputs: t.field({ type: [Input], resolve: node => [...node.inputs] }),
      hasChildren: t.boolean({ resolve: node => node.children.length > 0 || node.source?.kind === 'day' }),
      sourceKind: t.string({ nullable: true, resolve: node => node.source?.kind ?? null }),
    }),
  })
  return graph.objectRef<ExplainNode>('ExplainNode').implement({
    on: 'inherits',
    fields: t => ({
      id: t.exposeID('id'),
      label: t.exposeString('label'),
      amount: t.string({ description: 'Yen with all decimals.', resolve: explainedYen }),
      formula: t.exposeString('formula'),
      inputs: t.field({ type: [Input], resolve: node => [...node.inputs] }),
      children: t.field({ type: [Child], resolve: node => [...node.children] }),
    }),
  })
}
