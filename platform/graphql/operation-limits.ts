import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql'
import { MAX_JSON_DEPTH } from '../http/parse-json.ts'
import { MAX_PAGE_SIZE } from './list-arguments.ts'

/** Limits of one operation, checked before execution. */
export const LIMITS = {
  /** Length of the document: ten times that of our longest screen. Long values belong into variables. */
  characters: 32_000,
  /** Also limits comments, which the parser counts as tokens. */
  tokens: 2_000,
  /** Nesting of lists and objects in values, the same as for variables. */
  valueDepth: MAX_JSON_DEPTH,
  depth: 12,
  /** Introspection queries are deep by nature, and only people with a role may send them. */
  introspectionDepth: 20,
  fields: 400,
  /**
   * Fragment spreads, each counted as often as it is used. Unknown fragments count too, because validation looks at
   * each.
   */
  spreads: 60,
  aliases: 30,
  directives: 30,
  rootFields: 15,
  /** Sum over all fields of the rows that they are read for. */
  cost: 150_000,
} as const

const NOTHING: Totals = { depth: 0, ownFields: 0, fields: 0, spreads: 0, aliases: 0, directives: 0, cost: 0 }

/** Assumed rows of a nested list without a `limit` argument. */
const ASSUMED_ROWS = 10
const ENDLESS = Number.MAX_SAFE_INTEGER

interface Totals {
  readonly depth: number
  /** Root fields, including those inside fragments. */
  readonly ownFields: number
  readonly fields: number
  readonly spreads: number
  readonly aliases: number
  readonly directives: number
  readonly cost: number
}

/** `reason` is a stable code for programs; `message` tells people what to do. */
interface BrokenLimit {
  readonly reason: string
  readonly message: string
}

/**
 * The first limit that the operation breaks; undefined: none. A fragment counts as often as it is spread but is walked
 * once for each number of rows, so the check takes linear time.
 */
export function brokenLimit(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  limits: { readonly [Name in keyof typeof LIMITS]: number } = LIMITS,
): BrokenLimit | undefined {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const walk = new OperationWalk(document, operation, variables)
  const totals = walk.selections(operation.selectionSet, root ?? undefined, undefined, false)
  if (totals.depth > LIMITS.depth && !(walk.isIntrospection && totals.depth <= LIMITS.introspectionDepth)) {
    return broken('too-deep', '階層', LIMITS.depth, '入れ子を減らすか、分けて送信してください。')
  }
  if (totals.fields > LIMITS.fields) return broken('too-many-fields', '項目', LIMITS.fields)
  if (totals.spreads > LIMITS.spreads) return broken('too-many-spreads', 'フラグメントの展開', LIMITS.spreads)
  if (totals.aliases > LIMITS.aliases) return broken('too-many-aliases', '別名（alias）', LIMITS.aliases)
  if (totals.directives + (operation.directives?.length ?? 0) > LIMITS.directives) {
    return broken('too-many-directives', 'ディレクティブ', LIMITS.directives)
  }
  if (totals.ownFields > LIMITS.rootFields) {
    return broken('too-many-root-fields', 'はじめの階層の項目', LIMITS.rootFields)
  }
  if (totals.cost > limits.cost)
    return broken(
      'too-much',
      '一度に求める量（項目の数×件数）',
      limits.cost,
      'limit を小さくするか、項目を減らしてください。',
    )
  return undefined
}

/** Names of the variables used as `limit` anywhere in the document. No other variable affects {@link brokenLimit}. */
export function limitVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  visit(document, {
    Argument({ name, value }) {
      if (name.value === 'limit' && value.kind === 'Variable') names.add(value.name.value)
    },
  })
  return [...names]
}

function broken(
  reason: string,
  what: string,
  most: number,
  hint = '数を減らすか、分けて送信してください。',
): BrokenLimit {
  return { reason, message: `クエリの${what}が上限（${most.toLocaleString('ja-JP')}）を超えています。${hint}` }
}

class OperationWalk {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: Readonly<Record<string, unknown>>
  readonly #defaults: ReadonlyMap<string, number | undefined>
  readonly #known = new Map<string, Totals>()
  readonly #open = new Set<string>()
  isIntrospection = false

