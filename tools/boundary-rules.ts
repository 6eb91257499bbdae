import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { coreOf, isTest, isTestFile, type Layer, layerOf, MAY_IMPORT, SIDE, unitOf } from './boundary-layers.ts'
import { isOpenToOtherFeatures, wrongNames } from './boundary-names.ts'
import type { Import, Module } from './read-module.ts'

export interface Violation {
  readonly path: string
  readonly line: number
  readonly rule: 'place' | 'name' | 'import' | 'side' | 'purity' | 'circle' | 'barrel' | 'specifier' | 'syntax'
  readonly message: string
}

export interface Tree {
  readonly modules: readonly Module[]
  /** Whether a file exists; paths from the root of the repository. */
  readonly exists: (path: string) => boolean
  /** Names of the packages that `ui` (web) and `platform` (server) declare. */
  readonly webPackages: ReadonlySet<string>
  readonly serverPackages: ReadonlySet<string>
}

/** Folder of each workspace that may be imported by name. */
const WORKSPACES: Readonly<Record<string, string>> = {
  '@pc/domain': 'domain',
  '@pc/platform': 'platform',
  '@pc/ui': 'ui',
  '@pc/features': 'features',
  '@pc/testing': 'testing',
}
/** Layers that are part of the product, unlike tests and tools. */
const SHIPPED = new Set<Layer>([
  ...(['domain', 'platform', 'ui', 'feature root', 'feature server', 'feature web'] as const),
  ...(['server app', 'commands', 'web app'] as const),
])
const TEST_PACKAGES = ['vitest', 'fast-check']

/** Every violation of the rules of ARCHITECTURE.md and CONTRIBUTING.md; empty for a legal tree. Pure. */
export function checkBoundaries(tree: Tree): Violation[] {
  const violations: Violation[] = []
  const graph = new Map<string, string[]>()
  for (const module of tree.modules) {
    const report = (rule: Violation['rule'], line: number, message: string) =>
      violations.push({ path: module.path, line, rule, message })
    for (const error of module.syntaxErrors) report('syntax', 1, error)
    for (const problem of wrongNames(module.path)) report('name', 1, problem)
    const layer = layerOf(module.path)
    if (!layer) report('place', 1, 'no layer of the architecture has modules here')
    else {
      if (layer === 'domain' && !isTest(module.path))
        for (const { name, line } of module.impurities) report('purity', line, `domain is pure: no \`${name}\``)
      graph.set(module.path, checkImports(tree, module, layer, report))
    }
  }
  return [...violations, ...circles(graph)]
}

type Report = (rule: Violation['rule'], line: number, message: string) => void

/** @returns the modules of the repository that this one imports. */
function checkImports(tree: Tree, module: Module, layer: Layer, report: Report): string[] {
  const targets: string[] = []
  for (const found of module.imports) {
    if (found.kind === 're-export')
      report('barrel', found.line, 'nothing is passed on: import it from the file that holds it')
    if (found.specifier === undefined) {
      if (found.kind === 'hidden')
        report('specifier', found.line, 'an import is written out, so that it can be checked')
      continue
    }
    const target = importedFile(module.path, found.specifier)
    if (target === undefined) checkPackage(tree, module.path, layer, found, report)
    else if (checkFile(tree, module.path, layer, found, target, report)) targets.push(target)
  }
  return targets
}

/** @returns the path from the root, or undefined for a package from outside. */
export function importedFile(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/\?.*$/, '') // Vite's ?raw, ?url, ?inline
  if (bare.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), bare))
  const match = /^(@pc\/[^/]+)(?:\/(.*))?$/.exec(bare)
  if (!match) return undefined
  return `${WORKSPACES[match[1] ?? ''] ?? match[1]}/${match[2] ?? ''}`
}

function checkFile(tree: Tree, from: string, layer: Layer, found: Import, target: string, report: Report): boolean {
  const written = found.specifier ?? ''
  if (!/\.[a-z]+$/.test(target)) report('specifier', found.line, `\`${written}\` lacks the file extension`)
  else if (!tree.exists(target)) report('specifier', found.line, `\`${written}\` does not exist`)
  else {
    const targetLayer = layerOf(target)
    if (written.startsWith('.') && workspaceOf(from) !== workspaceOf(target) && hasName(target))
      report('specifier', found.line, `\`${written}\` leaves the workspace: import it by the workspace's name`)
    const problem = targetLayer && wrongDirection(from, layer, target, targetLayer)
    if (problem) report('import', found.line, problem)
    return true
  }
  return false
}

