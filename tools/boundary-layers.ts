/** Where a module lives decides what it may import (ARCHITECTURE.md, "The import rule"). */
export type Layer =
  | 'domain'
  | 'platform'
  | 'ui'
  | 'feature root'
  | 'feature server'
  | 'feature web'
  | 'server app'
  | 'commands'
  | 'web app'
  | 'testing'
  | 'tools'
  | 'scenarios'
  | 'e2e'
  | 'bench'
  | 'configuration'

/** What every layer may import besides itself. Nothing else is allowed. */
export const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  domain: [],
  platform: ['domain'],
  ui: ['domain'],
  'feature root': ['domain'],
  'feature server': ['feature root', 'platform', 'domain'],
  'feature web': ['feature root', 'ui', 'domain'],
  'server app': ['feature server', 'feature root', 'platform', 'domain'],
  // What people type: these may use the tools of the repository, for example to build the front ends before a start.
  commands: ['server app', 'tools', 'feature server', 'feature root', 'platform', 'domain'],
  'web app': ['feature web', 'feature root', 'ui', 'domain'],
  testing: ['feature server', 'feature root', 'platform', 'domain'],
  tools: ['testing', 'server app', 'feature server', 'feature root', 'platform', 'domain'],
  scenarios: ['testing', 'server app', 'feature server', 'feature root', 'platform', 'domain'],
  e2e: ['tools', 'testing', 'server app', 'feature server', 'feature root', 'platform', 'domain'],
  bench: ['tools', 'testing', 'server app', 'feature server', 'feature root', 'platform', 'domain'],
  configuration: ['tools', 'testing'],
}

/** Which side of the wire a layer runs on; `both` never names a package of either side. */
export const SIDE: Readonly<Record<Layer, 'web' | 'server' | 'both'>> = {
  domain: 'both',
  'feature root': 'both',
  ui: 'web',
  'feature web': 'web',
  'web app': 'web',
  platform: 'server',
  'feature server': 'server',
  'server app': 'server',
  commands: 'server',
  testing: 'server',
  tools: 'server',
  scenarios: 'server',
  e2e: 'server',
  bench: 'server',
  configuration: 'server',
}

const WHOLE_FOLDERS = new Set<string>(['domain', 'platform', 'ui', 'testing', 'tools', 'scenarios', 'e2e', 'bench'])

/** @returns undefined for a path that belongs nowhere. */
export function layerOf(path: string): Layer | undefined {
  const [top = '', second = '', third = ''] = path.split('/')
  const depth = path.split('/').length
  if (depth === 1) return /\.config\.ts$/.test(path) ? 'configuration' : undefined
  if (WHOLE_FOLDERS.has(top)) return top as Layer
  if (top === 'apps' && depth > 2) {
    if (/^vite\.config\.ts$/.test(third)) return 'configuration'
    if (second === 'server' && third === 'commands') return 'commands'
    return second === 'server' ? 'server app' : 'web app'
  }
  if (top === 'features' && depth === 3) return 'feature root'
  if (top === 'features' && third === 'server') return 'feature server'
  if (top === 'features' && third === 'web') return 'feature web'
  return undefined
}

/** The unit inside which modules of one layer may import each other: one feature's side, one app, else the layer. */
export function unitOf(path: string, layer: Layer): string {
  const [top, second, third] = path.split('/')
  if (layer === 'feature server' || layer === 'feature web') return `${top}/${second}/${third}`
  if (layer === 'server app' || layer === 'web app') return `${top}/${second}`
  return layer
}

const PRODUCT = /^(domain|platform|ui|features|apps)\//
/** A test, or what several tests of one folder share (`ingest-test-bed.ts`, `system-under-test.ts`). */
export const isTest = (path: string) =>
  isTestFile(path) || (PRODUCT.test(path) && /(^|[/-])test(-[a-z]+)*\.tsx?$/.test(path))
/** A file of tests, which nothing imports. */
export const isTestFile = (path: string) => /\.test\.tsx?$/.test(path)
