import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.pdf': 'application/pdf',
}
/** Files below `assets/` have a hash of their content in the name, so they are cached for ever. */
const NAMED_BY_CONTENT = /(^|\/)assets\//
/** Small files stay in memory; a front end is a few hundred kilobytes. */
const MAX_KEPT_BYTES = 1024 * 1024

export interface StaticSiteOptions {
  /** The path where the site is mounted, with a trailing slash: `/gpc/`. */
  readonly mount: string
  /** The build folder. `x.js.br` and `x.js.gz` beside `x.js` are sent to clients that accept the encoding. */
  readonly folder: string
  /** True: a path without a file is 404. Default: it is a client-side route and gets the page. */
  readonly onlyFiles?: boolean
  /** Changes each page before it is sent, which is then not compressed. Default: pages are sent as built. */
  readonly changePage?: ((html: string) => string) | undefined
  /** Headers by kind of answer and by path below the mount. */
  readonly headers: (kind: 'html' | 'asset', pathBelow: string) => Readonly<Record<string, string>>
}

interface StoredFile {
  readonly file: string
  readonly type: string
  readonly isHtml: boolean
  readonly encodings: ReadonlyMap<'br' | 'gzip', string>
  readonly cacheControl: string
}

/**
 * Serves the files of a built single-page application (unknown paths get its page), or of a plain site with
 * `onlyFiles`.
 */
export function staticSite(options: StaticSiteOptions) {
  let files = readFolder(options.folder)
  let builtAt = timeOf(options.folder)
  const kept = new Map<string, { readonly body: Buffer; readonly etag: string }>()

  /** Reads the folder again after a new build (development, or an update while the server runs). */
  function rereadAfterBuild(): void {
    const now = timeOf(options.folder)
    if (now === builtAt) return
    builtAt = now
    files = readFolder(options.folder)
    kept.clear()
  }

  /** @returns undefined when a build that runs beside the server has removed the file */
  function read(file: string): { readonly body: Buffer; readonly etag: string } | undefined {
    const known = kept.get(file)
    if (known) return known
    const built = readIfThere(file)
    if (!built) return undefined
    const isChanged = options.changePage !== undefined && file.endsWith('.html')
    const body = isChanged ? Buffer.from(options.changePage(built.toString('utf8'))) : built
    const loaded = { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
    if (body.length <= MAX_KEPT_BYTES) kept.set(file, loaded)
    return loaded
  }

  function find(pathBelow: string): StoredFile | undefined {
    const exact = files.get(pathBelow === '' ? 'index.html' : pathBelow) ?? files.get(`${pathBelow}.html`)
    if (exact || options.onlyFiles) return exact
    return /\.[a-z0-9]{1,8}$/i.test(pathBelow) ? undefined : files.get('index.html')
  }

  /** @returns false when there is no such file */
  return (request: IncomingMessage, response: ServerResponse, pathname: string): boolean => {
    const pathBelow = pathname.slice(options.mount.length)
    if (!NAMED_BY_CONTENT.test(pathBelow) || !files.has(pathBelow)) rereadAfterBuild()
    const found = find(pathBelow)
    if (!found) return false
    const isAsBuilt = options.changePage === undefined || !found.isHtml
    const encoding = isAsBuilt ? chooseEncoding(request.headers['accept-encoding'], found.encodings) : undefined
    const loaded = read(encoding ? (found.encodings.get(encoding) ?? found.file) : found.file)
    if (!loaded) return false
    const { body, etag } = loaded
    const headers = {
      ...options.headers(found.isHtml ? 'html' : 'asset', pathBelow),
      'cache-control': found.cacheControl,
      vary: 'Accept-Encoding',
      etag,
    }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end()
      return true
    }
    response.writeHead(200, {
      ...headers,
      'content-type': found.type,
      'content-length': body.length,
      ...(encoding ? { 'content-encoding': encoding } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function timeOf(folder: string): number {
  return fs.statSync(path.join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The files are listed once, and only listed files are served: no path of a request reaches the file system. */
function readFolder(folder: string): ReadonlyMap<string, StoredFile> {
  const names = fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    : []
  const all = new Set(names)
  return new Map(
    names
      .filter(name => !/\.(br|gz|map)$/.test(name))
      .map(name => {
        const encodings = new Map<'br' | 'gzip', string>()
        if (all.has(`${name}.br`)) encodings.set('br', path.join(folder, `${name}.br`))
        if (all.has(`${name}.gz`)) encodings.set('gzip', path.join(folder, `${name}.gz`))
        const stored: StoredFile = {
          file: path.join(folder, name),
          type: CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
          isHtml: name.endsWith('.html'),
          encodings,
          cacheControl: NAMED_BY_CONTENT.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        }
        return [name, stored]
      }),
  )
}

function chooseEncoding(
  accepted: string | string[] | undefined,
  offered: ReadonlyMap<'br' | 'gzip', string>,
): 'br' | 'gzip' | undefined {
  const wanted = String(accepted ?? '')
    .split(',')
    .filter(one => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map(one => one.split(';', 1)[0]?.trim())
  return (['br', 'gzip'] as const).find(one => offered.has(one) && wanted.includes(one))
}
