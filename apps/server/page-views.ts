import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { requireSameOriginJson } from '@pc/platform/http/json-endpoint.ts'
import type { Handler } from '@pc/platform/http/listener.ts'
import { parseJson, storable } from '@pc/platform/http/parse-json.ts'
import { readBody } from '@pc/platform/http/read-body.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'

const MAX_BODY_BYTES = 4_096
/** More page views per minute are dropped, so that nobody can fill the table. */
const MAX_PER_MINUTE = 3_000
const MAX_TITLE = 100
/** A screen's path as in its route (`/users/edit/$userID`): without condition, and without digits, so without ids. */
const SCREEN_PATH = /^\/[a-z/#_-]{0,120}(\$[a-zA-Z]+[a-z/#_-]{0,40}){0,3}$/

export interface PageViewOptions {
  readonly database: Database
  readonly webOrigin: string
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
}

/** `POST /analytics/page-views {path, title}`, from our own pages only: records which screens are used. */
export function pageViewHandler(options: PageViewOptions): Handler {
  let window = { startedAt: 0, count: 0 }
  return async (request, response) => {
    if (request.method !== 'POST')
      throw new HttpError(405, 'method-not-allowed', { data: { allowed: 'POST' }, headers: { allow: 'POST' } })
    requireSameOriginJson(request, options.webOrigin)
    const body = storable(parseJson(await readBody(request, MAX_BODY_BYTES)))
    const path = typeof body === 'object' && body !== null && 'path' in body ? body.path : undefined
    if (typeof path !== 'string' || !SCREEN_PATH.test(path)) throw new HttpError(400, 'path-not-screen')
    const title =
      body && typeof body === 'object' && 'title' in body && typeof body.title === 'string' ? body.title : null
    const now = performance.now()
    if (now - window.startedAt > 60_000) window = { startedAt: now, count: 0 }
    window.count += 1
    if (window.count <= MAX_PER_MINUTE) {
      const viewer = await options.authenticate(request.headers.authorization)
      await options.database.inScope(SYSTEM, tx =>
        tx
          .insertInto('pageViews')
          .values({
            uid: viewer?.impersonatedBy?.uid ?? viewer?.uid ?? null,
            path,
            title: title?.slice(0, MAX_TITLE) ?? null,
          })
          .execute(),
      )
    }
    response.writeHead(204).end()
  }
}
