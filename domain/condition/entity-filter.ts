import { ARTICLE_LABEL_NOUNS, MAX_LABELS } from '../report/article-label.ts'
import { defineCondition } from './condition.ts'
import { ids } from './params.ts'

/**
 * What a report can be narrowed to: the parameter of an address, the argument of the API that takes its ids, and the
 * noun on screens. Conditions, query variables, boards, report emails and files all read this list.
 */
export const FILTERS = {
  mediumId: { argument: 'mediumIds', noun: '媒体' },
  organizationId: { argument: 'organizationIds', noun: '組織' },
  publisherId: { argument: 'publisherIds', noun: 'パブリッシャー' },
  feedId: { argument: 'feedIds', noun: 'フィード' },
  authorId: { argument: 'authorIds', noun: ARTICLE_LABEL_NOUNS.author },
  sectionId: { argument: 'sectionIds', noun: ARTICLE_LABEL_NOUNS.section },
  tagId: { argument: 'tagIds', noun: ARTICLE_LABEL_NOUNS.tag },
} as const
export type FilterName = keyof typeof FILTERS
export type FilterCondition = { readonly [Name in FilterName]?: readonly string[] }
type ArgumentOf<Name extends FilterName> = (typeof FILTERS)[Name]['argument']
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** The entity filter, which every report has. */
export const entityParams = { mediumId: ids(), organizationId: ids(), publisherId: ids() } as const
export type EntityName = keyof typeof entityParams
export type EntityCondition = Readonly<Record<EntityName, readonly string[]>>
export const ENTITY_NAMES = Object.keys(entityParams) as EntityName[]
export const entityCondition = defineCondition(entityParams)

/** Of articles: any of the authors, in any of the sections, with any of the tags. */
export const labelParams = { authorId: ids(MAX_LABELS), sectionId: ids(MAX_LABELS), tagId: ids(MAX_LABELS) } as const
/** What articles are narrowed to on boards. */
export const articleFilterCondition = defineCondition({ ...entityParams, ...labelParams })

/** The filters of a condition as the API takes them: no id is no restriction. */
export function filterArguments<C extends FilterCondition>(
  condition: C,
): { readonly [Name in keyof C & FilterName as ArgumentOf<Name>]?: readonly string[] } {
  const chosen = FILTER_NAMES.flatMap(name => {
    const chosenIds = condition[name] ?? []
    return chosenIds.length === 0 ? [] : [[FILTERS[name].argument, chosenIds] as const]
  })
  return Object.fromEntries(chosen) as ReturnType<typeof filterArguments<C>>
}

/** The entities of a condition, for another report; what the condition does not name is left out. */
export function entitiesOf<C extends Partial<EntityCondition>>(condition: C): Pick<C, keyof C & EntityName> {
  const entries = ENTITY_NAMES.flatMap(name => (condition[name] ? [[name, condition[name]] as const] : []))
  return Object.fromEntries(entries) as Pick<C, keyof C & EntityName>
}

type EntityArguments = { readonly [Name in EntityName as ArgumentOf<Name>]: readonly string[] }

/** Arguments of the API as a condition: a list that is absent or null does not restrict. */
export function entityConditionOf(
  given: {
    readonly [Argument in keyof EntityArguments]?: readonly string[] | null | undefined
  },
): EntityCondition {
  return Object.fromEntries(ENTITY_NAMES.map(name => [name, given[FILTERS[name].argument] ?? []])) as EntityCondition
}

/** The filters of arguments as a condition, without those that are not there. */
export function filterConditionOf(
  given: {
    readonly [Name in FilterName as ArgumentOf<Name>]?: readonly string[]
  },
): FilterCondition {
  const entries = FILTER_NAMES.flatMap(name => {
    const chosenIds = given[FILTERS[name].argument]
    return chosenIds === undefined ? [] : [[name, chosenIds] as const]
  })
  return Object.fromEntries(entries)
}

/** The entities as arguments, with the empty lists. */
export function entityArgumentsOf(condition: EntityCondition): EntityArguments {
  return Object.fromEntries(ENTITY_NAMES.map(name => [FILTERS[name].argument, condition[name]])) as EntityArguments
}

export function hasFilter(condition: FilterCondition): boolean {
  return FILTER_NAMES.some(name => (condition[name] ?? []).length > 0)
}

/** 媒体1件・パブリッシャー2件; empty where nothing is filtered. */
export function filterCountsText(condition: FilterCondition): string {
  return FILTER_NAMES.flatMap(name => {
    const { length } = condition[name] ?? []
    return length === 0 ? [] : [`${FILTERS[name].noun}${length}件`]
  }).join('・')
}
