import { CHANGE_DIMENSIONS, type ChangeDimension, causeOf, type NamedPart } from '@pc/domain/change/change-cause.ts'
import { isMember, PART_KINDS } from '@pc/domain/change/change-parts.ts'
import { CHANGE_DIMENSION_LABELS, changeSentence } from '@pc/domain/change/change-sentence.ja.ts'
import { exactText, shownSteps, stepsAsNumber } from '@pc/domain/change/exact-unit.ts'
import { shownDifference } from '@pc/domain/change/parts-in-steps.ts'
import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import {
  CHANGE_METRICS,
  CHANGE_SUBJECTS,
  CHANGE_UNITS,
  type ChangeUnit,
  isRevenueDetail,
} from '@pc/domain/report/metric-identity.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import { filterInputFields } from '../../core/server/entity-argument.ts'
import { demandLabels } from '../../core/server/label-right.ts'
import { lateMediaField } from '../../core/server/late-medium-type.ts'
import type { ReportTypes } from '../../core/server/report-graph.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type ExplainedChange, readChange } from './change-report.ts'
import { parseChangeRequest } from './change-request.ts'
import { type ChangedTerms, changedTermsText } from './changed-terms.ts'

/** The query `explainChange`: why a figure of a report differs from that of the compared days. */
export function addChangeFields(graph: Graph, sources: ReportSources, types: ReportTypes): void {
  const Metric = graph.enumType('ChangeMetric', {
    values: CHANGE_METRICS,
    description:
      "The platform's own revenues (grossRevenue to effectiveRate) are staff only. videoWatch3s to averageWatch97p are those of " +
      'videos, articleEngagedTime to completionRate those of articles: of publishers nothing is known of them.',
  })
  const Subject = graph.enumType('ChangeSubject', {
    values: CHANGE_SUBJECTS,
    description:
      'Whose rows are summed: those of publishers, as in summaryStats and publisherRank, or those of articles or videos, as in ' +
      'articleStats and videoStats.',
  })
  const Within = graph.inputType('ChangeReportRange', {
    fields: t => ({
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
    }),
  })
  const ExplainChangeParam = graph.inputType('ExplainChangeParam', {
    fields: t => ({
      metric: t.field({ type: Metric, required: true, description: 'The figure whose change is explained.' }),
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
      compareWith: t.field({ type: types.enums.Comparison, required: true }),
      of: t.field({
        type: Subject,
        required: true,
        defaultValue: 'publisher',
        description: 'Whose rows the figure is a sum of.',
      }),
      within: t.field({
        type: Within,
        description: 'The range of the report of which these days are one row: they are compared as the row is.',
      }),
      ...filterInputFields(t, 'articles'),
      contentIds: t.idList({ description: 'Of articles or videos.' }),
      feedIds: t.idList({ description: 'Of articles.' }),
      title: t.string({ description: 'Of articles or videos: words that the title has to contain, in any order.' }),
    }),
  })
  const ExplainedChange = changeType(graph, types)
  graph.queryField('explainChange', t =>
    field(t, {
      type: ExplainedChange,
      nullable: true,
      description:
        'Why a figure differs from the one that it is compared with: parts that sum to the difference exactly, by factor and by ' +
        'dimension. Null where there is nothing to compare with.',
      args: { param: t.arg({ type: ExplainChangeParam, required: true }) },
      // Some twenty statements, two of them over every content of both ranges: one explanation in a request.
      ownCost: 100_000,
      allow: 'read:list',
      on: 'insight:summary_stats.',
      async resolve(_parent, args, context, permit, info) {
        const request = acceptedValue(parseChangeRequest(args))
        demandLabels(request.filter, context)
        if (request.subject === 'article') demandPermit(context, 'read:list', 'insight:article_stats.')
        if (request.subject === 'video') demandPermit(context, 'read:list', 'insight:video_stats.')
        if (isRevenueDetail(request.metric)) demandPermit(context, 'read:show', 'insight:revenue_detail.')
        const rights = {
          articles: findPermit(context, 'read:list', 'insight:article_stats.') !== undefined,
          videos: findPermit(context, 'read:list', 'insight:video_stats.') !== undefined,
        }
        const wanted = { dimensions: ['dimensions', 'sentence', 'cause'].some(name => asksFor(info, name)) }
        return (await readChange(sources, request, permit, rights, context.signal, wanted)) ?? null
      },
    }),
  )
}

/** A part with its change and dimension, which its GraphQL fields need for unit and id. */
interface PartOf {
  readonly part: NamedPart
  readonly dimension: ChangeDimension | undefined
  readonly unit: ChangeUnit
}

