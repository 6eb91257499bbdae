import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import { ORDER_BASES } from '@pc/domain/report/order-basis.ts'
import type { Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'

export type ReportEnums = ReturnType<typeof reportEnums>

/** The enums that the arguments of several reports share. */
export function reportEnums(graph: Graph) {
  return {
    Granularity: graph.enumType('Granularity', { values: GRANULARITIES }),
    Comparison: graph.enumType('Comparison', {
      values: COMPARISONS,
      description:
        'What the figures are set against: the days before of the same number; the nearest earlier days with the same ' +
        'weekdays; the same days of the months one year before.',
    }),
    OrderBasis: graph.enumType('OrderBasis', {
      values: ORDER_BASES,
      description:
        'By what the figure of orderBy orders: value: the figure · difference: how much it changed since the compared days · ' +
        'percent: the same in percent. What has nothing to be compared with comes last.',
    }),
  }
}

/** The arguments `orderOf` and `minChange` of lists that can be ordered by change. */
export function changeInputFields(
  t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>,
  { OrderBasis }: ReportEnums,
) {
  return {
    orderOf: t.field({
      type: OrderBasis,
      required: true,
      defaultValue: 'value',
      description: 'By what orderBy orders; difference and percent need a comparison.',
    }),
    minChange: t.float({
      description:
        'By difference and percent: only rows whose figure changed by at least so much, either way: yen, counts, seconds, points ' +
        'of a rate; or percent. Totals are of all rows.',
    }),
  }
}
