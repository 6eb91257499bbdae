import { RESOURCE_NAMES, type ResourceName } from '@pc/domain/access/resource-name.ts'
import { STAFF_ONLY_FIELDS } from '@pc/domain/access/staff-only-fields.ts'
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { AccessRule } from './access-rule.ts'
import type { Graph, GraphContext } from './graph.ts'
import { demandReader, demandRule } from './guard.ts'
import { hasLists, readLists } from './input-limits.ts'
import { refusalError } from './refusal-error.ts'

/**
 * Builds the schema and makes forgetting impossible. It throws (the server does not start) when
 * - a root field has no rule, or an object type does not name its resource;
 * - a mutation was not declared with `mutation`, which gives it one transaction, its audit rows and its key;
 * - a staff-only field is declared without exactly its right, or cannot be null;
 * - a type could be reached in a way that this check does not understand.
 * Fields that lead to objects of another resource than their own are guarded here, so that no path to a type
 * is wider than the type itself.
 */
export function finishGraph(graph: Graph): GraphQLSchema {
  const schema = graph.toSchema()
  const problems: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isAbstractType(type)) problems.push(`${type.name}: interfaces and unions have no access rule yet`)
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      problems.push(...problemsOf(schema, type, field))
      guardEntrance(schema, type, field)
      guardLists(field)
    }
    if (!isRoot(schema, type) && resourceOf(type) === undefined) problems.push(`${type.name}: names no resource ("on")`)
  }
  if (problems.length > 0) throw new Error(`The graph has unguarded parts:\n${problems.join('\n')}`)
  return schema
}

/** The access rule of a field; undefined: it has none of its own. */
export function ruleOf(field: GraphQLField<unknown, unknown>): AccessRule | undefined {
  return field.extensions.access as AccessRule | undefined
}

/** The resource that an object type belongs to; undefined when its declaration has none. */
function resourceOf(type: GraphQLObjectType): ResourceName | 'inherits' | undefined {
  const on = (type.extensions.pothosOptions as { on?: unknown } | undefined)?.on
  return on === 'inherits' ? on : RESOURCE_NAMES.find(name => name === on)
}

function problemsOf(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string[] {
  const name = `${type.name}.${field.name}`
  const rule = ruleOf(field)
  if (type === schema.getMutationType()) {
    return rule && field.extensions.isMutation === true ? [] : [`${name}: declare it with mutation()`]
  }
  if (isRoot(schema, type)) return rule ? [] : [`${name}: has no access rule; declare it with field() or openField()`]
  const problems: string[] = []
  const needed = Object.hasOwn(STAFF_ONLY_FIELDS, name) ? STAFF_ONLY_FIELDS[name] : undefined
  if (needed && !(rule && 'on' in rule && rule.allow === needed.allow && rule.on === needed.on)) {
    problems.push(`${name}: is staff-only and must be declared with ${needed.allow} on ${needed.on}`)
  }
  if (rule && 'on' in rule && isNonNullType(field.type)) problems.push(`${name}: is guarded, so it must be nullable`)
  return problems
}

/** A field that returns objects of another resource also requires the permission to read that resource. */
function guardEntrance(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): void {
  const target = getNamedType(field.type)
  if (!isObjectType(target)) return
  const resource = resourceOf(target)
  const rule = ruleOf(field)
  if (resource === undefined || resource === 'inherits') return
  const isOwn =
    (rule && 'on' in rule && rule.on === resource) || (!isRoot(schema, type) && resourceOf(type) === resource)
  if (isOwn) return
  const resolve = field.resolve ?? defaultFieldResolver
  field.resolve = (parent, args, context, info) => {
    demandReader(context as GraphContext, resource)
    return resolve(parent, args, context, info)
  }
}

/**
 * Limits every list argument of a field. The access rule is checked first, so that a caller without permission learns
 * nothing about the input.
 */
function guardLists(field: GraphQLField<unknown, unknown>): void {
  if (!hasLists(field.args)) return
  const { args: declared } = field
  const resolve = field.resolve ?? defaultFieldResolver
  field.resolve = (parent, args, context, info) => {
    const broken: Parameters<typeof readLists>[2] = []
    const read = readLists(declared, args, broken)
    if (broken.length > 0) {
      demandRule(context as GraphContext, ruleOf(field))
      throw refusalError(broken.slice(0, MAX_REFUSALS))
    }
    return resolve(parent, read, context, info)
  }
}
const MAX_REFUSALS = 20

function isRoot(schema: GraphQLSchema, type: GraphQLObjectType): boolean {
  return type === schema.getQueryType() || type === schema.getMutationType() || type === schema.getSubscriptionType()
}
