import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { isUploadPath } from '@pc/features/ingest/uploads.ts'
import {
  BINDING_HREF,
  BINDING_STATE,
  CONSOLE_CALLBACK_PATH,
  CONSOLE_SILENT_CALLBACK_PATH,
  IAM_SILENT_CALLBACK_PATH,
  SSO_PATH,
} from '@pc/features/sign-in/links.ts'
import type { Config } from '@pc/platform/config.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import type { Handler } from '@pc/platform/http/listener.ts'
import { type ContentKind, securityHeaders } from '@pc/platform/http/security-headers.ts'
import { staticSite } from '@pc/platform/http/static-site.ts'
import { pageViewHandler } from './page-views.ts'
import { withPracticeBand } from './practice-band.ts'
import { runtimeConfig } from './runtime-config.ts'
import type { Dependencies } from './wire-dependencies.ts'

const CLIENT_VERSION = '1.0.0'
const ROOT = path.resolve(import.meta.dirname, '../..')
const CONSOLE_MOUNT = '/gpc/'
const IAM_MOUNT = '/iam/'
const MANUAL_MOUNT = '/docs/'
const SSO_MOUNT = `${SSO_PATH}/`

/**
 * The web listener: front ends, issuer, sign-in endpoints, ingest, pictures, page views.
 * @param root folder that contains the built front ends and the manual
 */
export function webHandler(dependencies: Dependencies, root = ROOT): Handler {
  const { config, practice, identity, imageUploads, documentUploads, ingest } = dependencies
  const changeApp = practice && withPracticeBand(practice, 'app')
  const changePage = practice && withPracticeBand(practice, 'page')
  const headers = (kind: ContentKind, pathBelow = '') => pageHeaders(config, kind, pathBelow)
  const preconnect = preconnectTo([config.insightApiOrigin, config.iamApiOrigin], config.webOrigin)
  const appHeaders = (kind: ContentKind, pathBelow: string) => ({
    ...headers(kind, pathBelow),
    ...(kind === 'html' ? preconnect : {}),
  })
  const sites = [
    {
      mount: CONSOLE_MOUNT,
      answer: staticSite({
        mount: CONSOLE_MOUNT,
        folder: path.join(root, 'apps/console/dist'),
        headers: appHeaders,
        changePage: changeApp,
      }),
    },
    {
      mount: IAM_MOUNT,
      answer: staticSite({
        mount: IAM_MOUNT,
        folder: path.join(root, 'apps/iam/dist'),
        headers: appHeaders,
        changePage: changeApp,
      }),
    },
    {
      mount: SSO_MOUNT,
      answer: staticSite({ mount: SSO_MOUNT, folder: path.join(root, 'apps/sso/dist'), headers, changePage }),
    },
    {
      mount: MANUAL_MOUNT,
      answer: staticSite({
        mount: MANUAL_MOUNT,
        folder: path.join(root, 'docs/dist'),
        headers: kind => pageHeaders(config, kind, ''),
        onlyFiles: true,
        changePage,
      }),
    },
  ]
  const pageViews = pageViewHandler({ ...dependencies, webOrigin: config.webOrigin })
  const settings = Buffer.from(JSON.stringify(runtimeConfig(config, CLIENT_VERSION)))
  return async (request, response, info) => {
    if (await identity.handle(request, response)) return
    if (isUploadPath(info.path)) return ingest.forPerson(request, response, info)
    if (await ingest.forNetwork(request, response)) return
    if (await imageUploads.handle(request, response)) return
    if (await documentUploads.handle(request, response)) return
    if (info.path === '/analytics/page-views') return pageViews(request, response, info)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'GET' }, headers: { allow: 'GET, HEAD' } })
    const target = redirectTarget(request, config, info.path)
    if (target !== undefined) {
      response
        .writeHead(target.status, { ...headers('html'), location: target.location, 'cache-control': 'no-store' })
        .end()
      return
    }
    const site = sites.find(one => info.path.startsWith(one.mount))
    if (site && info.path === `${site.mount}config.json`) {
      response.writeHead(200, {
        ...headers('json'),
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
      })
      response.end(request.method === 'HEAD' ? undefined : settings)
      return
    }
    if (!site?.answer(request, response, info.path)) answerNotFound(response, headers('html'), info.path)
  }
}

/** A `Link: preconnect` header, so that connections to the APIs are set up while the page loads. */
function preconnectTo(origins: readonly string[], own: string): { readonly link?: string } {
  const others = [...new Set(origins)].filter(origin => origin !== own)
  // Without `crossorigin`, because requests with credentials use separate connections.
  return others.length > 0 ? { link: others.map(origin => `<${origin}>; rel=preconnect`).join(', ') } : {}
}

