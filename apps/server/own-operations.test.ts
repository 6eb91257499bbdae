import fs from 'node:fs'
import path from 'node:path'
import { brokenLimit } from '@pc/platform/graphql/operation-limits.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { type DocumentNode, type GraphQLSchema, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Every operation of our own screens stays within the limits, with a usual page size where it takes one. */
let system: SystemUnderTest
beforeAll(async () => {
  system = await startSystemUnderTest()
})
afterAll(() => system?.close())

const PAGE = 100
const ROOT = path.resolve(import.meta.dirname, '../..')
/** As the generator writes them. */
const DOCUMENT = /^export const (\w+) = (\{"kind":"Document".*\}) as unknown as /gm
const files = fs.globSync('features/**/web/**/*.gen.ts', { cwd: ROOT })

test('our own operations stay within the limits', () => {
  const broken: string[] = []
  let requested = 0
  for (const file of files) {
    for (const [, name = '', text = ''] of fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(DOCUMENT)) {
      const document = JSON.parse(text) as DocumentNode
      const [operation] = document.definitions
      if (operation?.kind !== 'OperationDefinition') continue
      const first = operation.selectionSet.selections.find(one => one.kind === 'Field')
      const schema = [system.dependencies.insightSchema, system.dependencies.iamSchema].find(one =>
        has(one, first?.name.value ?? ''),
      )
      if (!schema) continue
      requested += 1
      const limit = brokenLimit(schema, document, operation, { limit: PAGE })
      if (limit) broken.push(`${file} ${name}: ${limit.reason}`)
    }
  }
  expect(requested).toBeGreaterThan(150)
  expect(broken).toEqual([])
})

function has(schema: GraphQLSchema, field: string): boolean {
  return [schema.getQueryType(), schema.getMutationType()].some(
    type => isObjectType(type) && type.getFields()[field] !== undefined,
  )
}
