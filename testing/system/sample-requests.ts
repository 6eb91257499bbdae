import { ruleOf } from '@pc/platform/graphql/finish-graph.ts'
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import type { OrganizationRows } from './two-organizations.ts'

/**
 * The requests of the authorisation matrix, made from the finished schemas: fields are found there, only arguments get
 * their values by name.
 */

let addresses = 0
/** Unused addresses. */
export const newAddress = (name: string) => `${name}${++addresses}@example.jp`

/**
 * A value for an argument by its name and type; the first rule that fits decides. Optional arguments get one too, so
 * that foreign ids are sent wherever possible.
 * @param of the root field: what an `id` names depends on it
 */
function sample(name: string, type: GraphQLInputType, rows: OrganizationRows, uid: string, of = ''): unknown {
  if (isNonNullType(type)) return sample(name, type.ofType, rows, uid, of)
  if (isListType(type)) return [sample(name.replace(/s$/, ''), type.ofType, rows, uid, of)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      field => isNonNullType(field.type) || /id$/i.test(field.name) || /Ids$/.test(field.name),
    )
    return Object.fromEntries(fields.map(field => [field.name, sample(field.name, field.type, rows, uid, of)]))
  }
  if (/^(userID|userUid|actorUid|assigneeUid|uid)$/.test(name)) return uid
  if (name === 'rowId') return String(rows.agreementIds[0])
  if (/mediumId/i.test(name)) return '1'
  if (/organizationId/i.test(name)) return String(rows.organizationId)
  if (/bankAccountId/i.test(name) || (name === 'id' && /BankAccount/.test(of))) return String(rows.bankAccountIds[1])
  if (/bankBranchId/i.test(name)) return String(rows.bankBranchId)
  if (/bankId/i.test(name)) return String(rows.bankId)
  if (/publisherId/i.test(name) || (name === 'id' && /^(upsert)?publisher/i.test(of)))
    return String(rows.publisherIds[0])
  if (name === 'mediumArticleId') return `${rows.feedIds[0]}`
  if (/^(feed|articleId)/.test(name)) return String(name === 'articleId' ? rows.articleIds[0] : rows.feedIds[0])
  if (name === 'contentId') return String(rows.articleIds[0])
  if (name === 'authorId' || name === 'labelId') return String(rows.labelIds[0])
  if (name === 'sectionId') return String(rows.labelIds[1])
  if (name === 'tagId') return String(rows.labelIds[2])
  if (name === 'videoId') return '1'
  if (/^removalId$|^boardId$|^messageId$|^staging|^legacyFeedId$|^webhookId$|^deliveryId$|^transferId$/.test(name))
    return '1'
  if (/agreementId|^id$/i.test(name)) return String(rows.agreementIds[0])
  if (/month(From|To)?$/i.test(name)) return type.name === 'String' ? '2026-05' : 202_605
  if (/monthly(Payment|DividendManualOperation)Id$/i.test(name)) return '1'
  if (name === 'limit') return 20
  if (name === 'offset') return 0
  if (name === 'from') return '2026-01-01'
  if (name === 'to') return '2026-01-31'
  if (name === 'role') return 'insight:publisher_editor'
  if (name === 'action') return 'read:show'
  if (name === 'resource') return 'insight:agreement.'
  if (name === 'email') return newAddress('matrix')
  if (name === 'reason') return 'a reason for the matrix'
  const byType: Readonly<Record<string, unknown>> = {
    Boolean: true,
    Int: 1,
    Long: 1,
    Float: 1,
    String: '',
    Date: '2026-01-01',
    DateTime: '2026-01-01T00:00:00Z',
  }
  const value = byType[type.name]
  if (value === undefined) throw new Error(`the matrix knows no value for ${name}: ${type.name}; add one to sample()`)
  return value
}

/** Everything that can be selected below a type, a few levels deep. */
export function selection(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type)
  if (!isObjectType(named)) return ''
  const parts = Object.values(named.getFields()).flatMap(field => {
    if (field.args.some(argument => isNonNullType(argument.type))) return []
    const inner = selection(field.type, depth + 1)
    return isObjectType(getNamedType(field.type))
      ? depth < 4 && inner
        ? [`${field.name} ${inner}`]
        : []
      : [field.name]
  })
  return parts.length > 0 ? `{ ${parts.join(' ')} }` : ''
}

