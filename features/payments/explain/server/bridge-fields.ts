import { BRIDGE_STEPS, type BridgeLine, type BridgeStep } from '@pc/domain/explain/bridge.ts'
import { MONTH_CHANGE_STEPS, type MonthChangeStep } from '@pc/domain/explain/month-change.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth, writeMonth } from '@pc/platform/graphql/month-argument.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { bridgeOfMonth, bridgeOfRow, type EstimateBridge, type PaidLine } from './estimate-bridge.ts'
import { changeOfPayment, type PaymentChange } from './payment-change.ts'

/** Adds the steps from the estimate to the final amount (of a row, of a month) and from the month before to a row. */
export function addBridgeFields(
  graph: Graph,
  parts: { readonly database: Database; readonly stats: StatsStore },
): void {
  const Line = lineType(graph)
  const Bridge = bridgeType(graph, Line)
  const Change = changeType(graph, Line)
  const Kind = graph.enumType('EstimateBridgeKind', { values: ['payment', 'publisher_payment'] as const })
  graph.queryField('estimateBridge', t =>
    field(t, {
      type: Bridge,
      nullable: true,
      description: 'How the estimate of a payment, or of a publisher’s part of one, became the final amount.',
      args: { kind: t.arg({ type: Kind, required: true }), id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'insight:monthly_payment.',
      resolve: async (_parent, { kind, id }, _context, permit) =>
        (await bridgeOfRow(parts, { kind, id: readId(id, ['id']) }, permit)) ?? null,
    }),
  )
  graph.queryField('paymentChange', t =>
    field(t, {
      type: Change,
      nullable: true,
      description:
        'Why a payment (with tax), or a publisher’s part of one, differs from that of the month before. Null where there is none.',
      args: { kind: t.arg({ type: Kind, required: true }), id: t.arg.id({ required: true }) },
      allow: 'read:show',
      on: 'insight:monthly_payment.',
      async resolve(_parent, { kind, id }, context, permit) {
        const mayReadRates = findPermit(context, 'read:show', 'insight:payment_rate.') !== undefined
        return (await changeOfPayment(parts, { kind, id: readId(id, ['id']), permit, mayReadRates })) ?? null
      },
    }),
  )
  graph.queryField('monthEstimateBridge', t =>
    field(t, {
      type: Bridge,
      description: 'The same over every finalised row of a month that the viewer may see.',
      args: {
        month: t.arg.string({ required: true, description: 'YYYY-MM' }),
        mediumIds: t.arg.idList(),
        organizationIds: t.arg.idList(),
        publisherIds: t.arg.idList(),
      },
      allow: 'read:list',
      on: 'insight:monthly_publisher_payment.',
      resolve(_parent, args, _context, permit) {
        const ids = (name: 'mediumIds' | 'organizationIds' | 'publisherIds') =>
          args[name]?.map(id => readId(id, [name]))
        const filter = {
          mediumIds: ids('mediumIds'),
          organizationIds: ids('organizationIds'),
          publisherIds: ids('publisherIds'),
        }
        return bridgeOfMonth(parts, readMonth(args.month, ['month']), filter, permit)
      },
    }),
  )
}

function lineType(graph: Graph) {
  return graph.objectRef<BridgeLine>('EstimateBridgeLine').implement({
    on: 'inherits',
    fields: t => ({ label: t.exposeString('label'), amount: t.expose('amountYen', { type: 'Long' }) }),
  })
}

function changeType(graph: Graph, Line: ReturnType<typeof lineType>) {
  const StepName = graph.enumType('PaymentChangeStepName', { values: MONTH_CHANGE_STEPS })
  const Step = graph.objectRef<MonthChangeStep>('PaymentChangeStep').implement({
    on: 'inherits',
    fields: t => ({
      name: t.field({ type: StepName, resolve: step => step.name }),
      label: t.exposeString('label'),
      amount: t.expose('amountYen', { type: 'Long', description: 'The change; of before and now the amount itself.' }),
      level: t.expose('levelYen', { type: 'Long', description: 'Where the running total stands after the step.' }),
      lines: t.field({
        type: [Line],
        description: 'Their amounts sum to the step exactly; empty where the step is one line.',
        resolve: step => [...step.lines],
      }),
    }),
  })
  return graph.objectRef<PaymentChange>('PaymentChange').implement({
    on: 'inherits',
    fields: t => ({
      month: t.string({ resolve: change => writeMonth(change.month) }),
      monthBefore: t.string({
        description: 'What it is compared with; YYYY-MM.',
        resolve: change => writeMonth(change.monthBefore),
      }),
      sentence: t.string({
        description: 'Japanese, made by rules from the steps.',
        resolve: change => change.sentence,
      }),
      steps: t.field({
        type: [Step],
        description: 'From the amount before by what changed to the amount now; they sum exactly.',
        resolve: change => [...change.steps],
      }),
    }),
  })
}

function bridgeType(graph: Graph, Line: ReturnType<typeof lineType>) {
  const StepName = graph.enumType('EstimateBridgeStepName', { values: BRIDGE_STEPS })
  const Step = graph.objectRef<BridgeStep>('EstimateBridgeStep').implement({
    on: 'inherits',
    fields: t => ({
      name: t.field({ type: StepName, resolve: step => step.name }),
      label: t.exposeString('label'),
      amount: t.expose('amountYen', {
        type: 'Long',
        description: 'The change; of estimate and final the level itself.',
      }),
      level: t.expose('levelYen', { type: 'Long', description: 'Where the running total stands after the step.' }),
      lines: t.field({
        type: [Line],
        description: 'Their amounts sum to the step exactly.',
        resolve: step => [...step.lines],
      }),
    }),
  })
  const Paid = graph.objectRef<PaidLine>('EstimateBridgePaidLine').implement({
    on: 'inherits',
    fields: t => ({
      label: t.exposeString('label'),
      amount: t.expose('amountYen', { type: 'Long' }),
      isSum: t.exposeBoolean('isSum'),
    }),
  })
  const Range = graph.objectRef<NonNullable<EstimateBridge['errorRange']>>('EstimateErrorRange').implement({
    on: 'inherits',
    fields: t => ({
      lowest: t.expose('lowestYen', { type: 'Long' }),
      highest: t.expose('highestYen', { type: 'Long' }),
      months: t.exposeInt('months', { description: 'Of how many finalised months, six at most.' }),
    }),
  })
  return graph.objectRef<EstimateBridge>('EstimateBridge').implement({
    on: 'inherits',
    fields: t => ({
      month: t.string({ resolve: bridge => writeMonth(bridge.month) }),
      isFinal: t.exposeBoolean('isFinal'),
      recordedAt: t.expose('recordedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the estimate was kept.',
      }),
      steps: t.field({
        type: [Step],
        description: 'Seven that sum exactly; none of an open month, or where no estimate was kept.',
        resolve: bridge => [...bridge.steps],
      }),
      toPayment: t.field({ type: [Paid], resolve: bridge => [...bridge.toPayment] }),
      shownRevenue: t.expose('shownYen', {
        type: 'Long',
        nullable: true,
        description: 'What the reports show of an open row now.',
      }),
      errorRange: t.field({
        type: Range,
        nullable: true,
        description: 'By how much the finals of the last months differed from their estimates.',
        resolve: bridge => bridge.errorRange,
      }),
    }),
  })
}
