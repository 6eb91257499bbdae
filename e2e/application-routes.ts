import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'

export interface ApplicationRoute {
  /** Where the application lives: `/gpc/`. */
  readonly mount: string
  /** With `$id` for what a row's link fills in. */
  readonly path: string
  readonly title: string
}

const APPLICATIONS = [
  { mount: '/gpc/', routes: 'apps/console/routes.ts' },
  { mount: '/iam/', routes: 'apps/iam/routes.ts' },
]

/**
 * Every screen of every application, as the applications list them. Read as text, because the server side never imports
 * the web side; the paths are computed by the features' own link files. A new screen joins by itself.
 */
export async function applicationRoutes(): Promise<ApplicationRoute[]> {
  const found = APPLICATIONS.filter(({ routes }) => fs.existsSync(path.join(ROOT, routes))).flatMap(
    ({ mount, routes }) =>
      [...read(routes).matchAll(/from '@pc\/features\/([\w/-]+-route\.tsx?)'/g)].map(match => ({
        mount,
        file: `features/${match[1]}`,
      })),
  )
  return Promise.all(
    found.map(async ({ mount, file }) => {
      const text = read(file)
      const written = /\bpath: (.+),/.exec(text)?.[1] ?? ''
      const title = /\btitle: '([^']+)'/.exec(text)?.[1] ?? file
      return { mount, path: await pathOf(written, file), title }
    }),
  )
}

/** `'/x'`, `X_PATH` or `xPath('$id')`. */
async function pathOf(written: string, file: string): Promise<string> {
  const literal = /^'([^']+)'$/.exec(written)?.[1]
  if (literal !== undefined) return literal
  const [, name = '', argument] = /^(\w+)(?:\('([^']*)'\))?$/.exec(written) ?? []
  const imported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(read(file))?.[1] ?? ''
  const source = imported.startsWith('@pc/features/')
    ? path.join(ROOT, imported.replace('@pc/', ''))
    : path.resolve(ROOT, path.dirname(file), imported)
  const links = (await import(source)) as Record<string, unknown>
  const value = links[name]
  const found = typeof value === 'function' ? String(value(argument)) : value
  if (typeof found !== 'string' || !found.startsWith('/')) throw new Error(`${file}: no path behind ${written}`)
  return found
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}
