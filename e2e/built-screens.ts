import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../tools/source-tree.ts'

/**
 * The paths of all screens, read from the route and link files as text, because the server side never imports the web
 * side.
 */
export const ROUTE_PATHS: ReadonlySet<string> = new Set(
  fs.globSync('features/**/web/*-route.{ts,tsx}', { cwd: ROOT }).map(file => {
    const value = /\bpath: (.+),/.exec(read(file))?.[1] ?? ''
    if (value.startsWith("'")) return value.slice(1, -1)
    const links = read(path.join('features', file.split(path.sep)[1]!, 'links.ts'))
    return new RegExp(`\\b${value} = '([^']+)'`).exec(links)?.[1] ?? ''
  }),
)

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}
