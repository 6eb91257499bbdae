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
  | 'demo'
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
  demo: ['feature server', 'feature root', 'platform', 'domain'],
  'server app': ['demo', 'feature server', 'feature root', 'platform', 'domain'],
  // What people type: these may use the tools of the repository, for example to build the front ends before a start.
  commands: ['server app', 'tools', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
  'web app': ['feature web', 'feature root', 'ui', 'domain'],
  testing: ['server app', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
  tools: ['testing', 'server app', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
  scenarios: ['testing', 'server app', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
  e2e: ['tools', 'testing', 'server app', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
  bench: ['tools', 'testing', 'server app', 'demo', 'feature server', 'feature root', 'platform', 'domain'],
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
  demo: 'server',
  'server app': 'server',
  commands: 'server',
  testing: 'server',
  tools: 'server',
  scenarios: 'server',
  e2e: 'server',
  bench: 'server',
  configuration: 'server',
}

const WHOLE_FOLDERS = new Set<string>([
  'domain',
  'platform',
  'ui',
  'demo',
  'testing',
  'tools',
  'scenarios',
  'e2e',
  'bench',
])

/** @returns undefined for a path outside of all layers */
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
  const side = top === 'features' ? sideOf(path) : undefined
  if (side) return `feature ${side}`
  return undefined
}

/**
 * The side of `features/<feature>[/<room>]/server|web/…`; undefined for other paths. A room is a subfolder of a large
 * feature.
 */
function sideOf(path: string): 'server' | 'web' | undefined {
  const [, , third, fourth] = path.split('/')
  if (third === 'server' || third === 'web') return third
  return fourth === 'server' || fourth === 'web' ? fourth : undefined
}

/** The `core` room of a feature on the same side, which all its rooms may import. */
export const coreOf = (unit: string) => unit.replace(/^(features\/[^/]+)\/[^/]+\/(server|web)$/, '$1/core/$2')

/** Modules may import each other within a unit: one side of a feature or room, an application, or a whole layer. */
export function unitOf(path: string, layer: Layer): string {
  const [top, second, third, fourth] = path.split('/')
  if (layer === 'feature server' || layer === 'feature web')
    return third === 'server' || third === 'web' ? `${top}/${second}/${third}` : `${top}/${second}/${third}/${fourth}`
  if (layer === 'server app' || layer === 'web app') return `${top}/${second}`
  return layer
}

const PRODUCT = /^(domain|platform|ui|features|apps)\//
/** A test, or a helper that several tests of a folder share (`report-screen-fixture.tsx`). */
export const isTest = (path: string) =>
  isTestFile(path) || (PRODUCT.test(path) && /(^|[/-])(test|fixture)(-[a-z]+)*\.tsx?$/.test(path))
/** A file of tests, which nothing imports. */
export const isTestFile = (path: string) => /\.test\.tsx?$/.test(path)
