import { MAX_LABELS } from '../report/article-label.ts'
import { ids } from './params.ts'

// Two families of names: entity… covers media, organisations and publishers only, as in report emails; filter… also covers
// feeds and labels (author, section, tag).

/**
 * What a report can be narrowed to: the parameter of an address, and the argument of the API that takes its ids. Conditions,
 * query variables, boards and files read this list; its nouns are in `filter-conversions.ts`.
 */
export const FILTERS = {
  mediumId: 'mediumIds',
  organizationId: 'organizationIds',
  publisherId: 'publisherIds',
  feedId: 'feedIds',
  authorId: 'authorIds',
  sectionId: 'sectionIds',
  tagId: 'tagIds',
} as const
export type FilterName = keyof typeof FILTERS
export type FilterCondition = { readonly [Name in FilterName]?: readonly string[] }
export type ArgumentOf<Name extends FilterName> = (typeof FILTERS)[Name]
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** The entity filter, which every report has. */
export const entityParams = { mediumId: ids(), organizationId: ids(), publisherId: ids() } as const
export type EntityName = keyof typeof entityParams
export type EntityCondition = Readonly<Record<EntityName, readonly string[]>>
export const ENTITY_NAMES = Object.keys(entityParams) as EntityName[]

/** Labels of articles: any of the authors, in any of the sections, with any of the tags. */
export type LabelParam = keyof typeof labelParams
const labelParams = { authorId: ids(MAX_LABELS), sectionId: ids(MAX_LABELS), tagId: ids(MAX_LABELS) } as const

/**
 * What each report can be narrowed to: its address, argument, control, tile and file follow from this. With labels, a report
 * of publishers sums the articles that carry them, and says so (docs/adr/0086).
 */
export const REPORT_FILTERS = {
  dashboard: entityParams,
  ranking: { ...entityParams, sectionId: labelParams.sectionId },
  articles: { ...entityParams, ...labelParams },
  videos: entityParams,
} as const
export type FilteredReport = keyof typeof REPORT_FILTERS

/** The filters of a condition as the API takes them: no id is no restriction. */
export function filterArguments<C extends FilterCondition>(
  condition: C,
): { readonly [Name in keyof C & FilterName as ArgumentOf<Name>]?: readonly string[] } {
  const chosen = FILTER_NAMES.flatMap(name => {
    const chosenIds = condition[name] ?? []
    return chosenIds.length === 0 ? [] : [[FILTERS[name], chosenIds] as const]
  })
  return Object.fromEntries(chosen) as ReturnType<typeof filterArguments<C>>
}

/** The entities of a condition, for another report; what the condition does not name is left out. */
export function entitiesOf<C extends Partial<EntityCondition>>(condition: C): Pick<C, keyof C & EntityName> {
  const entries = ENTITY_NAMES.flatMap(name => (condition[name] ? [[name, condition[name]] as const] : []))
  return Object.fromEntries(entries) as Pick<C, keyof C & EntityName>
}
