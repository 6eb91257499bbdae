import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const HEADER = `// Made by \`npm run db -- dump\` from the migrated database. Do not edit.
// Committed, so that a fresh clone type-checks before any database ran; a check compares it with the migrations.
`

/** Source text of `tables.ts` for the database at `url`, which must be fully migrated. */
export function generateTables(url: string): string {
  const mapping = JSON.stringify({ int8: 'bigint', date: 'Day' })
  const generated = run(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect',
      'postgres',
      '--url',
      url,
      '--camel-case',
      '--print',
    ].concat(['--include-pattern', 'public.*', '--type-mapping', mapping, '--log-level', 'error']),
  )
  const body = generated
    .replace(/\/\*\*.*?\*\/\n/s, '')
    .replace('import type {', "import type { Day } from '@pc/domain/month/day.ts'\nimport type {")
    .replace('export interface DB {', '/** All tables and their columns, in camelCase. */\nexport interface Tables {')
    // One name leaves the file; the columns of a table are `Tables['users']`.
    .replace(/^export (?!interface Tables)/gm, '')
  return run('node_modules/.bin/biome', ['format', '--stdin-file-path=platform/postgres/tables.ts'], HEADER + body)
}

function run(file: string, args: readonly string[], input = ''): string {
  const result = spawnSync(file, args, { cwd: ROOT, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (result.status !== 0) throw new Error(`${file} failed:\n${result.error ?? ''}${result.stdout}${result.stderr}`)
  return result.stdout
}