function pageHeaders(config: Config, kind: ContentKind, pathBelow: string): Readonly<Record<string, string>> {
  const issuerOrigin = new URL(config.oidcIssuer).origin
  const external = config.isOidcEmbedded ? [] : [issuerOrigin]
  const analytics = config.ga4MeasurementId === undefined ? [] : ['https://www.google-analytics.com']
  // With a bucket, pictures are uploaded to it directly.
  const bucket = config.objectsUrl === undefined ? [] : [new URL(config.objectsUrl).origin]
  const isSilentCallback =
    pathBelow !== '' &&
    [CONSOLE_SILENT_CALLBACK_PATH, IAM_SILENT_CALLBACK_PATH].some(address => address.endsWith(`/${pathBelow}`))
  return securityHeaders({
    kind,
    webOrigin: config.webOrigin,
    connectOrigins: [config.insightApiOrigin, config.iamApiOrigin, ...external, ...analytics, ...bucket],
    frameOrigins: external,
    frameAncestors: isSilentCallback ? 'self' : 'none',
    // DOMPurify's policy, which sanitises the HTML of announcements in the browser.
    trustedTypes: ['dompurify'],
  })
}

/** Whether the callback belongs to binding an account: oidc-client-ts appends the caller's state after a semicolon. */
function isBinding(query: string): boolean {
  return (new URLSearchParams(query).get('state') ?? '').endsWith(`;${BINDING_STATE}`)
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** A screen's path without `#`. It is redirected, because relative asset URLs would resolve below it. */
const NESTED_SCREEN = /^[\w-]+(?:\/[\w-]+)+$/

/**
 * Redirects `/` to the console, a mount without its slash, and other host names of this machine to the configured one,
 * to which the cookies belong.
 */
function redirectTarget(
  request: IncomingMessage,
  config: Config,
  pathname: string,
): { status: number; location: string } | undefined {
  const canonical = new URL(config.webOrigin)
  const host = URL.parse(`http://${request.headers.host}`)?.hostname ?? ''
  const query = (request.url ?? '').slice(pathname.length)
  const wantsPage = (request.headers.accept ?? '').includes('text/html')
  if (
    wantsPage &&
    host !== canonical.hostname &&
    LOOPBACK_HOSTS.has(host) &&
    LOOPBACK_HOSTS.has(canonical.hostname) &&
    pathname.startsWith('/') &&
    !pathname.startsWith('//')
  ) {
    return { status: 307, location: `${canonical.origin}${pathname}${query}` }
  }
  // At an external issuer: binds the account before the console opens.
  if (pathname === CONSOLE_CALLBACK_PATH && isBinding(query))
    return { status: 302, location: BINDING_HREF.replace('#', `/${query}#`) }
  if (pathname === '/') return { status: 302, location: CONSOLE_MOUNT }
  for (const mount of [CONSOLE_MOUNT, IAM_MOUNT]) {
    if (pathname === mount.slice(0, -1)) return { status: 302, location: `${mount}${query}` }
    const screen = pathname.startsWith(mount) ? pathname.slice(mount.length) : ''
    if (wantsPage && NESTED_SCREEN.test(screen)) return { status: 302, location: `${mount}#/${screen}${query}` }
  }
  if (pathname === MANUAL_MOUNT.slice(0, -1)) return { status: 302, location: MANUAL_MOUNT }
  if (pathname === SSO_PATH) return { status: 302, location: `${SSO_MOUNT}${query}` }
  return undefined
}

/** Other services of the platform, which a proxy may serve under this origin. */
const OTHER_SERVICES: readonly { readonly mount: string; readonly title: string }[] = [
  { mount: '/coupon/', title: 'クーポン管理' },
  { mount: '/video-manager/', title: '動画管理' },
  { mount: '/article-manager/', title: '記事入稿' },
]

function answerNotFound(response: ServerResponse, headers: Readonly<Record<string, string>>, pathname: string): void {
  const other = OTHER_SERVICES.find(({ mount }) => pathname.startsWith(mount))
  const title = other ? `「${other.title}」はこの環境に接続されていません` : 'ページが見つかりません'
  const hint = other ? '利用を始めるには、システムの管理者に接続を依頼してください。' : 'URLをご確認ください。'

  response.writeHead(404, { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`<!doctype html><html lang="ja"><meta charset="utf-8"><title>${title}</title>
<h1>${title}</h1><p>${hint}<a href="${CONSOLE_MOUNT}">トップへ戻る</a></p></html>
`)
}
