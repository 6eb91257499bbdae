import type { ApolloClient, DocumentNode } from '@apollo/client'
import type { Clients } from '../data/client.ts'
import { nameOf } from '../data/operation-name.ts'
import type { Screen } from '../routing/define-route.ts'
import { matchScreen, type ScreenMatch } from '../routing/match-screen.ts'
import { preloadScreen } from '../routing/preload-screen.ts'
import type { Viewer } from '../session/viewer.tsx'
import { todayInTokyo } from '../text/clock-day.ts'
import { forgetAsked, isAsked, keyOf, stopAsking } from './prefetch-cache.ts'

/** By operation and variables. */
const asked = new Set<string>()

/**
 * An answer that is this near is waited for: drawing everything once is quicker than drawing what waits for it before,
 * which takes a slow device half a second.
 */
const NEAR_MS = 400

/**
 * Sends the query of the screen that the address names as soon as it is known who is asking, or takes over what has been
 * asked before (`first-questions.ts`).
 * @param own the API of screens that name none
 * @returns when to draw: at once, or when an answer that had been asked for before is there
 */
export async function askEarly(
  screens: readonly Screen[],
  path: string,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  stopAsking()
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
    const wasAsked = isAsked(nameOf(document), variables)
    asked.add(keyOf(nameOf(document), variables))
    const client: ApolloClient = clients[api ?? own]
    // A failure has been said, and the screen that asks again shows it in its place.
    const answer = client.query({ query: document, variables, fetchPolicy: 'network-only' }).catch(() => {})
    return wasAsked ? answer : undefined
  })
  await Promise.all(answers)
}

/** Whether this has just been asked for, so that the screen need not ask itself. */
export const isFresh = (document: DocumentNode, variables: object): boolean =>
  asked.has(keyOf(nameOf(document), variables))

/** A screen stands: what was asked for has been used, and whoever comes later asks for what is true then. */
export function forgetEarly(): void {
  asked.clear()
  forgetAsked()
}
