import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { ruleOf } from './finish-graph.ts'
import type { GraphContext } from './graph.ts'
import { demandPermit, demandPerson } from './guard.ts'
import { brokenLimit, LIMITS, limitVariables } from './operation-limits.ts'

export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

export interface PreparedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
}
export type Preparation =
  | { readonly ok: true; readonly value: PreparedOperation }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] }

/** A document that was executed before is neither parsed nor validated again. */
interface KnownDocument {
  readonly document: DocumentNode
  readonly introspects: boolean
  readonly bytes: number
  readonly limitVariables: readonly string[]
  /**
   * {@link limitsKey} of the last request that passed the limits. Most requests of a screen have the same key and skip
   * the check.
   */
  withinLimits: string
}

/** Memory limit of the document cache. The 237 operations of our own screens take about half of it. */
export const MAX_KNOWN_BYTES = 16 * 1024 * 1024
/**
 * Estimated memory of a token with its nodes, measured with the most expensive documents (fields without arguments).
 */
const BYTES_PER_TOKEN = 450
/** Only the first validation errors are answered: more help nobody and cost us time. */
const MAX_ERRORS = 5

/** Turns request texts into operations that may run. It checks syntax, then limits, then the rules of the schema. */
export class OperationPreparer {
  readonly #schema: GraphQLSchema
  readonly #known = new Map<string, KnownDocument>()
  #knownBytes = 0

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** Estimated bytes of all cached documents. */
  get knownBytes(): number {
    return this.#knownBytes
  }