  constructor(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#variables = variables
    this.#defaults = new Map(
      operation.variableDefinitions?.map(one => [one.variable.name.value, numberIn(one.defaultValue)]),
    )
    this.#fragments = new Map(
      document.definitions.flatMap(one => (one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [])),
    )
  }

  /**
   * `rows`: the limit of an ancestor field that is no list itself (a page object) and applies to the list inside it.
   */
  selections(
    set: SelectionSetNode,
    type: GraphQLOutputType | undefined,
    rows: number | undefined,
    inMeta: boolean,
  ): Totals {
    let { depth, ownFields, fields, spreads, aliases, directives, cost } = NOTHING
    for (const selection of set.selections) {
      let inner: Totals
      if (selection.kind === 'Field') inner = this.#field(selection, type, rows, inMeta)
      else if (selection.kind === 'InlineFragment') inner = this.selections(selection.selectionSet, type, rows, inMeta)
      else inner = this.#spread(selection.name.value, type, rows, inMeta)
      depth = Math.max(depth, inner.depth)
      ownFields = Math.min(ENDLESS, ownFields + inner.ownFields)
      fields = Math.min(ENDLESS, fields + inner.fields)
      spreads = Math.min(ENDLESS, spreads + inner.spreads + (selection.kind === 'FragmentSpread' ? 1 : 0))
      aliases = Math.min(ENDLESS, aliases + inner.aliases)
      directives = Math.min(ENDLESS, directives + inner.directives + (selection.directives?.length ?? 0))
      cost = Math.min(ENDLESS, cost + inner.cost)
    }
    return { depth, ownFields, fields, spreads, aliases, directives, cost }
  }

  #field(node: FieldNode, parent: GraphQLOutputType | undefined, rows: number | undefined, inMeta: boolean): Totals {
    const isMeta = inMeta || node.name.value === '__schema' || node.name.value === '__type'
    if (isMeta) this.isIntrospection = true
    const named = parent && getNamedType(parent)
    const definition = isObjectType(named) ? named.getFields()[node.name.value] : undefined
    const isList = definition !== undefined && isListType(getNullableType(definition.type))
    const limit = this.#limitOf(node, definition)
    const times = isList ? (limit ?? rows ?? ASSUMED_ROWS) : 1
    const { ownCost = 1 } = { ...definition?.extensions } as { readonly ownCost?: number }
    const inner = node.selectionSet
      ? this.selections(node.selectionSet, definition?.type, isList ? undefined : (limit ?? rows), isMeta)
      : NOTHING
    return {
      depth: inner.depth + 1,
      ownFields: 1,
      fields: inner.fields + 1,
      spreads: inner.spreads,
      aliases: inner.aliases + (node.alias ? 1 : 0),
      directives: inner.directives,
      cost: Math.min(ENDLESS, times * (inner.cost + ownCost)),
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

  /**
   * How many rows the resolver will read: the given `limit`, or else the default of the variable, of the schema, or of
   * the resolver (`maxRows`). Undefined: the field has no limit argument.
   */
  #limitOf(node: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): number | undefined {
    const declared = definition?.args.find(one => one.name === 'limit')
    const value = node.arguments?.find(one => one.name.value === 'limit')?.value
    if (!declared && !value) return undefined
    const given = value && this.#valueOf(value)
    if (typeof given === 'number') return given > 0 ? given : ASSUMED_ROWS // refused before a row is read
    const { maxRows = MAX_PAGE_SIZE } = { ...definition?.extensions } as { readonly maxRows?: number }
    return defaultOf(declared) ?? maxRows
  }

  #valueOf(value: ValueNode): unknown {
    if (value.kind !== 'Variable') return numberIn(value)
    const name = value.name.value
    return Object.hasOwn(this.#variables, name) ? this.#variables[name] : this.#defaults.get(name)
  }
}

function defaultOf(declared: GraphQLArgument | undefined): number | undefined {
  const usual = declared?.default
  const value = usual?.literal ? numberIn(usual.literal) : (usual?.value ?? declared?.defaultValue)
  return typeof value === 'number' ? value : undefined
}

function numberIn(value: ValueNode | undefined): number | undefined {
  return value?.kind === 'IntValue' ? Number(value.value) : undefined
}
