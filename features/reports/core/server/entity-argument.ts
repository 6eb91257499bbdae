import {
  type ArgumentOf,
  ENTITY_NAMES,
  type EntityCondition,
  type EntityName,
  FILTERS,
  type FilteredReport,
  type FilterName,
  REPORT_FILTERS,
} from '@pc/domain/condition/entity-filter.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ARTICLE_LABEL_KINDS, type ArticleLabelFilter, MAX_LABELS } from '@pc/domain/report/article-label.ts'
import type { Types } from '@pc/platform/graphql/field.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import type { EntityFilter, EntityIds } from './report-scope.ts'

export type IdTexts = readonly string[] | null | undefined
/** Id arguments of the entity filter. An absent or null list does not restrict; an empty one matches nothing. */
export type EntityArguments = { readonly [Name in Exclude<FilterName, 'feedId'> as ArgumentOf<Name>]?: IdTexts }

const MAX_IDS = 1000
const ID = /^[1-9]\d{0,17}$/

type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>

function idInputs<Name extends FilterName>(t: InputFields, names: readonly Name[]) {
  return Object.fromEntries(names.map(name => [FILTERS[name], t.idList()])) as {
    [Each in Name as ArgumentOf<Each>]: ReturnType<typeof t.idList>
  }
}

/** The arguments of the entity filter, for inputs without other filters. */
export const entityInputFields = (t: InputFields) => idInputs(t, ENTITY_NAMES)

/** The filter arguments of a report's input, from `REPORT_FILTERS`. */
export function filterInputFields<Report extends FilteredReport>(t: InputFields, report: Report) {
  return idInputs(t, Object.keys(REPORT_FILTERS[report]) as (keyof (typeof REPORT_FILTERS)[Report] & FilterName)[])
}

/** Output fields with the ids of a saved filter. */
export function entityIdFields<Row>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  conditionOf: (row: Row) => EntityCondition,
) {
  const ids = (name: EntityName) => t.idList({ resolve: row => [...conditionOf(row)[name]] })
  return Object.fromEntries(ENTITY_NAMES.map(name => [FILTERS[name], ids(name)])) as {
    [Name in EntityName as ArgumentOf<Name>]: ReturnType<typeof ids>
  }
}

/** Adds to `refusals` what is not a list of ids. @param path of the input, for those refusals */
export function parseEntityFilter(
  given: EntityArguments,
  path: readonly string[],
  refusals: Refusal<RefusalCode>[],
  max = MAX_IDS,
): EntityFilter {
  const entities = byArgument(name => {
    const argument = FILTERS[name]
    return readIds(given[argument], [...path, argument], refusals, max)
  })
  const labels = readLabels(given, path, refusals)
  return labels ? { ...entities, labels } : entities
}

function readLabels(
  given: EntityArguments,
  path: readonly string[],
  refusals: Refusal<RefusalCode>[],
): ArticleLabelFilter<bigint> | undefined {
  const read = ARTICLE_LABEL_KINDS.map(kind => {
    const name = FILTERS[`${kind}Id`]
    const ids = readIds(given[name], [...path, name], refusals)
    if (ids && ids.length > MAX_LABELS) {
      refusals.push(refusal('report/too-many-ids', [...path, name], { max: MAX_LABELS }))
    }
    return [kind, ids] as const
  })
  const known = read.filter(([, ids]) => ids !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

/** For reports without a range. @throws the refusals when an argument is not a list of ids */
export function readEntityFilter(param: EntityArguments | null | undefined): EntityFilter {
  const refusals: Refusal<RefusalCode>[] = []
  const filter = parseEntityFilter(param ?? {}, ['param'], refusals)
  if (refusals.length > 0) throw refusalError(refusals)
  return filter
}

/** The filter of a parsed condition, whose ids are valid and need no check. An empty list does not restrict. */
export function entityFilterOf(condition: EntityCondition): EntityFilter {
  return byArgument(name => (condition[name].length === 0 ? undefined : condition[name].map(BigInt)))
}

function byArgument(idsOf: (name: EntityName) => readonly bigint[] | undefined): EntityIds {
  return Object.fromEntries(ENTITY_NAMES.map(name => [FILTERS[name], idsOf(name)])) as EntityIds
}

/** Undefined: not restricted, or invalid, which adds to `refusals`. @param path of the argument, for the refusal */
export function readIds(
  given: IdTexts,
  path: readonly string[],
  refusals: Refusal<RefusalCode>[],
  max = MAX_IDS,
): readonly bigint[] | undefined {
  if (!given) return undefined
  if (!given.every(id => ID.test(id))) refusals.push(refusal('id/not-a-number', path))
  else if (given.length > max) refusals.push(refusal('report/too-many-ids', path, { max }))
  else return [...new Set(given)].map(BigInt)
  return undefined
}
