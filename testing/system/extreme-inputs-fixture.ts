import type { RandomSource } from '@pc/domain/settlement/random-month.ts'
import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { Answer } from './system-under-test.ts'

/** The input of a mutation with one value at an edge of its type. */
export interface ExtremeInput {
  /** Path of the value, with dots. */
  readonly path: string
  readonly value: unknown
  readonly variables: Record<string, unknown>
}

type Path = readonly (string | number)[]

export const LONG_TEXT = 'あ'.repeat(20_000)
export const TEXTS = ['あ', ' ', '　', '𠮷', '=1+1', `<b>&"'\\`, '👩‍👩‍👧', 'שלום', 'x'.repeat(500), LONG_TEXT]
export const MONTHS = ['0001-01', '2020-12', '2099-12', '9999-12']
const EDGES: Readonly<Record<string, readonly unknown[]>> = {
  Int: [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)],
  Long: [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 10 ** 12],
  Float: [0, -0.5, 1e308, Number.MIN_VALUE],
  Boolean: [true, false],
  ID: ['0', '1', '9223372036854775807', '9223372036854775808'],
  Date: ['0001-01-01', '2020-12-01', '2024-02-29', '2099-12-31', '9999-12-31'],
  DateTime: ['0001-01-01T00:00:00Z', '2020-11-30T15:00:00Z', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-14:00'],
}

/** The input with each of its values, and each value that it omits, at each edge of its type, one at a time. */
export function extremeInputs(
  field: GraphQLField<unknown, unknown>,
  base: Readonly<Record<string, unknown>>,
): ExtremeInput[] {
  const found: ExtremeInput[] = []
  const add = (path: Path, value: unknown) =>
    found.push({ path: path.join('.'), value, variables: withValue(base, path, value) as Record<string, unknown> })
  for (const { name, type } of field.args) if (name !== 'idempotencyKey') walk(type, base[name], [name], add)
  return found
}

function walk(type: GraphQLInputType, value: unknown, path: Path, add: (path: Path, value: unknown) => void): void {
  if (isNonNullType(type)) walk(type.ofType, value, path, add)
  else if (isListType(type)) {
    add(path, [])
    if (Array.isArray(value) && value.length > 0) {
      add(path, [...value, ...value])
      walk(type.ofType, value[0], [...path, 0], add)
    }
  } else if (isInputObjectType(type)) {
    const record = value as Record<string, unknown> | undefined
    for (const field of Object.values(type.getFields()))
      walk(field.type, record?.[field.name], [...path, field.name], add)
  } else {
    const edges = isEnumType(type) ? type.getValues().map(each => each.name) : (EDGES[type.name] ?? TEXTS)
    for (const edge of edges) add(path, edge)
    if (type.name === 'String' && /month/i.test(String(path.at(-1)))) for (const month of MONTHS) add(path, month)
  }
}

function withValue(of: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  if (typeof first === 'number') {
    const list = (of ?? []) as readonly unknown[]
    return list.length > first ? list.with(first, withValue(list[first], rest, value)) : list
  }
  const record = (of ?? {}) as Record<string, unknown>
  return { ...record, [first]: withValue(record[first], rest, value) }
}

/** The value as a literal of the query text. */
function literal(type: GraphQLInputType, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (isNonNullType(type)) return literal(type.ofType, value)
  if (isListType(type)) return `[${[value].flat().map(item => literal(type.ofType, item))}]`
  if (isInputObjectType(type)) {
    const fields = Object.entries(value).filter(([, of]) => of !== undefined)
    const of = (name: string) => type.getFields()[name]?.type ?? type
    return `{${fields.map(([name, inner]) => `${name}: ${literal(of(name), inner)}`)}}`
  }
  return isEnumType(type) ? String(value) : JSON.stringify(value)
}

/** The arguments of a field as literals of the query text. */
export function literalArguments(
  field: GraphQLField<unknown, unknown>,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] {
  return field.args
    .filter(({ name }) => name in variables)
    .map(({ name, type }) => `${name}: ${literal(type, variables[name])}`)
}

/** For a refusal that names a limit: inputs with the largest and smallest allowed value of the same field. */
export function allowedEdges(answer: Answer, { path, value, variables }: ExtremeInput): ExtremeInput[] {
  const refusals = (answer.json.errors?.[0]?.extensions.refusals ?? []) as readonly { readonly data: object }[]
  const said = refusals.flatMap(({ data }) => Object.values(data ?? {}) as unknown[])
  const edges = said.flatMap((edge): unknown[] => {
    const number = Number(edge)
    if (typeof value === 'number') return Number.isSafeInteger(number) ? [number] : []
    if (typeof value !== 'string') return []
    if (/^\d{4}-\d\d(-\d\d)?$/.test(String(edge))) return [edge]
    return Number.isInteger(number) && number > 0 && number < 20_000 ? ['あ'.repeat(number), '𠮷'.repeat(number)] : []
  })
  return [...new Set(edges)].map(edge => ({
    path,
    value: edge,
    variables: withValue(variables, placesOf(path), edge) as Record<string, unknown>,
  }))
}

/** A fault, or an integer that JavaScript cannot hold exactly; undefined when a screen can show the answer. */
export function unanswered({ status, text, json }: Pick<Answer, 'status' | 'text' | 'json'>): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  const fault = json.errors?.find(error => error.extensions.code === 'INTERNAL_SERVER_ERROR')
  if (fault) return `${fault.path?.join('.')} ${text.slice(0, 300)}`
  const unsafe = [...text.matchAll(/[:[,](-?\d{16,})(?=[,}\]])/g)].find(
    ([, digits]) => !Number.isSafeInteger(Number(digits)),
  )
  return unsafe && `an integer beyond 2^53: ${text.slice(Math.max(0, unsafe.index - 200), unsafe.index + 40)}`
}

/** One input with every value at the largest that was accepted. */
export function allLargest(base: Readonly<Record<string, unknown>>, accepted: readonly ExtremeInput[]): ExtremeInput {
  const size = (value: unknown) => (typeof value === 'number' ? value : (JSON.stringify(value)?.length ?? 0))
  const variables = accepted
    .toSorted((a, b) => size(a.value) - size(b.value))
    .reduce<unknown>((all, { path, value }) => withValue(all, placesOf(path), value), base)
  return { path: 'all', value: 'largest', variables: variables as Record<string, unknown> }
}

const placesOf = (path: string): Path => path.split('.').map(part => (/^\d+$/.test(part) ? Number(part) : part))

/**
 * At most `count` of the items, chosen at random and in random order; all of them, in their order, when there are no
 * more.
 */
export function someOf<T>(random: RandomSource, all: readonly T[], count: number): readonly T[] {
  if (count >= all.length) return all
  return all
    .map(each => ({ each, at: random.below(2 ** 31) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ each }) => each)
}
