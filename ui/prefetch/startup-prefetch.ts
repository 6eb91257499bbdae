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
import {
  closePrefetch,
  fetchOrTakePrefetched,
  isPrefetched,
  type PrefetchedQuery,
  prefetch,
  textOf,
} from './prefetch-cache.ts'

interface Application {
  readonly screens: readonly Screen[]
  /** Path of the screen that the root shows. */
  readonly home: string
  /** The API of screens that do not name one. */
  readonly own: keyof Clients
  /** Further queries by screen path, sent together with the screen's own: of parts that it waits for. */
  readonly beside?: Readonly<Record<string, ScreenQuery>>
}

interface Answer<T> {
  readonly data?: T | null
  readonly errors?: unknown
}

/** The viewer from the answers, and a function that writes the answers into the clients' caches. */
interface Started {
  readonly viewer: Viewer
  write(clients: Clients): void
}

export interface StartupPrefetch {
  /**
   * Sends the viewer's queries and the first screen's query. The latter is sent at once if the permission cache allows
   * it, otherwise after the viewer's answers. A failure is not reported, because the application repeats the query.
   */
  send(user: SignedInUser, config: RuntimeConfig, session: Session): void
  /**
   * Passes the received answers to the clients. Until the first screen has rendered the clients do not send those
   * queries again (`firstScreenIsDrawn`).
   * @returns resolves when to render: the viewer is known, and the screen's answer has arrived or takes too long
   */
  take(clients: Clients): Promise<void>
  /** The `fetch` of the clients, which takes what was sent. */
  readonly fetch: typeof fetch
}

/**
 * How long to wait for the screen's answer. Rendering once is faster than rendering a placeholder first, which takes
 * 0.5 s on a slow device.
 */
const NEAR_MS = 400

/** Sends the first queries of a page while the application is still loading. */
export function startupPrefetch({ screens, home, own, beside = {} }: Application): StartupPrefetch {
  const matchAddress = () => {
    const path = location.hash.slice(1)
    return matchScreen(screens, path.length > 1 ? path : home)
  }
  const queriesOf = async (match: ScreenMatch | undefined): Promise<readonly ScreenQuery[]> => {
    // A screen whose code loads on demand has its query in a module that loads first.
    const query = match?.screen.query ?? (await match?.screen.loadQuery?.())
    return [query, query && beside[match!.screen.path]].filter(one => one !== undefined)
  }
  let started: Promise<Started | undefined> | undefined
  prepareTexts(queriesOf(matchAddress()))
  return {
    fetch: fetchOrTakePrefetched,
    send(user, config, session) {
      // Read again: the redirect from an external issuer may have changed the address.
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
  // The answer is not awaited here; the client takes it from the prefetch cache.
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

/**
 * Requests the first screen's answer through the clients.
 * @returns resolves when it has arrived, if it was prefetched
 */
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
    // The failure is reported when the screen is shown.
    .catch(() => {})
}

/** The viewer by the cached policies. Unknown parts are empty; no query depends on them. */
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
