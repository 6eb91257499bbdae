import { type ClientPolicy, clientAllows } from '@pc/domain/access/client-policy.ts'
import type { Clients } from '../data/client.ts'
import type { Screen, ScreenQuery } from '../routing/define-route.ts'
import { matchScreen, type ScreenMatch } from '../routing/match-screen.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { viewerOf } from '../session/make-viewer.ts'
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
import { nameOf } from './operation-name.ts'
import { cachedPermissions, cachePermissions } from './permission-cache.ts'
import { closePrefetch, isPrefetched, type PrefetchedQuery, prefetch, textOf } from './prefetch-cache.ts'

interface Application {
  readonly screens: readonly Screen[]
  /** Path that the root leads to. */
  readonly home: string
  /** The API of screens that name none. */
  readonly own: keyof Clients
  /** By the path of a screen: what its parts ask at once when they are drawn, and it waits for. */
  readonly beside?: Readonly<Record<string, ScreenQuery>>
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: unknown
}

/** Whom the answers describe, and the answers. */
interface Started {
  readonly viewer: Viewer
  write(clients: Clients): void
}

export interface StartupPrefetch {
  /**
   * Sends the queries for the viewer and the query of the first screen. The screen's query goes at once when the permission
   * cache allows it, else when the viewer's answers do. A failure is not reported: the application sends the query again.
   */
  send(user: SignedInUser, config: RuntimeConfig, session: Session): void
  /**
   * Gives the clients what has arrived. Until the first screen is drawn they send none of it again (`firstScreenIsDrawn`).
   * @returns when to draw: when the viewer is known, and the screen's answer is there or not near
   */
  take(clients: Clients): Promise<void>
}

/** How long to wait for an answer: drawing once is quicker than drawing a placeholder first (0.5 s on a slow device). */
const NEAR_MS = 400

/** Lets a page send its first queries while the application is still being loaded. */
export function startupPrefetch({ screens, home, own, beside = {} }: Application): StartupPrefetch {
  const matchAddress = () => {
    const path = location.hash.slice(1)
    return matchScreen(screens, path.length > 1 ? path : home)
  }
  const queriesOf = async (match: ScreenMatch | undefined): Promise<readonly ScreenQuery[]> => {
    // Of a screen whose code is loaded on demand, the query is loaded before the view.
    const query = match?.screen.query ?? (await match?.screen.loadQuery?.())
    return [query, query && beside[match!.screen.path]].filter(one => one !== undefined)
  }
  let started: Promise<Started | undefined> | undefined
  prepareTexts(queriesOf(matchAddress()))
  return {
    send(user, config, session) {
      // The redirect from an external issuer has changed the address meanwhile.
      const match = matchAddress()
      const queries = queriesOf(match)
      started = start({ match, queries, own }, user, config, session)
      for (const each of [queries, started]) each.catch(() => {})
    },
    async take(clients) {
      const answered = await started?.catch(() => undefined)
      closePrefetch(Object.values(clients))
      if (!answered) return
      answered.write(clients)
      const isNear = new Promise(resolve => setTimeout(resolve, NEAR_MS))
      const match = matchAddress()
      await Promise.race([takeScreen(match, queriesOf(match), answered.viewer, clients, own).catch(() => {}), isNear])
    },
  }
}

interface FirstScreen {
  readonly match: ScreenMatch | undefined
  readonly queries: Promise<readonly ScreenQuery[]>
  readonly own: keyof Clients
}

async function start(
  { match, queries, own }: FirstScreen,
  user: SignedInUser,
  config: RuntimeConfig,
  session: Session,
): Promise<Started | undefined> {
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
  // Neither awaited nor read here: the screen does that.
  const askScreen = async (viewer: Viewer) => {
    for (const { api = own, document, variables } of allowedQueries(match, await queries, viewer))
      if (!isPrefetched(nameOf(document), variables))
        prefetch(prefetchedQuery(api, document, variables), headers).catch(() => {})
  }
  const starting = Promise.all([
    ask<ViewerUserQuery>('iam', ViewerUserDocument, { userID: user.id }),
    ask<ViewerPoliciesQuery>('iam', ViewerPoliciesDocument, {}),
    ask<ViewerAgreementsQuery>('insight', ViewerAgreementsDocument, { userUid: user.id }),
  ])
  const known = cachedPermissions(user.id)
  if (known) askScreen(expectedViewer(user, known)).catch(() => {})
  const [iamUser, policies, agreements] = await starting
  if (!iamUser || !policies || !agreements) return undefined
  const viewer = viewerOf(user, iamUser, policies, agreements)
  askScreen(viewer).catch(() => {})
  cachePermissions(user.id, (policies.policies?.nodes ?? []) as readonly ClientPolicy[])
  return {
    viewer,
    write({ iam, insight }) {
      iam.writeQuery({ query: ViewerUserDocument, variables: { userID: user.id }, data: iamUser })
      iam.writeQuery({ query: ViewerPoliciesDocument, data: policies })
      insight.writeQuery({ query: ViewerAgreementsDocument, variables: { userUid: user.id }, data: agreements })
    },
  }
}

/** Gives the clients the answer of the first screen. @returns when it is there, where it was prefetched */
async function takeScreen(
  match: ScreenMatch | undefined,
  queries: Promise<readonly ScreenQuery[]>,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  const answers = allowedQueries(match, await queries, viewer).map(({ api = own, document, variables }) => {
    const wasPrefetched = isPrefetched(nameOf(document), variables)
    // The screen sends its query again and shows the failure.
    const answer = clients[api].query({ query: document, variables, fetchPolicy: 'network-only' }).catch(() => {})
    return wasPrefetched ? answer : undefined
  })
  await Promise.all(answers)
}

/** Prints the query texts while the sign-in runs: a slow device takes 50 ms for them. */
function prepareTexts(queries: Promise<readonly ScreenQuery[]>): void {
  for (const document of [ViewerUserDocument, ViewerPoliciesDocument, ViewerAgreementsDocument]) textOf(document)
  queries
    .then(all => all.forEach(({ document }) => void textOf(document)))
    // Reported when the screen is shown.
    .catch(() => {})
}

/** The person as the last start knew them; of what is not known, no query reads anything. */
function expectedViewer(user: SignedInUser, policies: readonly ClientPolicy[]): Viewer {
  return {
    ...user,
    roles: [],
    organizationId: undefined,
    agreementIds: undefined,
    can: (action, resource) => clientAllows(policies, action, resource),
    lacksAgreement: () => false,
    isStateReady: false,
  }
}

function allowedQueries(match: ScreenMatch | undefined, queries: readonly ScreenQuery[], viewer: Viewer) {
  if (!match || !viewer.can(match.screen.allow.action, match.screen.allow.resource)) return []
  const context = { viewer, today: todayInTokyo(), ids: match.ids }
  const condition = match.screen.condition?.parse(match.segment) ?? {}
  return queries.map(query => ({ ...query, variables: query.variables(condition, context) }))
}
