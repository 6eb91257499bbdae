import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql'

/** The most items of a list argument, unless its declaration sets `extensions: { maxItems }`. */
const MAX_LIST_ITEMS = 1_000

type Path = readonly (string | number)[]
type Declared = Pick<GraphQLArgument | GraphQLInputField, 'type' | 'extensions'>
type Broken = Refusal<'input/too-many-items'>

export function hasLists(args: readonly GraphQLArgument[]): boolean {
  const seen = new Set<GraphQLInputType>()
  const contains = (type: GraphQLInputType): boolean => {
    if (isListType(getNullableType(type))) return true
    const named = getNamedType(type)
    if (!isInputObjectType(named) || seen.has(named)) return false
    seen.add(named)
    return Object.values(named.getFields()).some(field => contains(field.type))
  }
  return args.some(arg => contains(arg.type))
}

/**
 * The arguments with duplicates removed: lists of scalars and enums are sets, the first of equal items stays. Lists
 * that are too long are added to `broken`.
 */
export function readLists(
  args: readonly GraphQLArgument[],
  given: Readonly<Record<string, unknown>>,
  broken: Broken[],
): Record<string, unknown> {
  const read = { ...given }
  for (const arg of args) {
    if (Object.hasOwn(given, arg.name)) read[arg.name] = readValue(arg, arg.type, given[arg.name], [arg.name], broken)
  }
  return read
}

function readValue(declared: Declared, type: GraphQLInputType, value: unknown, path: Path, broken: Broken[]): unknown {
  if (value === null || value === undefined) return value
  const inner = getNullableType(type)
  if (isListType(inner)) return readList(declared, inner.ofType, value as readonly unknown[], path, broken)
  if (!isInputObjectType(inner)) return value
  const read = { ...(value as Record<string, unknown>) }
  for (const field of Object.values(inner.getFields())) {
    if (Object.hasOwn(read, field.name))
      read[field.name] = readValue(field, field.type, read[field.name], [...path, field.name], broken)
  }
  return read
}

function readList(
  declared: Declared,
  type: GraphQLInputType,
  items: readonly unknown[],
  path: Path,
  broken: Broken[],
): readonly unknown[] {
  const { maxItems = MAX_LIST_ITEMS } = declared.extensions as { readonly maxItems?: number }
  if (isLeafType(getNullableType(type))) {
    const seen = new Set<unknown>()
    const isId = getNamedType(type).name === 'ID'
    const distinct = items.filter(item => seen.size < seen.add(isId ? idOf(item) : item).size)
    if (distinct.length > maxItems) broken.push(refusal('input/too-many-items', path, { max: maxItems }))
    return distinct
  }
  if (items.length > maxItems) {
    broken.push(refusal('input/too-many-items', path, { max: maxItems }))
    return []
  }
  return items.map((item, place) => readValue(declared, type, item, [...path, place], broken))
}

/** Normalises an id, because one id can be spelled in several ways: `7` and `007`, a UUID in capitals. */
function idOf(value: unknown): string {
  return String(value)
    .replace(/^0+(?=\d+$)/, '')
    .toLowerCase()
}