const workspaceOf = (path: string) => {
  const [top, second] = path.split('/')
  return top === 'apps' ? `${top}/${second}` : top && Object.values(WORKSPACES).includes(top) ? top : ''
}

/** Only workspaces with a package name are imported by it; applications and tools are imported by path. */
const hasName = (path: string) => Object.values(WORKSPACES).includes(path.split('/')[0] ?? '')

function wrongDirection(from: string, layer: Layer, target: string, targetLayer: Layer): string | undefined {
  if (isTestFile(target) || (isTest(target) && !isTest(from) && SHIPPED.has(layer)))
    return `\`${target}\` is for tests only`
  if (targetLayer === 'feature root' && isFromAnotherFeature(from, target) && !isOpenToOtherFeatures(target))
    return `\`${target}\` is for its own feature: others see only links, conditions and actions`
  if (layer === targetLayer && unitOf(from, layer) === unitOf(target, layer)) return undefined
  if (layer === targetLayer && coreOf(unitOf(from, layer)) === unitOf(target, layer)) return undefined
  // A test may combine features and rooms as the application does, and nothing imports a test.
  if (isTestFile(from) && layer === targetLayer) return undefined
  if (layer === targetLayer && from.split('/')[1] === target.split('/')[1])
    return `\`${target}\` is in another room: a room imports its feature's core and root files`
  if (layer === targetLayer && layer.startsWith('feature '))
    return `\`${target}\` is inside another feature: only its links, conditions and actions may be imported`
  if (layer !== targetLayer && MAY_IMPORT[layer].includes(targetLayer)) return undefined
  if (isTest(from) && targetLayer === 'testing') return undefined
  if (SIDE[layer] !== SIDE[targetLayer] && SIDE[layer] !== 'both' && SIDE[targetLayer] !== 'both')
    return `web and server never meet: a ${layer} module imports \`${target}\``
  return `a ${layer} module may not import ${targetLayer}: \`${target}\``
}

function isFromAnotherFeature(from: string, target: string): boolean {
  return from.startsWith('features/') && from.split('/')[1] !== target.split('/')[1]
}

function checkPackage(tree: Tree, from: string, layer: Layer, found: Import, report: Report): void {
  const written = found.specifier ?? ''
  const name = written.startsWith('@') ? written.split('/').slice(0, 2).join('/') : (written.split('/')[0] ?? '')
  if (isTest(from) && TEST_PACKAGES.includes(name)) return
  if (SIDE[layer] === 'both') {
    report('import', found.line, `a ${layer} module imports no package: \`${written}\``)
    return
  }
  if (SIDE[layer] === 'web') {
    if (isBuiltin(written)) report('side', found.line, `\`${written}\` does not exist in a browser`)
    else if (tree.serverPackages.has(name) && !tree.webPackages.has(name))
      report('side', found.line, `\`${name}\` is a package of the server`)
    return
  }
  const isProduct = layer === 'platform' || layer === 'feature server' || layer === 'server app' || layer === 'commands'
  if (isProduct && tree.webPackages.has(name) && !tree.serverPackages.has(name))
    report('side', found.line, `\`${name}\` is a package of the front end`)
}

/** One violation for each group of modules with circular imports, with a shortest cycle. */
function circles(graph: ReadonlyMap<string, readonly string[]>): Violation[] {
  const violations: Violation[] = []
  const reported = new Set<string>()
  for (const start of [...graph.keys()].sort()) {
    if (reported.has(start)) continue
    const way = shortestWayBack(graph, start)
    if (!way || way.some(path => reported.has(path))) continue
    for (const path of way) reported.add(path)
    violations.push({ path: start, line: 1, rule: 'circle', message: `a circle: ${[...way, start].join(' → ')}` })
  }
  return violations
}

function shortestWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const path of queue) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) return wayTo(path, start, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, path)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  for (let at = end; at !== start; at = cameFrom.get(at) ?? start) way.unshift(at)
  return [start, ...way]
}
