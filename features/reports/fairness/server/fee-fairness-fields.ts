import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { FEE_POSITIONS, FEE_REASONS, type FeeRange } from '@pc/domain/report/fee-range.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { readMonth } from '@pc/platform/graphql/month-argument.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type FairFee, type FeeFairness, readFeeFairness } from './fee-fairness-report.ts'

/** The query `feeFairness`: the effective fees of a medium's publishers. Staff only. */
export function addFeeFairnessFields(graph: Graph, sources: ReportSources): void {
  const Fairness = fairnessType(graph)
  graph.queryField('feeFairness', t =>
    field(t, {
      type: Fairness,
      nullable: true,
      description: 'Staff only. Null for a medium that does not exist.',
      args: {
        mediumId: t.arg.id({ description: 'Default: the first medium of which a month is final.' }),
        month: t.arg.string({ description: 'YYYY-MM. Default: the last month that is final.' }),
      },
      allow: 'read:list',
      on: 'insight:payment_rate.',
      resolve: (_parent, { mediumId, month }, _context, permit) =>
        readFeeFairness(
          sources,
          {
            mediumId: mediumId ? readId(mediumId, ['mediumId']) : undefined,
            month: month ? readMonth(month, ['month']) : undefined,
          },
          permit,
        ),
    }),
  )
}

/** Yen as a number; exact up to 2^53 micro-yen, about nine billion yen per 1,000 views. */
const yen = (microYen: bigint) => Number(microYen) / Number(MICRO_YEN_PER_YEN)

function fairnessType(graph: Graph) {
  const on = 'insight:payment_rate.' as const
  const Position = graph.enumType('FeePosition', { values: FEE_POSITIONS })
  const Reason = graph.enumType('FeeReason', { values: FEE_REASONS })
  const Range = graph.objectRef<FeeRange>('FeeRange').implement({
    on,
    description: 'Yen per 1,000 views; quartiles by nearest rank.',
    fields: t => ({
      lowest: t.float({ resolve: range => yen(range.lowest) }),
      firstQuartile: t.float({ resolve: range => yen(range.firstQuartile) }),
      median: t.float({ resolve: range => yen(range.median) }),
      thirdQuartile: t.float({ resolve: range => yen(range.thirdQuartile) }),
      highest: t.float({ resolve: range => yen(range.highest) }),
      medianRateUnits: t.exposeInt('medianRateUnits', { description: '100 units are 1 %.' }),
    }),
  })
  const Fee = graph.objectRef<FairFee>('PublisherFee').implement({
    on,
    fields: t => ({
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      views: t.expose('views', { type: 'Long', description: 'Articles, videos and live programmes that were seen.' }),
      fee: t.expose('feeYen', {
        type: 'Long',
        description: 'Revenue of the month without tax, adjustments and balance.',
      }),
      fixed: t.expose('fixedYen', { type: 'Long', description: 'Of fee: the fixed revenue.' }),
      minimumTopUp: t.expose('topUpYen', { type: 'Long', description: 'Of fee: what the minimum added.' }),
      rateUnits: t.exposeInt('rateUnits', { description: 'Of own advertising; 100 units are 1 %.' }),
      perMille: t.float({
        nullable: true,
        description: 'Yen per 1,000 views; null without views.',
        resolve: fee => (fee.perMille === null ? null : yen(fee.perMille)),
      }),
      position: t.expose('position', { type: Position, nullable: true }),
      reasons: t.field({ type: [Reason], resolve: fee => [...fee.reasons] }),
    }),
  })
  return graph.objectRef<FeeFairness>('FeeFairness').implement({
    on,
    description: 'What the publishers of a medium effectively got in a final month.',
    fields: t => ({
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      month: t.string({
        nullable: true,
        description: 'Null when it, or none of the medium, is final.',
        resolve: one => (one.month === null ? null : formatYearMonth(one.month)),
      }),
      range: t.expose('range', { type: Range, nullable: true }),
      nodes: t.expose('nodes', { type: [Fee], description: 'The lowest fee first.' }),
    }),
  })
}
