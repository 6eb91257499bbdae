import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { type IamGraphDependencies, type InsightGraphDependencies, iamSchema, insightSchema } from './graphs.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../schemas')

/** The GraphQL schemas as committed under schemas/, for reviews and the code generator. */
function printedSchemas(): readonly { readonly file: string; readonly text: string }[] {
  // Building a schema only declares resolvers and uses none of its dependencies.
  const dependencies = { money: { payments: {}, manualOperations: {} } } as InsightGraphDependencies &
    IamGraphDependencies
  const print = (name: string, schema: Parameters<typeof printSchema>[0]) => ({
    file: path.join(FOLDER, name),
    text: `${printSchema(lexicographicSortSchema(schema))}\n`,
  })
  return [print('insight.graphql', insightSchema(dependencies)), print('iam.graphql', iamSchema(dependencies))]
}

/** Writes the schemas; called by `npm run generate`. */
export async function writeSchemas(): Promise<void> {
  for (const { file, text } of printedSchemas()) await writeFile(file, text)
}

/** Part of the check that generated files are current. */
export async function checkSchemas(): Promise<{ problems: readonly string[] }> {
  const problems: string[] = []
  for (const { file, text } of printedSchemas()) {
    const committed = await readFile(file, 'utf8').catch(() => '')
    if (committed !== text)
      problems.push(`schemas/${path.basename(file)} is not what the code prints: run npm run generate`)
  }
  return { problems }
}
