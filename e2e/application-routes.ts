import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'

export interface ApplicationRoute {
  /** The mount path of the application, for example `/gpc/`. */
  readonly mount: string
  /** The path of the screen, with `$id` in place of a record's id. */
  readonly path: string
}

const APPLICATIONS = [
  { mount: '/gpc/', routes: 'apps/console/routes.ts' },
  { mount: '/iam/', routes: 'apps/iam/routes.ts' },
]

/**
 * Every screen of every application, so that a new screen is included automatically. Route and link files are read as
 * text, because the server side never imports the web side.
 */
export function applicationRoutes(): ApplicationRoute[] {
  const found = APPLICATIONS.filter(({ routes }) => fs.existsSync(path.join(ROOT, routes))).flatMap(
    ({ mount, routes }) =>
      [...read(routes).matchAll(/from '@pc\/features\/([\w/-]+-route\.tsx?)'/g)].map(match => ({
        mount,
        file: `features/${match[1]}`,
      })),
  )
  return found.map(({ mount, file }) => ({ mount, path: pathOf(/\bpath: (.+),/.exec(read(file))?.[1] ?? '', file) }))
}

/**
 * The path of a route that is written as `'/x'`, `X_PATH` or `xPath('$id')`, looked up in the route file or the link
 * file that it imports from.
 */
function pathOf(written: string, file: string): string {
  const [, name = '', argument = ''] = /^(\w+)(?:\('([^']*)'\))?$/.exec(written) ?? []
  const imported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(read(file))?.[1] ?? ''
  const source = imported.startsWith('@pc/') ? imported.replace('@pc/', '') : path.join(path.dirname(file), imported)
  const found = name === '' ? textOf(written, '', '') : linkValue(name, argument, read(source))
  if (!found?.startsWith('/')) throw new Error(`${file}: no path behind ${written}`)
  return found
}

/** The value of a constant of a link file, or the result of one of its functions for one argument. */
function linkValue(name: string, argument: string, links: string): string | undefined {
  const constant = new RegExp(`const ${name}(?:: [^=]+)? = (.+)`).exec(links)?.[1]
  if (constant !== undefined) return textOf(constant, argument, links)
  const body = new RegExp(`function ${name}\\([^]*?return (.+)`).exec(links)?.[1]
  return body === undefined ? undefined : textOf(body, argument, links)
}

/** Evaluates a string, or a template whose names are constants of the same file or the function's argument. */
function textOf(expression: string, argument: string, links: string): string | undefined {
  const literal = /^['`](.*)['`]/.exec(expression)?.[1]
  const replaced = /^(\w+)\.replace\('(\$\w+)', \w+\)/.exec(expression)
  if (replaced) return linkValue(String(replaced[1]), argument, links)?.replace(String(replaced[2]), argument)
  return literal?.replace(/\$\{([A-Z_]+|[^}]+)\}/g, (_, name: string) =>
    /^[A-Z_]+$/.test(name) ? (linkValue(name, argument, links) ?? '') : argument,
  )
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}
