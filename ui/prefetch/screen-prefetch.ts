import type { ApolloClient, DocumentNode } from '@apollo/client'
import type { Clients } from '../data/client.ts'
import { nameOf } from '../data/operation-name.ts'
import type { Screen } from '../routing/define-route.ts'
import { matchScreen, type ScreenMatch } from '../routing/match-screen.ts'
import { preloadScreen } from '../routing/preload-screen.ts'
import type { Viewer } from '../session/viewer.tsx'
import { todayInTokyo } from '../text/clock-day.ts'
import { clearPrefetched, closePrefetch, isPrefetched, keyOf } from './prefetch-cache.ts'

/** Queries whose answers are newer than the screen that asks, by operation and variables. */
const freshKeys = new Set<string>()

/** How long to wait for an answer: drawing once is quicker than drawing a placeholder first (0.5 s on a slow device). */
const NEAR_MS = 400

/**
 * Sends the query of the first screen as soon as the viewer is known, or takes the answer that `startup-queries.ts`
 * prefetched.
 * @param own the API of screens that name none
 * @returns when to draw: at once, or when a prefetched answer has arrived
 */
export async function prefetchScreen(
  screens: readonly Screen[],
  path: string,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  closePrefetch()
  const match = matchScreen(screens, path)
  if (!match || !viewer.can(match.screen.allow.action, match.screen.allow.resource)) return
  const isNear = new Promise(resolve => setTimeout(resolve, NEAR_MS))
  await Promise.race([ask(match, viewer, clients, own).catch(() => {}), isNear])
}

async function ask(
  { screen, segment, ids }: ScreenMatch,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  const query = screen.query ?? (await preloadScreen(screen)).query
  if (!query) return
  const condition = screen.condition?.parse(segment) ?? {}
  const answers = [query, ...(query.beside ?? [])].map(({ document, api, variables: read }) => {
    const variables = read(condition, { viewer, today: todayInTokyo(), ids })
    const wasPrefetched = isPrefetched(nameOf(document), variables)
    freshKeys.add(keyOf(nameOf(document), variables))
    const client: ApolloClient = clients[api ?? own]
    // The screen sends its query again and shows the failure.
    const answer = client.query({ query: document, variables, fetchPolicy: 'network-only' }).catch(() => {})
    return wasPrefetched ? answer : undefined
  })
  await Promise.all(answers)
}

/** Whether this query was prefetched, so that the screen need not send it. */
export const isFresh = (document: DocumentNode, variables: object): boolean =>
  freshKeys.has(keyOf(nameOf(document), variables))

/** The first screen is drawn: later screens send their queries. */
export function clearScreenPrefetch(): void {
  freshKeys.clear()
  clearPrefetched()
}
