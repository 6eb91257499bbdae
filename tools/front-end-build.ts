import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { runNode } from './run-command.ts'
import { ROOT } from './source-tree.ts'

const STAMP_FILE = path.join(ROOT, '.tsbuild/front-ends.sha256')
/** Everything that a front end is made of. */
const FOLDERS = ['apps', 'docs/manual', 'domain', 'features', 'schemas', 'tools/manual', 'ui']
const FILES = [
  'package-lock.json',
  ...fs.globSync('tools/{build*,generate,front-end-*,manual-pdf}.ts', { cwd: ROOT }).sort(),
]
const NO_INPUT = /(^|\/)(node_modules|dist|server)(\/|$)|\.test\.tsx?$|\.gen\.ts$/

/**
 * Builds the front ends unless the last build was made of exactly these files. Needs no git: a start calls it too.
 * @param onBuild - called when there is something to build, which takes half a minute
 */
export async function buildWhenStale(onBuild?: () => void): Promise<'built' | 'current'> {
  const hash = createHash('sha256')
  for (const file of [...FOLDERS.flatMap(filesIn), ...FILES])
    hash.update(file).update(fs.readFileSync(path.join(ROOT, file)))
  const stamp = hash.digest('hex')
  const outputs = ['apps/console', 'apps/iam', 'apps/sso', 'docs'].map(folder =>
    path.join(ROOT, folder, 'dist/index.html'),
  )
  const isCurrent = fs.existsSync(STAMP_FILE) && fs.readFileSync(STAMP_FILE, 'utf8') === stamp
  if (isCurrent && outputs.every(file => fs.existsSync(file))) return 'current'
  onBuild?.()
  const { ok, output } = await runNode('tools/build.ts')
  if (!ok) throw new Error(`the front ends could not be built:\n${output}`)
  fs.mkdirSync(path.dirname(STAMP_FILE), { recursive: true })
  fs.writeFileSync(STAMP_FILE, stamp)
  return 'built'
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const file = `${folder}/${entry.name}`
      if (NO_INPUT.test(file)) return []
      return entry.isDirectory() ? filesIn(file) : entry.isFile() ? [file] : []
    })
}
