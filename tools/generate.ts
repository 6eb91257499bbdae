import fs from 'node:fs'
import path from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typedDocumentNode from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import {
  buildSchema,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  parse,
  visit,
} from 'graphql'
import { writeSchemas } from '../apps/server/printed-schemas.ts'
import { writeConfigurationDocument } from './configuration-document.ts'
import { writeMessagesDocument } from './manual/messages-document.ts'

/**
 * GraphQL documents → typed documents: `x.graphql` (insight API) and `x-iam.graphql` (IAM API) get an `x.gen.ts` and
 * `x-iam.gen.ts` beside them, one file per document, so that a screen loads only its own. A document imports fragments
 * of another file with `# import ./parts.graphql`; a file with only fragments generates nothing. The results are not
 * committed: `npm run check`, `npm test` and `npm run build` call this first.
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
  // The client's cache needs neither source locations nor comments.
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
  const targets = new Set<string>()
  for (const file of documents) {
    const document = readDocument(path.join(root, file))
    if (!document.definitions.some(isOperation)) continue
    const target = file.replace(/\.graphql$/, '.gen.ts')
    targets.add(target)
    const schema = file.endsWith('-iam.graphql') ? schemas.iam : schemas.insight
    const text = await generateOne(file, document, target, schema)
    if (writeWhenDifferent(path.join(root, target), text)) changed += 1
  }
  removeOrphans(targets)
  return { files: targets.size, changed }
}

function readSchema(name: string): GraphQLSchema {
  return buildSchema(fs.readFileSync(path.join(root, `schemas/${name}.graphql`), 'utf8'))
}

const isOperation = (definition: DefinitionNode) => definition.kind === Kind.OPERATION_DEFINITION

/** The document with the imported fragments that it uses. */
function readDocument(file: string): DocumentNode {
  const text = fs.readFileSync(file, 'utf8')
  const { definitions } = parse(text, { noLocation: true })
  const imported = [...text.matchAll(/^# import (\S+)$/gm)].flatMap(
    ([, name]) => readDocument(path.resolve(path.dirname(file), name!)).definitions,
  )
  const known = new Map(
    imported
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(fragment => [fragment.name.value, fragment]),
  )
  const used = new Set<FragmentDefinitionNode>()
  const collect = (definition: DefinitionNode) =>
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = known.get(name.value)
        if (!fragment || used.has(fragment)) return
        used.add(fragment)
        collect(fragment)
      },
    })
  definitions.forEach(collect)
  return { kind: Kind.DOCUMENT, definitions: [...definitions, ...used] }
}

async function generateOne(
  file: string,
  document: DocumentNode,
  filename: string,
  schemaAst: GraphQLSchema,
): Promise<string> {
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

/** Removes generated files whose document was renamed or deleted. */
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
  writeMessagesDocument()
  const { files, changed } = await generate()
  console.log(`generated: ${files} documents, ${changed} changed`)
}
