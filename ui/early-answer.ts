import type { ApolloClient } from '@apollo/client'
import { forgetAsked, isAsked, stopAsking } from './asked-before.ts'
import type { Clients } from './client.ts'
import { todayInTokyo } from './clock-day.ts'
import type { Screen, ScreenQuery } from './define-route.ts'
import { matchScreen, type ScreenMatch } from './match-screen.ts'
import { nameOf } from './operation-name.ts'
import { preloadScreen } from './preload-screen.ts'
import type { Viewer } from './viewer.tsx'

interface Asked {
  readonly screen: Screen
  readonly variables: string
}
let asked: Asked | undefined

/** An answer that is this near is waited for: drawing everything once is quicker than drawing what waits for it before. */
const NEAR_MS = 100

/**
 * Sends the query of the screen that the address names as soon as it is known who is asking, or takes over what has been
 * asked before (`first-questions.ts`): it is under way while the application draws itself for the first time, which
 * takes a slow device half a second.
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
  const { screen } = match
  if (screen.query) return ask(screen.query, match, viewer, clients, own)
  // The query comes with the code of the screen, and that with its own pace.
  void preloadScreen(screen)
    .then(({ query }) => query && ask(query, match, viewer, clients, own))
    .catch(() => {})
}

async function ask(
  query: ScreenQuery,
  { screen, segment, ids }: ScreenMatch,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  const variables = query.variables(screen.condition?.parse(segment) ?? {}, { viewer, today: todayInTokyo(), ids })
  const isNear = isAsked(nameOf(query.document), variables)
  asked = { screen, variables: JSON.stringify(variables) }
  const client: ApolloClient = clients[query.api ?? own]
  const answer = client
    .query({ query: query.document, variables, fetchPolicy: 'network-only' })
    // A failure has been said, and the screen that asks again shows it in its place.
    .catch(() => {})
  if (isNear) await Promise.race([answer, new Promise(resolve => setTimeout(resolve, NEAR_MS))])
}

/** With which variables the screen has just been asked for, as JSON: then it need not ask itself. */
export const earlyVariables = (screen: Screen): string | undefined =>
  asked?.screen === screen ? asked.variables : undefined

/** A screen stands: what was asked for has been used, and whoever comes later asks for what is true then. */
export function forgetEarly(): void {
  asked = undefined
  forgetAsked()
}
