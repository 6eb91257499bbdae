import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { MAX_JSON_DEPTH } from '../http/parse-json.ts'

/** What one operation may ask for; checked before anything runs. */
export const LIMITS = {
  /** Of the text: ten times the longest of our own screens. What is long belongs into variables. */
  characters: 32_000,
  /** And as many comments. */
  tokens: 2_000,
  /** Lists and objects in values, as in the variables. */
  valueDepth: MAX_JSON_DEPTH,
  depth: 12,
  /** Introspection is deep by nature, and only people with a role may ask for it. */
  introspectionDepth: 20,
  fields: 400,
  aliases: 30,
  directives: 30,
  rootFields: 15,
  /** Fields times the rows they are asked for. */
  cost: 150_000,
} as const

const NOTHING: Totals = { depth: 0, ownFields: 0, fields: 0, aliases: 0, directives: 0, cost: 0 }

/** Rows that a list without a limit argument is assumed to have. */
const ASSUMED_ROWS = 10
const ENDLESS = Number.MAX_SAFE_INTEGER

interface Totals {
  readonly depth: number
  /** At the first level, those of fragments among them. */
  readonly ownFields: number
  readonly fields: number
  readonly aliases: number
  readonly directives: number
  readonly cost: number
}

/** Which limit, by a code that stays the same, and what to do. */
interface BrokenLimit {
  readonly reason: string
  readonly message: string
}

/**
 * The first limit that the operation breaks; undefined when it is within all of them.
 * Fragments count as often as they are used, and each is walked once, so the check itself is linear.
 */
export function brokenLimit(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): BrokenLimit | undefined {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const walk = new OperationWalk(document, variables)
  const totals = walk.selections(operation.selectionSet, root ?? undefined, undefined, false)
  if (totals.depth > LIMITS.depth && !(walk.isIntrospection && totals.depth <= LIMITS.introspectionDepth)) {
    return broken('too-deep', '階層', LIMITS.depth, '入れ子を減らすか、分けて送信してください。')
  }
  if (totals.fields > LIMITS.fields) return broken('too-many-fields', '項目', LIMITS.fields)
  if (totals.aliases > LIMITS.aliases) return broken('too-many-aliases', '別名（alias）', LIMITS.aliases)
  if (totals.directives + (operation.directives?.length ?? 0) > LIMITS.directives) {
    return broken('too-many-directives', 'ディレクティブ', LIMITS.directives)
  }
  if (totals.ownFields > LIMITS.rootFields) {
    return broken('too-many-root-fields', 'はじめの階層の項目', LIMITS.rootFields)
  }
  if (totals.cost > LIMITS.cost)
    return broken(
      'too-much',
      '一度に求める量（項目の数×件数）',
      LIMITS.cost,
      'limit を小さくするか、項目を減らしてください。',
    )
  return undefined
}

function broken(
  reason: string,
  what: string,
  most: number,
  hint = '数を減らすか、分けて送信してください。',
): BrokenLimit {
  return { reason, message: `問い合わせの${what}が上限（${most.toLocaleString('ja-JP')}）を超えています。${hint}` }
}

class OperationWalk {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: Readonly<Record<string, unknown>>
  readonly #known = new Map<string, Totals>()
  readonly #open = new Set<string>()
  isIntrospection = false

  constructor(document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
    this.#variables = variables
    this.#fragments = new Map(
      document.definitions.flatMap(one => (one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [])),
    )
  }

  /** `rows`: how many rows the list inside was asked for, when the field above has a limit argument. */
  selections(
    set: SelectionSetNode,
    type: GraphQLOutputType | undefined,
    rows: number | undefined,
    inMeta: boolean,
  ): Totals {
    let { depth, ownFields, fields, aliases, directives, cost } = NOTHING
    for (const selection of set.selections) {
      let inner: Totals
      if (selection.kind === 'Field') inner = this.#field(selection, type, rows, inMeta)
      else if (selection.kind === 'InlineFragment') inner = this.selections(selection.selectionSet, type, rows, inMeta)
      else inner = this.#spread(selection.name.value, type, rows, inMeta)
      depth = Math.max(depth, inner.depth)
      ownFields = Math.min(ENDLESS, ownFields + inner.ownFields)
      fields = Math.min(ENDLESS, fields + inner.fields)
      aliases = Math.min(ENDLESS, aliases + inner.aliases)
      directives = Math.min(ENDLESS, directives + inner.directives + (selection.directives?.length ?? 0))
      cost = Math.min(ENDLESS, cost + inner.cost)
    }
    return { depth, ownFields, fields, aliases, directives, cost }
  }

  #field(node: FieldNode, parent: GraphQLOutputType | undefined, rows: number | undefined, inMeta: boolean): Totals {
    const isMeta = inMeta || node.name.value === '__schema' || node.name.value === '__type'
    if (isMeta) this.isIntrospection = true
    const named = parent && getNamedType(parent)
    const definition = isObjectType(named) ? named.getFields()[node.name.value] : undefined
    const isList = definition !== undefined && isListType(getNullableType(definition.type))
    const times = isList ? (rows ?? ASSUMED_ROWS) : 1
    const limit = this.#limitOf(node)
    const inner = node.selectionSet
      ? this.selections(node.selectionSet, definition?.type, limit ?? (isList ? undefined : rows), isMeta)
      : NOTHING
    return {
      depth: inner.depth + 1,
      ownFields: 1,
      fields: inner.fields + 1,
      aliases: inner.aliases + (node.alias ? 1 : 0),
      directives: inner.directives,
      cost: Math.min(ENDLESS, times * (inner.cost + 1)),
    }
  }

  #spread(name: string, type: GraphQLOutputType | undefined, rows: number | undefined, inMeta: boolean): Totals {
    const fragment = this.#fragments.get(name)
    if (!fragment || this.#open.has(name)) return NOTHING // unknown and circular ones are for validation to report
    const key = `${name} ${rows ?? ''}`
    const known = this.#known.get(key)
    if (known) return known
    this.#open.add(name)
    const totals = this.selections(fragment.selectionSet, type, rows, inMeta)
    this.#open.delete(name)
    this.#known.set(key, totals)
    return totals
  }

  #limitOf(node: FieldNode): number | undefined {
    const value = node.arguments?.find(argument => argument.name.value === 'limit')?.value
    if (value === undefined) return undefined
    const given =
      value.kind === 'Variable'
        ? this.#variables[value.name.value]
        : value.kind === 'IntValue'
          ? Number(value.value)
          : 0
    return typeof given === 'number' && given > 0 ? given : ASSUMED_ROWS
  }
}
