import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { MONEY_DESCRIPTIONS } from './money-descriptions.ts'
import { RECORD_DESCRIPTIONS } from './record-descriptions.ts'
import { REPORT_DESCRIPTIONS } from './report-descriptions.ts'

/**
 * Descriptions by field name, because a name has one meaning throughout the API. An exception is described at its
 * declaration.
 */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...RECORD_DESCRIPTIONS, ...MONEY_DESCRIPTIONS, ...REPORT_DESCRIPTIONS }),
)

type Described = Pick<GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument, 'name' | 'type'> & {
  description?: string | null | undefined
}

/** Adds the description of its name to every field and argument that has none. @returns names without a description */
export function describeFields(schema: GraphQLSchema): readonly string[] {
  const missing: string[] = []
  const describe = (of: string, described: Described) => {
    described.description ??= find(of, described)
    if (!described.description) missing.push(`${of}.${described.name}`)
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) describe(type.name, field)
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      describe(type.name, field)
      for (const arg of field.args) describe(`${type.name}.${field.name}`, arg)
    }
  }
  return missing
}

/** Descriptions without a field, for which a test fails. @internal Tests call it. */
export function unusedDescriptions(schemas: readonly GraphQLSchema[]): readonly string[] {
  const used = new Set(schemas.flatMap(schema => [...textsOf(schema)]))
  const isUsed = (text: string) => used.has(text) || FORMS.some(form => used.has(text.replace(/\.$/, `${form}.`)))
  return [...DESCRIPTIONS].filter(([, text]) => !isUsed(text)).map(([name]) => name)
}

function* textsOf(schema: GraphQLSchema): Iterable<string> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type) && !isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      yield field.description ?? ''
      for (const arg of 'args' in field ? field.args : []) yield arg.description ?? ''
    }
  }
}

const FORMS = [' (YYYYMM)', ' (YYYY-MM)']

function find(of: string, { name, type }: Described): string | undefined {
  const isRoot = of === 'Query' || of === 'Mutation'
  const found = DESCRIPTIONS.get(isRoot ? `${of}.${name}` : name)
  return found?.replace(/\.$/, `${formOf(name, getNamedType(type).name)}.`)
}

/** Adds the format of a month: some are integers, some texts. The start month of tax periods has no year. */
function formOf(name: string, type: string): string {
  if (!/month$/i.test(name) || name === 'taxPeriodStartMonth') return ''
  return type === 'Int' ? ' (YYYYMM)' : type === 'String' ? ' (YYYY-MM)' : ''
}
