import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { lexicographicSortSchema, printSchema } from 'graphql'
import { type IamGraphDependencies, type InsightGraphDependencies, iamSchema, insightSchema } from './graphs.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../schemas')

/** The schemas as they are committed under schemas/, where reviewers and the code generator read them. */
function printedSchemas(): readonly { readonly file: string; readonly text: string }[] {
  // Building a schema only declares resolvers; nothing of these parts is used before a request.
  const dependencies = { money: { payments: {}, manualOperations: {} } } as InsightGraphDependencies &
    IamGraphDependencies
  const print = (name: string, schema: Parameters<typeof printSchema>[0]) => ({
    file: path.join(FOLDER, name),
    text: `${printSchema(lexicographicSortSchema(schema))}\n`,
  })
  return [print('insight.graphql', insightSchema(dependencies)), print('iam.graphql', iamSchema(dependencies))]
}

export async function writeSchemas(): Promise<void> {
  for (const { file, text } of printedSchemas()) await writeFile(file, text)
}

/** For the check that generated files are current. */
export async function checkSchemas(): Promise<{ problems: readonly string[] }> {
  const problems: string[] = []
  for (const { file, text } of printedSchemas()) {
    const committed = await readFile(file, 'utf8').catch(() => '')
    if (committed !== text)
      problems.push(`schemas/${path.basename(file)} is not what the code prints: run npm run generate`)
  }
  return { problems }
}
