import type { Clients } from '../data/client.ts'
import { nameOf } from '../data/operation-name.ts'
import type { Screen, ScreenQuery } from '../routing/define-route.ts'
import { matchScreen, type ScreenMatch } from '../routing/match-screen.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { viewerOf } from '../session/make-viewer.ts'
import { cachedPermissions, cachePermissions } from '../session/permission-cache.ts'
import type { Session, SignedInUser } from '../session/session.ts'
import type { Viewer } from '../session/viewer.tsx'
import { ViewerAgreementsDocument, type ViewerAgreementsQuery } from '../session/viewer-agreements.gen.ts'
import {
  ViewerPoliciesDocument,
  type ViewerPoliciesQuery,
  ViewerUserDocument,
  type ViewerUserQuery,
} from '../session/viewer-iam.gen.ts'
import { todayInTokyo } from '../text/clock-day.ts'
import { isPrefetched, type PrefetchedQuery, prefetch, textOf } from './prefetch-cache.ts'

interface Application {
  readonly screens: readonly Screen[]
  /** Path that the root leads to. */
  readonly home: string
  /** The API of screens that name none. */
  readonly own: keyof Clients
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: unknown
}

export interface StartupQueries {
  /** @returns the viewer that the answers describe; undefined when one of the queries must be sent again */
  sendStartupQueries(user: SignedInUser, config: RuntimeConfig, session: Session): Promise<Viewer | undefined>
}

/**
 * Sends the queries for the viewer and the query of the first screen while the application is still being loaded. The
 * screen's query goes at once when the permission cache allows it, else when the viewer's answers do. A failure here is
 * not reported: the application sends the query again.
 */
export function startupQueries({ screens, home, own }: Application): StartupQueries {
  const matchAddress = () => {
    const path = location.hash.slice(1)
    return matchScreen(screens, path.length > 1 ? path : home)
  }
  prepareTexts(matchAddress())
  return {
    async sendStartupQueries(user, config, session) {
      if (user.id === '') return undefined
      const token = await session.idToken()
      const headers = { 'X-Client-Version': config.clientVersion, authorization: `Bearer ${token}` }
      const prefetchedQuery = (
        api: keyof Clients,
        document: PrefetchedQuery['document'],
        variables: PrefetchedQuery['variables'],
      ): PrefetchedQuery => {
        const origin = api === 'iam' ? config.iamApiOrigin : config.insightApiOrigin
        return { address: `${origin}/query`, name: nameOf(document), document, variables }
      }
      const ask = async <T>(...query: Parameters<typeof prefetchedQuery>): Promise<T | undefined> => {
        const answer = (await (await prefetch(prefetchedQuery(...query), headers))?.json()) as Answer<T> | undefined
        return answer?.errors === undefined ? (answer?.data ?? undefined) : undefined
      }
      // The redirect from an external issuer has changed the address meanwhile.
      const match = matchAddress()
      const comingQuery = queryOf(match)
      // Neither awaited nor read here: the screen does that.
      const askScreen = (viewer: Viewer) =>
        comingQuery.then(query => {
          for (const { api = own, document, variables } of queriesOf(match, query, viewer))
            if (!isPrefetched(nameOf(document), variables))
              prefetch(prefetchedQuery(api, document, variables), headers).catch(() => {})
        })
      const starting = Promise.all([
        ask<ViewerUserQuery>('iam', ViewerUserDocument, { userID: user.id }),
        ask<ViewerPoliciesQuery>('iam', ViewerPoliciesDocument, {}),
        ask<ViewerAgreementsQuery>('insight', ViewerAgreementsDocument, { userUid: user.id }),
      ])
      askScreen({ ...NOT_KNOWN, ...user, can: cachedPermissions(user.id) }).catch(() => {})
      const [iamUser, policies, agreements] = await starting
      if (!iamUser || !policies || !agreements) return undefined
      const known = viewerOf(user, iamUser, policies, agreements)
      const viewer = { ...known, can: cachePermissions(user.id, known.can) }
      askScreen(viewer).catch(() => {})
      return viewer
    },
  }
}

/** Starts to load the query of a screen whose code is loaded on demand. */
async function queryOf(match: ScreenMatch | undefined): Promise<ScreenQuery | undefined> {
  return match?.screen.query ?? (await match?.screen.loadQuery?.())
}

/** Prints the query texts while the sign-in runs: a slow device takes 50 ms for them. */
function prepareTexts(match: ScreenMatch | undefined): void {
  for (const document of [ViewerUserDocument, ViewerPoliciesDocument, ViewerAgreementsDocument]) textOf(document)
  queryOf(match)
    .then(query => {
      for (const { document } of query ? [query, ...(query.beside ?? [])] : []) textOf(document)
    })
    // Reported when the screen is shown.
    .catch(() => {})
}

/** What the permission cache does not hold; no query reads it. */
const NOT_KNOWN = {
  roles: [],
  organizationId: undefined,
  agreementIds: undefined,
  lacksAgreement: () => false,
  isStateReady: false,
}

/** @throws what `can` throws */
function queriesOf(match: ScreenMatch | undefined, query: ScreenQuery | undefined, viewer: Viewer) {
  if (!match || !viewer.can(match.screen.allow.action, match.screen.allow.resource) || !query) return []
  const context = { viewer, today: todayInTokyo(), ids: match.ids }
  const condition = match.screen.condition?.parse(match.segment) ?? {}
  return [query, ...(query.beside ?? [])].map(one => ({ ...one, variables: one.variables(condition, context) }))
}
