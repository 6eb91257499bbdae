import type { ApolloClient } from '@apollo/client'
import type { Clients } from './client.ts'
import { todayInTokyo } from './clock-day.ts'
import type { Screen } from './define-route.ts'
import { matchScreen } from './match-screen.ts'
import { preloadScreen } from './preload-screen.ts'
import type { Viewer } from './viewer.tsx'

/** Longer than the first drawing takes on a slow device; a later visit of the screen asks for itself. */
const COUNTS_FOR_MS = 10_000

interface Asked {
  readonly screen: Screen
  readonly variables: string
  readonly at: number
}
let asked: Asked | undefined

/**
 * Sends the query of the screen that the address names as soon as it is known who is asking: it is under way while the
 * application draws itself for the first time, which takes a slow device half a second.
 * @param own the API of screens that name none
 */
export async function askEarly(
  screens: readonly Screen[],
  path: string,
  viewer: Viewer,
  clients: Clients,
  own: keyof Clients,
): Promise<void> {
  const match = matchScreen(screens, path)
  if (!match || !viewer.can(match.screen.allow.action, match.screen.allow.resource)) return
  const { screen, segment, ids } = match
  const query = screen.loadQuery ? (await preloadScreen(screen)).query : screen.query
  if (!query) return
  const variables = query.variables(screen.condition?.parse(segment) ?? {}, { viewer, today: todayInTokyo(), ids })
  asked = { screen, variables: JSON.stringify(variables), at: performance.now() }
  const client: ApolloClient = clients[query.api ?? own]
  // A failure has been said, and the screen that asks again shows it in its place.
  await client.query({ query: query.document, variables, fetchPolicy: 'network-only' }).catch(() => {})
}

/** With which variables the screen was asked for a moment ago, as JSON: then it need not be asked for again. */
export function earlyVariables(screen: Screen): string | undefined {
  const isRecent = asked?.screen === screen && performance.now() - asked.at < COUNTS_FOR_MS
  return isRecent ? asked?.variables : undefined
}
