import { ENTITY_NAMES, type EntityCondition, type EntityName, FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Types } from '@pc/platform/graphql/field.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import type { EntityFilter } from './report-scope.ts'

export type IdTexts = readonly string[] | null | undefined
/** A list that is absent or null does not restrict; an empty one matches nothing. */
export type EntityArguments = { readonly [Argument in keyof EntityFilter]?: IdTexts }

const MAX_IDS = 1000
const ID = /^[1-9]\d{0,17}$/

/** The arguments of the entity filter, for the input of every report. */
export function entityInputFields(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) {
  return { mediumIds: t.idList(), organizationIds: t.idList(), publisherIds: t.idList() }
}

/** The ids of a saved filter, for the type that shows it. */
export function entityIdFields<Row>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  conditionOf: (row: Row) => EntityCondition,
) {
  const ids = (name: EntityName) => t.idList({ resolve: row => [...conditionOf(row)[name]] })
  return { mediumIds: ids('mediumId'), organizationIds: ids('organizationId'), publisherIds: ids('publisherId') }
}

/** @param path of the input, for the refusals that are added */
export function parseEntityFilter(
  given: EntityArguments,
  path: readonly string[],
  refusals: Refusal<RefusalCode>[],
  max = MAX_IDS,
): EntityFilter {
  return byArgument(name => {
    const argument = FILTERS[name]
    return readIds(given[argument], [...path, argument], refusals, max)
  })
}

/** Of a report without a range of its own. @throws the refusals of what is no list of ids */
export function readEntityFilter(param: EntityArguments | null | undefined): EntityFilter {
  const refusals: Refusal<RefusalCode>[] = []
  const filter = parseEntityFilter(param ?? {}, ['param'], refusals)
  if (refusals.length > 0) throw refusalError(refusals)
  return filter
}

/** The filter of a condition, whose ids are known to be ids. */
export function entityFilterOf(condition: EntityCondition): EntityFilter {
  return byArgument(name => (condition[name].length === 0 ? undefined : condition[name].map(BigInt)))
}

function byArgument(idsOf: (name: EntityName) => readonly bigint[] | undefined): EntityFilter {
  return Object.fromEntries(ENTITY_NAMES.map(name => [FILTERS[name], idsOf(name)])) as EntityFilter
}

/** Undefined: not restricted, or refused. @param path of the argument, for the refusals that are added */
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
