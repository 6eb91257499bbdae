import fs from 'node:fs'
import path from 'node:path'
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql'
import { type GraphParts, iamSchema, insightSchema } from '../apps/server/graphs.ts'
import { ROOT } from './source-tree.ts'

/** A schema is made without calling any resolver: what the resolvers would use stays out. */
const NO_PARTS = {} as GraphParts
const SCHEMAS: readonly { readonly file: string; readonly make: (parts: GraphParts) => GraphQLSchema }[] = [
  { file: 'schemas/insight.graphql', make: insightSchema },
  { file: 'schemas/iam.graphql', make: iamSchema },
]

/** Prints the GraphQL schemas from the code, sorted by name so that a diff shows what changed and nothing else. */
export function outdatedSchemas(): { readonly file: string; readonly text: string }[] {
  return SCHEMAS.map(({ file, make }) => ({
    file,
    text: `${printSchema(lexicographicSortSchema(make(NO_PARTS)))}\n`,
  })).filter(({ file, text }) => fs.readFileSync(path.join(ROOT, file), 'utf8') !== text)
}

if (import.meta.main) {
  const outdated = outdatedSchemas()
  for (const { file, text } of outdated) fs.writeFileSync(path.join(ROOT, file), text)
  console.log(outdated.length > 0 ? `written: ${outdated.map(({ file }) => file).join(', ')}` : 'everything is current')
}
