import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkFolder } from '@pc/platform/folder-error.ts'
import { claimOwnerFile } from '@pc/platform/owner-file.ts'
import { thisProcess } from '@pc/platform/process-identity.ts'
import { runNode } from './run-command.ts'
import { ROOT } from './source-tree.ts'

const LOCK_FILE = path.join(ROOT, '.tsbuild/front-ends.lock')
const WAIT_FOR_OTHER_MS = 200
const STAMP_FILE = path.join(ROOT, '.tsbuild/front-ends.sha256')
/** Folders with the sources of the front ends. */
const FOLDERS = ['apps', 'docs/manual', 'domain', 'features', 'schemas', 'tools/manual', 'ui']
const FILES = ['package-lock.json', ...fs.globSync('tools/{build*,generate,front-end-*}.ts', { cwd: ROOT }).sort()]
const NO_INPUT = /(^|\/)(node_modules|dist|server)(\/|$)|\.test\.tsx?$|\.gen\.ts$/

/**
 * Builds the front ends unless the last build had the same sources. Works without git, because starts call it too.
 * @param onBuild called when a build begins, which takes half a minute
 */
export async function buildWhenStale(onBuild?: () => void): Promise<'built' | 'current'> {
  const stamp = stampOfSources()
  if (isBuilt(stamp)) return 'current'
  onBuild?.()
  checkFolder(undefined, ROOT)
  fs.mkdirSync(path.dirname(LOCK_FILE), { recursive: true })
  // Several starts may share this checkout: one builds, the others wait.
  while (claimOwnerFile(LOCK_FILE, thisProcess())) await sleep(WAIT_FOR_OTHER_MS)
  try {
    if (isBuilt(stamp)) return 'current'
    fs.rmSync(STAMP_FILE, { force: true }) // an interrupted build must not count as current
    const { ok, output } = await runNode('tools/build.ts')
    if (!ok) throw new Error(`the front ends could not be built:\n${output}`)
    fs.writeFileSync(STAMP_FILE, stamp)
    return 'built'
  } finally {
    fs.rmSync(LOCK_FILE, { force: true })
  }
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const file of [...FOLDERS.flatMap(filesIn), ...FILES])
    hash.update(file).update(fs.readFileSync(path.join(ROOT, file)))
  return hash.digest('hex')
}

function isBuilt(stamp: string): boolean {
  if (!fs.existsSync(STAMP_FILE) || fs.readFileSync(STAMP_FILE, 'utf8') !== stamp) return false
  return ['apps/console', 'apps/iam', 'apps/sso', 'docs'].every(folder =>
    fs.existsSync(path.join(ROOT, folder, 'dist/index.html')),
  )
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
