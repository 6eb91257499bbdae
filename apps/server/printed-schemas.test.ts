import { type GraphQLSchema, getNamedType, getNullableType, isListType, isNonNullType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { describeFields, unusedDescriptions } from './field-descriptions/describe-fields.ts'
import { type IamGraphDependencies, type InsightGraphDependencies, iamSchema, insightSchema } from './graphs.ts'
import { checkSchemas } from './printed-schemas.ts'

const dependencies = { money: { payments: {}, manualOperations: {} } } as InsightGraphDependencies &
  IamGraphDependencies
const SCHEMAS = [insightSchema(dependencies), iamSchema(dependencies)]

test('the committed schemas are those of the code', async () => {
  expect((await checkSchemas()).problems).toEqual([])
})

test('every field and argument of both APIs has a description, and no description is left over', () => {
  expect(SCHEMAS.flatMap(describeFields), 'describe it beside its declaration or in field-descriptions/').toEqual([])
  expect(unusedDescriptions(SCHEMAS)).toEqual([])
})

/** Lists that are answered whole: their length is that of the program, or of a table that people fill by hand. */
const WHOLE = {
  availableMedia: 'media',
  feeFairness: 'the payees of one month, whose spread is answered with them',
  invoiceRegisterWatch: 'registration numbers, each of which needs a look',
  policies: 'of the program',
  roles: 'of the program',
  statementYear: 'the payees of one year, whose sums are answered with them',
}

test('every limit that may be left out says how many rows there are then', () => {
  const silent = SCHEMAS.flatMap(schema => Object.values(schema.getTypeMap()))
    .filter(isObjectType)
    .flatMap(type => Object.values(type.getFields()).map(field => ({ field, name: `${type.name}.${field.name}` })))
    .filter(({ field }) => {
      const limit = field.args.find(arg => arg.name === 'limit')
      const isSaid = limit?.default !== undefined || limit?.defaultValue !== undefined || field.extensions.maxRows
      return limit && !isNonNullType(limit.type) && !isSaid
    })
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('every list of both APIs has a limit', () => {
  const isList = (field: { readonly type: Parameters<typeof getNullableType>[0] }) => {
    const named = getNamedType(field.type as never)
    return isListType(getNullableType(field.type)) || (isObjectType(named) && named.getFields().nodes !== undefined)
  }
  const fieldsOf = (schema: GraphQLSchema) => Object.values(schema.getQueryType()?.getFields() ?? {})
  const unlimited = SCHEMAS.flatMap(fieldsOf)
    .filter(field => isList(field) && !field.args.some(arg => arg.name === 'limit'))
    .map(field => field.name)
  expect(unlimited.toSorted()).toEqual(Object.keys(WHOLE))
})
