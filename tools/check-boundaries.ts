import fs from 'node:fs'
import path from 'node:path'
import { checkBoundaries, type Violation } from './boundary-rules.ts'
import { type Module, readModule } from './read-module.ts'
import { isSource, ROOT, repositoryFiles, sourcesOnDisk } from './source-tree.ts'

export interface BoundaryReport {
  readonly violations: readonly Violation[]
  readonly modules: number
  /** Modules on disk that the check did not see. While there are any, its result means nothing. */
  readonly unseen: readonly string[]
}

/** Reads every module of the tree with our own parser (TypeScript 7 has no compiler API) and applies the rules. */
export function checkTree(root = ROOT): BoundaryReport {
  const sources = repositoryFiles(root).filter(isSource)
  const modules: Module[] = sources
    .filter(file => !isLauncher(file))
    .map(file => readModule(file, fs.readFileSync(path.join(root, file), 'utf8')))
  const seen = new Set(sources)
  const violations = checkBoundaries({
    modules,
    exists: file => existsExactly(path.join(root, file)),
    webPackages: declaredPackages(root, 'ui/package.json'),
    serverPackages: declaredPackages(root, 'platform/package.json'),
  })
  return { violations, modules: sources.length, unseen: sourcesOnDisk(root).filter(file => !seen.has(file)) }
}

/** The only plain JavaScript file: it runs before anything is installed. */
const isLauncher = (file: string) => file === 'tools/run.mjs'

/**
 * Compares case exactly: `fs.existsSync` accepts wrong capitals on macOS and Windows, and the same import then fails on
 * Linux.
 */
function existsExactly(file: string): boolean {
  return fs.existsSync(file) && fs.readdirSync(path.dirname(file)).includes(path.basename(file))
}

function declaredPackages(root: string, manifest: string): ReadonlySet<string> {
  const file = path.join(root, manifest)
  if (!fs.existsSync(file)) return new Set()
  const { dependencies = {} } = JSON.parse(fs.readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }
  return new Set(Object.keys(dependencies))
}