function changeType(graph: Graph, types: ReportTypes) {
  const Unit = graph.enumType('ChangeUnit', {
    values: CHANGE_UNITS,
    description:
      'A ratio is a number where 1 is the whole; yenPerMille is yen per 1,000 impressions, secondsPerWatch seconds per watch.',
  })
  const Part = partType(graph, Unit)
  const Terms = graph.objectRef<ChangedTerms>('ChangedTerms').implement({
    on: 'inherits',
    fields: t => ({
      publisherId: t.expose('publisherId', { type: 'ID' }),
      validFrom: t.string({ description: 'YYYY-MM', resolve: ({ validFrom }) => formatYearMonth(validFrom) }),
      text: t.string({ description: 'Japanese: whose rates they are, before and since.', resolve: changedTermsText }),
    }),
  })
  const Dimension = graph.enumType('ChangeDimension', { values: CHANGE_DIMENSIONS })
  const Breakdown = graph
    .objectRef<ExplainedChange['dimensions'][number] & { readonly unit: ChangeUnit }>('ChangeBreakdown')
    .implement({
      on: 'inherits',
      fields: t => ({
        dimension: t.expose('dimension', { type: Dimension, description: 'By what the difference is broken down.' }),
        label: t.string({ resolve: ({ dimension }) => CHANGE_DIMENSION_LABELS[dimension] }),
        parts: t.field({
          type: [Part],
          description:
            'At most five members, the largest contributions first, and the rest; they sum to the difference.',
          resolve: ({ dimension, unit, parts }) => parts.map(part => ({ part, dimension, unit })),
        }),
      }),
    })
  return graph.objectRef<ExplainedChange>('ExplainedChange').implement({
    on: 'insight:summary_stats.',
    fields: t => ({
      label: t.exposeString('label'),
      from: t.field({ type: 'Date', resolve: ({ range }) => range.from }),
      to: t.field({ type: 'Date', resolve: ({ range }) => range.to }),
      comparedFrom: t.field({
        type: 'Date',
        description: 'First of the days that it is compared with.',
        resolve: ({ compared }) => compared.from,
      }),
      comparedTo: t.field({
        type: 'Date',
        description: 'Last of the days that it is compared with.',
        resolve: ({ compared }) => compared.to,
      }),
      unit: t.expose('unit', { type: Unit }),
      before: t.float({ resolve: ({ unit, before }) => stepsAsNumber(unit, shownSteps(unit, before)) }),
      now: t.float({ resolve: ({ unit, now }) => stepsAsNumber(unit, shownSteps(unit, now)) }),
      difference: t.float({
        description: 'Between both as they are shown (yen rounded down); the differences of the parts sum to it.',
        resolve: change => stepsAsNumber(change.unit, shownDifference(change)),
      }),
      exactDifference: t.string({
        description: 'With all decimals; the exact differences of the parts sum to it.',
        resolve: ({ unit, difference }) => exactText(unit, difference),
      }),
      sentence: t.string({ description: 'Japanese, made by rules from the parts.', resolve: changeSentence }),
      cause: t.field({
        type: Dimension,
        nullable: true,
        description:
          'The dimension that the sentence names a member of; null where the change is spread over all of them.',
        resolve: ({ difference, dimensions }) => causeOf(difference, dimensions)?.dimension ?? null,
      }),
      factors: t.field({
        type: [Part],
        description: 'Volume, rate and price, or the sums that the figure consists of.',
        resolve: ({ unit, factors }) => factors.map(part => ({ part, dimension: undefined, unit })),
      }),
      dimensions: t.field({
        type: [Breakdown],
        description: 'Only those that the viewer may see and that have rows.',
        resolve: ({ unit, dimensions }) => dimensions.map(each => ({ ...each, unit })),
      }),
      lateMedia: lateMediaField(t, types.LateMedium),
      changedTerms: field(t, {
        type: [Terms],
        nullable: true,
        description:
          'Of money: rates of agreements that were changed after the first of the compared days, the latest first, twenty at most.',
        allow: 'read:show',
        on: 'insight:payment_rate.',
        resolve: async change => [...(await change.changedTerms())],
      }),
    }),
  })
}

function partType(graph: Graph, Unit: PothosSchemaTypes.EnumRef<Types, ChangeUnit>) {
  const Kind = graph.enumType('ChangePartKind', {
    values: PART_KINDS,
    description:
      'changed, new, gone: a member · others: the members that are not listed · outside: what belongs to no member.',
  })
  return graph.objectRef<PartOf>('ChangePart').implement({
    on: 'inherits',
    fields: t => {
      const side = (name: 'before' | 'now') =>
        t.float({
          nullable: true,
          description: 'Null where there is nothing to divide by.',
          resolve: ({ part }) => {
            const value = part[name]
            return value === null ? null : stepsAsNumber(part.unit, shownSteps(part.unit, value))
          },
        })
      return {
        key: t.string({
          description: 'Unique within its list; no id, because other lists have the same keys.',
          resolve: ({ part }) => part.id,
        }),
        kind: t.field({ type: Kind, resolve: ({ part }) => part.kind }),
        label: t.string({ resolve: ({ part }) => part.label }),
        unit: t.field({ type: Unit, description: 'Of before and now.', resolve: ({ part }) => part.unit }),
        before: side('before'),
        now: side('now'),
        difference: t.float({
          description: 'In the unit of the whole, as screens show it.',
          resolve: ({ part, unit }) => stepsAsNumber(unit, part.steps),
        }),
        exactDifference: t.string({
          description: 'In the unit of the whole, with all decimals.',
          resolve: ({ part, unit }) => exactText(unit, part.difference),
        }),
        memberId: t.id({
          nullable: true,
          description:
            'Id of the article, video, section, publisher or medium; of a day, the day. Null of everything else.',
          resolve: part => memberIds(part)[0] ?? null,
        }),
        publisherId: t.id({
          nullable: true,
          description: 'Whose the article or video is.',
          resolve: part => memberIds(part)[1] ?? null,
        }),
      }
    },
  })
}

const WITH_IDS: readonly (ChangeDimension | undefined)[] = ['article', 'video', 'section', 'publisher', 'medium', 'day']

function memberIds({ part, dimension }: PartOf): readonly string[] {
  return isMember(part) && WITH_IDS.includes(dimension) ? part.id.split(':') : []
}
