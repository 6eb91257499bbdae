import fs from 'node:fs'
import path from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typedDocumentNode from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildSchema, type GraphQLSchema, parse } from 'graphql'
import { writeSchemas } from '../apps/server/printed-schemas.ts'
import { writeConfigurationDocument } from './configuration-document.ts'

/**
 * GraphQL documents → typed documents: `x.graphql` (insight API) and `x-iam.graphql` (IAM API) get an `x.gen.ts` and
 * `x-iam.gen.ts` beside them. One file per document, so that a screen loads only its own. Not committed: `npm run check`,
 * `npm test` and `npm run build` call this first.
 */
const root = path.resolve(import.meta.dirname, '..')
const FOLDERS = ['ui', 'features', 'apps']
const CONFIG = {
  scalars: { Long: 'number', Date: 'string', DateTime: 'string', ID: 'string' },
  strictScalars: true,
  useTypeImports: true,
  enumType: 'string-literal',
  avoidOptionals: { field: true, inputValue: false, object: true },
  immutableTypes: true,
  skipTypename: true,
  documentMode: 'documentNode',
  dedupeFragments: true,
  // A plain document is enough for the client's cache: no source locations, no comments.
  optimizeDocumentNode: true,
} as const

export async function generate(): Promise<{ files: number; changed: number }> {
  const schemas = { insight: readSchema('insight'), iam: readSchema('iam') }
  const documents = FOLDERS.flatMap(folder =>
    fs
      .globSync(`${folder}/**/*.graphql`, { cwd: root, exclude: name => /(^|\/)(node_modules|dist)$/.test(name) })
      .sort(),
  )
  let changed = 0
  for (const file of documents) {
    const target = file.replace(/\.graphql$/, '.gen.ts')
    const text = await generateOne(file, target, file.endsWith('-iam.graphql') ? schemas.iam : schemas.insight)
    if (writeWhenDifferent(path.join(root, target), text)) changed += 1
  }
  removeOrphans(new Set(documents.map(file => file.replace(/\.graphql$/, '.gen.ts'))))
  return { files: documents.length, changed }
}

function readSchema(name: string): GraphQLSchema {
  return buildSchema(fs.readFileSync(path.join(root, `schemas/${name}.graphql`), 'utf8'))
}

async function generateOne(file: string, filename: string, schemaAst: GraphQLSchema): Promise<string> {
  const document = parse(fs.readFileSync(path.join(root, file), 'utf8'), { noLocation: true })
  const body = await codegen({
    filename,
    schema: parse('type Query { unused: Boolean }'),
    schemaAst,
    documents: [{ location: file, document }],
    config: CONFIG,
    plugins: [{ operations: {} }, { typedDocumentNode: {} }],
    pluginMap: { operations, typedDocumentNode },
  })
  return `// Generated from ${path.basename(file)} by tools/generate.ts.\n${body}`
}

function writeWhenDifferent(file: string, text: string): boolean {
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return false
  fs.writeFileSync(file, text)
  return true
}

/** A renamed document must not leave its old types behind. */
function removeOrphans(current: ReadonlySet<string>): void {
  for (const folder of FOLDERS) {
    for (const file of fs.globSync(`${folder}/**/*.gen.ts`, {
      cwd: root,
      exclude: name => name.endsWith('node_modules'),
    })) {
      if (current.has(file)) continue
      const firstLine = fs.readFileSync(path.join(root, file), 'utf8').split('\n', 1)[0]!
      if (firstLine.endsWith('by tools/generate.ts.')) fs.rmSync(path.join(root, file))
    }
  }
}

if (import.meta.main) {
  await writeSchemas()
  writeConfigurationDocument()
  const { files, changed } = await generate()
  console.log(`generated: ${files} documents, ${changed} changed`)
}