  prepare(request: GraphqlRequest, context: GraphContext): Preparation {
    const { query } = request
    const known = this.#known.get(query)
    const document = known?.document ?? parseWithinLimits(query)
    if (document instanceof GraphQLError) return refused(document)
    const operations = document.definitions.filter(one => one.kind === 'OperationDefinition')
    const operation =
      request.operationName === undefined
        ? operations.length === 1 && operations[0]
        : operations.find(one => one.name?.value === request.operationName)
    if (!operation)
      return refused(
        badRequest('operation-unclear', '実行するクエリが決まりません。"operationName" で名前を1つ指定してください。'),
      )
    if (operation.operation === 'subscription')
      return refused(
        badRequest('no-subscriptions', 'subscription には対応していません。query か mutation で送信してください。'),
      )
    const key = limitsKey(known?.limitVariables ?? limitVariables(document), request)
    const isWithin = known?.withinLimits === key
    const limit = isWithin ? undefined : brokenLimit(this.#schema, document, operation, request.variables)
    if (limit) return refused(badRequest(limit.reason, limit.message))
    const errors = known ? [] : this.#validate(document)
    if (errors.length > 0)
      return { ok: false, errors: [accessErrorOf(this.#schema, document, operation, context) ?? errors].flat() }
    const introspects = known?.introspects ?? this.#introspects(document)
    if (introspects && !hasRole(context))
      return refused(
        badRequest(
          'introspection-needs-role',
          'スキーマの一覧（イントロスペクション）を取得するには、ロールのあるユーザーのサインインか、APIキーが必要です。',
        ),
      )
    if (known) known.withinLimits = key
    this.#keep(query, known ?? newlyKnown(query, document, introspects, key), context)
    return { ok: true, value: { document, operation } }
  }

  /** Caches valid documents of signed-in callers only: anonymous requests could otherwise evict all others. */
  #keep(query: string, document: KnownDocument, context: GraphContext): void {
    if (context.viewer === null) return
    this.#forget(query)
    this.#known.set(query, document) // a Map keeps insertion order, so the first key is the least recently used
    this.#knownBytes += document.bytes
    for (const oldest of this.#known.keys()) {
      if (this.#knownBytes <= MAX_KNOWN_BYTES) break
      this.#forget(oldest)
    }
  }

  #forget(query: string): void {
    this.#knownBytes -= this.#known.get(query)?.bytes ?? 0
    this.#known.delete(query)
  }

  #validate(document: DocumentNode): readonly GraphQLError[] {
    return validate(this.#schema, document, specifiedRules, { maxErrors: MAX_ERRORS, hideSuggestions: true })
  }

  #introspects(document: DocumentNode): boolean {
    return validate(this.#schema, document, [NoSchemaIntrospectionCustomRule], { maxErrors: 1 }).length > 0
  }
}

function newlyKnown(query: string, document: DocumentNode, introspects: boolean, withinLimits: string): KnownDocument {
  const bytes = bytesOf(query, document)
  return { document, introspects, bytes, limitVariables: limitVariables(document), withinLimits }
}

/** Equal keys: the same limits apply to both requests of one document. Only numeric variables count as limits. */
function limitsKey(names: readonly string[], { operationName = '', variables }: GraphqlRequest): string {
  const sent = (name: string) => {
    const value = variables[name]
    if (typeof value === 'number') return value
    return Object.hasOwn(variables, name) ? 'none' : 'default'
  }
  return [operationName, ...names.map(sent)].join(' ')
}

/**
 * Checks the length before parsing, so that an oversized document costs nothing. Locations are kept for error messages.
 */
function parseWithinLimits(query: string): DocumentNode | GraphQLError {
  if (query.length > LIMITS.characters)
    return badRequest(
      'too-long',
      `クエリの文字数が上限（${LIMITS.characters.toLocaleString('ja-JP')}文字）を超えています。長い値は "variables" に入れ、項目を減らすか、分けて送信してください。`,
    )
  try {
    const document = parse(query, { maxLexicalTokens: LIMITS.tokens, maxComments: LIMITS.tokens })
    if (depthOfValues(document) <= LIMITS.valueDepth) return document
    return badRequest(
      'value-too-deep',
      `クエリに書かれた値の入れ子が上限（${LIMITS.valueDepth}段）を超えています。入れ子を減らしてください。`,
    )
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

/** Estimated memory of a document: each node refers to its tokens, which form a linked list with the comments. */
function bytesOf(query: string, document: DocumentNode): number {
  let tokens = 0
  for (let token = document.loc?.startToken ?? null; token; token = token.next) tokens += 1
  return query.length * 2 + tokens * BYTES_PER_TOKEN
}

/**
 * Permissions come before validation: when the caller may read none of the root fields, the answer is the access error,
 * so that validation messages do not describe the schema.
 */
export function accessErrorOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  context: GraphContext,
): GraphQLError | undefined {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  let denial: GraphQLError | undefined
  for (const name of rootFieldNames(document, operation.selectionSet)) {
    const field = root?.getFields()[name]
    const rule = field && ruleOf(field)
    if (!rule) continue
    try {
      if (rule.allow === 'public') return undefined
      if ('on' in rule) demandPermit(context, rule.allow, rule.on)
      else demandPerson(context)
      return undefined
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      denial ??= error
    }
  }
  return denial
}

/**
 * Root fields, including those in fragments. `seen` visits each fragment once, because the document may be invalid and
 * circular.
 */
function rootFieldNames(document: DocumentNode, set: SelectionSetNode, seen = new Set<string>()): string[] {
  return set.selections.flatMap(selection => {
    if (selection.kind === 'Field') return [selection.name.value]
    if (selection.kind === 'InlineFragment') return rootFieldNames(document, selection.selectionSet, seen)
    const name = selection.name.value
    if (seen.has(name)) return []
    seen.add(name)
    const fragment = document.definitions.find(one => one.kind === 'FragmentDefinition' && one.name.value === name)
    return fragment?.kind === 'FragmentDefinition' ? rootFieldNames(document, fragment.selectionSet, seen) : []
  })
}

const NESTING: ReadonlySet<string> = new Set([Kind.LIST, Kind.OBJECT, Kind.LIST_TYPE])

/** Deepest nesting of lists and objects anywhere in the document. */
function depthOfValues(document: DocumentNode): number {
  let [depth, deepest] = [0, 0]
  visit(document, {
    enter({ kind }) {
      if (NESTING.has(kind)) deepest = Math.max(deepest, ++depth)
    },
    leave({ kind }) {
      if (NESTING.has(kind)) depth -= 1
    },
  })
  return deepest
}

function hasRole(context: GraphContext): boolean {
  return context.viewer !== null && context.viewer.roles.length > 0
}

function badRequest(reason: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', reason } })
}

function refused(...errors: readonly GraphQLError[]): Preparation {
  return { ok: false, errors }
}
