import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { securityHeaders } from '@pc/platform/http/security-headers.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const APPLICATION = path.resolve(import.meta.dirname, '../apps/sso')
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves the built files of `/sso` and a placeholder for the console, with the headers of the real listener. */
export function accountPages(origin: string) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    const { pathname } = new URL(req.url ?? '/', origin)
    const isFile = /^\/sso\/(assets\/[\w.-]+|mark\.svg)$/.test(pathname)
    const isConsole = pathname.startsWith('/gpc/')
    if (!isFile && !isConsole && !/^\/sso\/?$/.test(pathname)) return false
    const frameAncestors = pathname === '/gpc/silent-callback' ? 'self' : 'none'
    const headers = securityHeaders({ kind: isFile ? 'asset' : 'html', webOrigin: origin, frameAncestors })
    const file = isFile ? pathname.slice('/sso/'.length) : 'index.html'
    const body = isConsole
      ? '<!doctype html><title>console</title><h1>console</h1>'
      : await readFile(path.join(APPLICATION, 'dist', file))
    res.writeHead(200, { ...headers, 'content-type': TYPES[path.extname(file)] ?? '' }).end(body)
    return true
  }
}

/** Opens a page and collects its errors, which must be none; policy violations count as well. */
export async function openWatchedPage(
  browser: Browser,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const problems: string[] = []
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'ja-JP' })
  const page = await context.newPage()
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => {
    // A refused password has a 4xx status, which the browser logs as an error.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  return { context, page, problems }
}
