import fs from 'node:fs'
import path from 'node:path'
import { describeSettings, SECRET_SETTINGS, type SettingDescription } from '@pc/platform/config.ts'
import { ROOT } from './source-tree.ts'

/** `docs/configuration.md`: all settings, generated from the typed configuration. */
const FILE = 'docs/configuration.md'

const INTRODUCTION = `# Settings

Every setting is an environment variable, read and checked once at start; a wrong value ends the start with one line for
each. This page is printed from \`platform/config.ts\` (\`npm run generate\`), which holds the only list there is.

A setting that holds a password (marked \`_FILE\`) can come from a file instead: set the same name with \`_FILE\` at its end
to the path of the file, as secrets are mounted in containers. Both at once is an error.

Variables of other programs change nothing: \`PGHOST\`, \`PGPORT\` and all others of PostgreSQL's clients are ignored, \`DATABASE_URL\`
alone says where and how to connect (name user, host, database and \`sslmode\` in it). \`npm start\` ignores \`DEBUG\` and
\`NODE_PATH\`, and takes of \`NODE_OPTIONS\` the flags of memory, certificates and lookups only; a flag that Node does not know
ends npm itself. \`NODE_EXTRA_CA_CERTS\`, \`UV_THREADPOOL_SIZE\` and \`LD_PRELOAD\` work as everywhere. Proxy variables serve the installation.

`

const HEADER = ['Setting', 'Default', 'Values', 'What it does']

function configurationDocument(): string {
  const rows = [HEADER, ...describeSettings().map(cellsOf)]
  // Padded as the repository's formatter does it.
  const widths = HEADER.map((_, column) => Math.max(...rows.map(cells => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`
  const [header = [], ...body] = rows
  return `${INTRODUCTION}${line(header)}${line(widths.map(width => '-'.repeat(width)))}${body.map(line).join('')}`
}

function cellsOf({ name, fallback, values, description }: SettingDescription): string[] {
  const isSecret = SECRET_SETTINGS.some(secret => secret === name)
  return [
    `\`${name}\`${isSecret ? ' `_FILE`' : ''}`,
    fallback === undefined ? '' : `\`${fallback}\``,
    values,
    description.replaceAll('|', '\\|'),
  ]
}

export function writeConfigurationDocument(): void {
  fs.writeFileSync(path.join(ROOT, FILE), configurationDocument())
}

/** Part of the check that generated files are current. */
export function checkConfigurationDocument(): { problems: readonly string[] } {
  const file = path.join(ROOT, FILE)
  const committed = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const isCurrent = committed === configurationDocument()
  return { problems: isCurrent ? [] : [`${FILE} is not what platform/config.ts says: npm run generate`] }
}
