import { ARTICLE_LABEL_KINDS, ARTICLE_LABEL_NOUNS } from '../report/article-label.ts'
import { defineCondition } from './condition.ts'
import {
  type ArgumentOf,
  ENTITY_NAMES,
  type EntityCondition,
  type EntityName,
  entityParams,
  FILTER_NAMES,
  FILTERS,
  type FilterCondition,
  type FilteredReport,
  type FilterName,
  REPORT_FILTERS,
} from './entity-filter.ts'

// Nouns, conditions and conversions of the filters, for boards, files and report emails. Apart from `entity-filter.ts`, so that the
// first load of the console does not carry them.

/** The entity filter alone. */
export const entityCondition = defineCondition(entityParams)

/** The filter of each report alone, as its tiles name it. */
export const FILTER_CONDITIONS = {
  dashboard: defineCondition(REPORT_FILTERS.dashboard),
  ranking: defineCondition(REPORT_FILTERS.ranking),
  articles: defineCondition(REPORT_FILTERS.articles),
  videos: defineCondition(REPORT_FILTERS.videos),
} as const satisfies Record<FilteredReport, unknown>

type EntityArguments = { readonly [Name in EntityName as ArgumentOf<Name>]: readonly string[] }

/** Arguments of the API as a condition: a list that is absent or null does not restrict. */
export function entityConditionOf(
  given: {
    readonly [Argument in keyof EntityArguments]?: readonly string[] | null | undefined
  },
): EntityCondition {
  return Object.fromEntries(ENTITY_NAMES.map(name => [name, given[FILTERS[name]] ?? []])) as EntityCondition
}

/** Arguments of the API as a condition that names only the filters that were given. */
export function filterConditionOf(
  given: {
    readonly [Name in FilterName as ArgumentOf<Name>]?: readonly string[]
  },
): FilterCondition {
  const entries = FILTER_NAMES.flatMap(name => {
    const chosenIds = given[FILTERS[name]]
    return chosenIds === undefined ? [] : [[name, chosenIds] as const]
  })
  return Object.fromEntries(entries)
}

/** The entities as arguments of the API. Unlike `filterArguments`, it keeps empty lists. */
export function entityArgumentsOf(condition: EntityCondition): EntityArguments {
  return Object.fromEntries(ENTITY_NAMES.map(name => [FILTERS[name], condition[name]])) as EntityArguments
}

export const FILTER_NOUNS: Readonly<Record<FilterName, string>> = {
  mediumId: '媒体',
  organizationId: '組織',
  publisherId: 'パブリッシャー',
  feedId: 'フィード',
  authorId: ARTICLE_LABEL_NOUNS.author,
  sectionId: ARTICLE_LABEL_NOUNS.section,
  tagId: ARTICLE_LABEL_NOUNS.tag,
}

/**
 * 媒体1件・パブリッシャー2件; empty where nothing is filtered.
 * Tested by `domain/condition/entity-filter.test.ts`.
 */
export function filterCountsText(condition: FilterCondition): string {
  return FILTER_NAMES.flatMap(name => {
    const { length } = condition[name] ?? []
    return length === 0 ? [] : [`${FILTER_NOUNS[name]}${length}件`]
  }).join('・')
}

/** Whether only articles with certain labels count. */
export function hasLabels(condition: FilterCondition): boolean {
  return ARTICLE_LABEL_KINDS.some(kind => (condition[`${kind}Id`] ?? []).length > 0)
}

export function hasFilter(condition: FilterCondition): boolean {
  return countFilters(condition) > 0
}

/** The number of filters with at least one value. */
export function countFilters(condition: FilterCondition): number {
  return FILTER_NAMES.filter(name => (condition[name] ?? []).length > 0).length
}
