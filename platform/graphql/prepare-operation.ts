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
import { brokenLimit, LIMITS } from './operation-limits.ts'

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

/** A document that was seen before is neither parsed nor validated again. */
interface KnownDocument {
  readonly document: DocumentNode
  errors: readonly GraphQLError[] | undefined
  introspects: boolean | undefined
}

const MAX_KNOWN_DOCUMENTS = 500
/** A wrong document is answered with its first ones: many mistakes are no use to anybody, and work for us. */
const MAX_ERRORS = 5

/** Turns request texts into operations that may run: syntax, limits, rules of the schema, in this order. */
export class OperationDesk {
  readonly #schema: GraphQLSchema
  readonly #known = new Map<string, KnownDocument>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  prepare(request: GraphqlRequest, context: GraphContext): Preparation {
    const parsed = this.#parse(request.query)
    if (parsed instanceof GraphQLError) return refused(parsed)
    const operations = parsed.document.definitions.filter(one => one.kind === 'OperationDefinition')
    const operation =
      request.operationName === undefined
        ? operations.length === 1 && operations[0]
        : operations.find(one => one.name?.value === request.operationName)
    if (!operation)
      return refused(
        badRequest(
          'operation-unclear',
          '実行する問い合わせが決まりません。"operationName" で名前を1つ指定してください。',
        ),
      )
    if (operation.operation === 'subscription')
      return refused(
        badRequest('no-subscriptions', 'subscription には対応していません。query か mutation で送信してください。'),
      )
    const limit = brokenLimit(this.#schema, parsed.document, operation, request.variables)
    if (limit) return refused(badRequest(limit.reason, limit.message))
    const errors = this.#validate(parsed)
    if (errors.length > 0)
      return { ok: false, errors: [accessErrorOf(this.#schema, parsed.document, operation, context) ?? errors].flat() }
    if (parsed.introspects && !hasRole(context))
      return refused(
        badRequest(
          'introspection-needs-role',
          'スキーマの一覧（イントロスペクション）を取得するには、ロールのあるユーザーのサインインか、APIキーが必要です。',
        ),
      )
    return { ok: true, value: { document: parsed.document, operation } }
  }

  #parse(query: string): KnownDocument | GraphQLError {
    const known = this.#known.get(query)
    if (known) {
      this.#known.delete(query) // to the end: the first one is the longest unused
      this.#known.set(query, known)
      return known
    }
    try {
      const document = parse(query, { maxTokens: LIMITS.tokens, noLocation: false })
      if (depthOfValues(document) > LIMITS.valueDepth)
        return badRequest(
          'value-too-deep',
          `問い合わせに書かれた値の入れ子が上限（${LIMITS.valueDepth}段）を超えています。入れ子を減らしてください。`,
        )
      return this.#keep(query, { document, errors: undefined, introspects: undefined })
    } catch (error) {
      if (error instanceof GraphQLError) return error
      throw error
    }
  }

  #keep(query: string, document: KnownDocument): KnownDocument {
    if (this.#known.size >= MAX_KNOWN_DOCUMENTS) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(query, document)
    return document
  }

  #validate(known: KnownDocument): readonly GraphQLError[] {
    known.errors ??= validate(this.#schema, known.document, specifiedRules, {
      maxErrors: MAX_ERRORS,
      hideSuggestions: true,
    })
    known.introspects ??=
      validate(this.#schema, known.document, [NoSchemaIntrospectionCustomRule], { maxErrors: 1 }).length > 0
    return known.errors
  }
}

/**
 * Rights come before input: when the input is wrong but the caller may have none of the root fields anyway, the answer
 * is the access error, which tells nothing about the schema.
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

/** Each fragment is looked into once, however often it is spread: what is asked here was not found valid. */
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

/** How deep lists and objects lie in each other, wherever the document has them. */
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
