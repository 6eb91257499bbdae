import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from './source-tree.ts'

/** What a route weighs, in bytes after gzip. */
export interface RouteWeight {
  readonly route: string
  readonly jsBytes: number
  readonly cssBytes: number
}
export interface FirstLoad {
  /** The code that checks the session, before the rest of the landing route (docs/adr/0013). */
  readonly entry: RouteWeight
  readonly landing: RouteWeight
  /** Form components and their library, loaded with the first form and shared by all. */
  readonly forms: RouteWeight
  /**
   * Size that each further route adds to the landing route and, if it is a form, to the form components; largest first.
   */
  readonly further: readonly FurtherRoute[]
}
export interface FurtherRoute extends RouteWeight {
  readonly isForm: boolean
}

/**
 * Size limits in bytes after gzip, without the rich-text editor, which loads on demand. The design allows 200 KB for
 * the landing route; the lower limit protects what was gained. Limits of entry and form components are ours: the
 * sign-in protocol takes 12 KB, react-hook-form 15 KB.
 */
export const FIRST_LOAD_BUDGET = {
  entry: 16 * 1024,
  landing: 186 * 1024,
  landingCss: 16 * 1024,
  further: 20 * 1024,
  forms: 24 * 1024,
}

const DIST = path.join(ROOT, 'apps/console/dist')
const FORMS = /^form-[\w-]{7}\.js$/

/**
 * Measures the built console: what `index.html` loads (including the dashboard), and for each screen the static imports
 * of its chunk that are not loaded yet. Code that a screen loads on demand (calendars, menus, editors) does not count.
 */
export function measureFirstLoad(dist = DIST): FirstLoad {
  const page = fs.readFileSync(path.join(dist, 'index.html'), 'utf8')
  const requested = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(match => match[1]!)
  const first = closureOf(dist, requested.filter(isScript))
  const entry = closureOf(
    dist,
    requested.filter(file => /\/index-[\w-]{7}\.js$/.test(file)),
  )
  const styles = new Set(requested.filter(file => file.endsWith('.css')))
  const sum = (files: Iterable<string>) => sizeOfFiles(files, dist)
  const files = fs.readdirSync(path.join(dist, 'assets'))
  const formsFile = files.find(file => FORMS.test(file))
  if (formsFile === undefined) throw new Error('the build has no file of the parts of forms')
  const forms = closureOf(dist, [`assets/${formsFile}`])
  const weigh = (file: string, known: ReadonlySet<string>) => ({
    jsBytes: sum([...closureOf(dist, [`assets/${file}`])].filter(each => !known.has(each))),
    cssBytes: sum([...stylesBeside(dist, file)].filter(each => !styles.has(each))),
  })
  const further = files
    .filter(file => /-view-[\w-]{7}\.js$/.test(file))
    .map(file => {
      const isForm = closureOf(dist, [`assets/${file}`]).has(`assets/${formsFile}`)
      const known = isForm ? new Set([...first, ...forms]) : first
      return { route: file.replace(/-view-[\w-]{7}\.js$/, ''), isForm, ...weigh(file, known) }
    })
  return {
    entry: { route: 'entry', jsBytes: sum(entry), cssBytes: 0 },
    landing: { route: 'dashboard', jsBytes: sum(first), cssBytes: sum(styles) },
    forms: { route: 'forms', ...weigh(formsFile, first) },
    further: further.toSorted((a, b) => b.jsBytes - a.jsBytes),
  }
}

/** Bytes after gzip. @param files - paths below the built console */
export function sizeOfFiles(files: Iterable<string>, dist = DIST): number {
  return [...files].reduce((bytes, file) => bytes + gzipped(dist, file), 0)
}

const isScript = (file: string) => file.endsWith('.js')

/** The scripts and all their static imports. */
function closureOf(dist: string, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const name of staticImports(fs.readFileSync(path.join(dist, file), 'utf8'))) {
      add(path.posix.join(path.posix.dirname(file), name))
    }
  }
  for (const file of files) add(file)
  return found
}

/** `import{a as b}from"./x.js"`, `import"./x.js"` and re-exports; not `import("./x.js")`. */
function staticImports(code: string): string[] {
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g)].map(match => match[1]!)
}

/** Style sheets that the build's loader loads with the chunk. */
function stylesBeside(dist: string, view: string): ReadonlySet<string> {
  const name = view.replace(/-[\w-]{7}\.js$/, '')
  return new Set(
    fs
      .readdirSync(path.join(dist, 'assets'))
      .filter(file => file.startsWith(`${name}-`) && file.endsWith('.css'))
      .map(file => `assets/${file}`),
  )
}

function gzipped(dist: string, file: string): number {
  const packed = path.join(dist, `${file}.gz`)
  return fs.existsSync(packed) ? fs.statSync(packed).size : gzipSync(fs.readFileSync(path.join(dist, file))).length
}