/**
 * A request for a root field, with a value for every required argument and everything that can be selected below it.
 */
export function operation(
  field: GraphQLField<unknown, unknown>,
  kind: 'query' | 'mutation',
  rows: OrganizationRows,
  uid: string,
  /** Sends optional ids too, which narrow the answer. */
  sendsEveryId = false,
) {
  const isSent = (name: string, type: GraphQLInputType) =>
    isNonNullType(type) || name === 'param' || (sendsEveryId && /ids?$/i.test(name))
  const sent = field.args.filter(argument => isSent(argument.name, argument.type))
  const variables = Object.fromEntries(
    sent.map(argument => [argument.name, sample(argument.name, argument.type, rows, uid, field.name)]),
  )
  const declared = sent.map(argument => `$${argument.name}: ${argument.type}`).join(', ')
  const passed = sent.map(argument => `${argument.name}: $${argument.name}`).join(', ')
  return {
    query: `${kind} M${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection(field.type)} }`,
    variables,
  }
}

/** Every query and mutation field, with its kind. */
export function rootFields(schema: GraphQLSchema) {
  return (['query', 'mutation'] as const).flatMap(kind => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
    return Object.values(type?.getFields() ?? {}).map(field => ({ kind, field }))
  })
}

/** A syntactically valid value of a type, without meaning. */
function anyLiteral(type: GraphQLInputType): string {
  if (isNonNullType(type)) return anyLiteral(type.ofType)
  if (isListType(type)) return `[${anyLiteral(type.ofType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField)
    return `{ ${required.map(({ name, type: of }) => `${name}: ${anyLiteral(of)}`).join(', ')} }`
  }
  return { Int: '1', Float: '1', Boolean: 'true', Long: '1', Date: '"2026-01-01"' }[type.name] ?? '"1"'
}

/** Every mutation that needs a step-up, with an empty input: it must be refused before the input is examined. */
export function needingStepUp(schema: GraphQLSchema): readonly { readonly name: string; readonly query: string }[] {
  return rootFields(schema).flatMap(({ kind, field: { name, args, type, extensions } }) => {
    if (kind !== 'mutation' || extensions.needsStepUp !== true) return []
    const sent = args.filter(isRequiredArgument).map(({ name: arg, type: of }) => `${arg}: ${anyLiteral(of)}`)
    const picked = isLeafType(getNamedType(type)) ? '' : '{ __typename }'
    return [{ name, query: `mutation { ${name}(${sent.join(', ')}) ${picked} }` }]
  })
}

/** The number of fields selected below a type; each is answered or refused in every cell. */
export function fieldsBelow(type: GraphQLOutputType): number {
  return selection(type)
    .split(/[\s{}]+/)
    .filter(Boolean).length
}

/** Guarded fields in the selection below a type, with their path and rule. */
export function guardedBelow(type: GraphQLOutputType, path: string, depth = 0): { path: string; name: string }[] {
  const named = getNamedType(type)
  if (!isObjectType(named) || depth > 4) return []
  return Object.values(named.getFields()).flatMap(field => {
    const here = `${path}.${field.name}`
    const rule = ruleOf(field)
    const own = rule && 'on' in rule ? [{ path: here, name: `${named.name}.${field.name}` }] : []
    return [...own, ...guardedBelow(field.type, here, depth + 1)]
  })
}

/** Ids that name nothing; banks are public, so theirs stay. */
export function rowsOfNothing({ bankId, bankBranchId }: OrganizationRows): OrganizationRows {
  const ids = [8_000_000_001n, 8_000_000_002n, 8_000_000_003n]
  const contents = { feedIds: ids, articleIds: ids, labelIds: ids }
  const named = { agreementIds: ids, publisherIds: ids, bankAccountIds: ids, ...contents }
  return { ...named, organizationId: 8_000_000_009n, announcementId: 8_000_000_008n, bankId, bankBranchId }
}
