import type { ApolloClient } from '@apollo/client'
import type { Clients } from './client.ts'
import { todayInTokyo } from './clock-day.ts'
import type { Screen } from './define-route.ts'
import { matchScreen } from './match-screen.ts'
import { preloadScreen } from './preload-screen.ts'
import type { Viewer } from './viewer.tsx'

interface Asked {
  readonly screen: Screen
  readonly variables: string
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
  asked = { screen, variables: JSON.stringify(variables) }
  const client: ApolloClient = clients[query.api ?? own]
  // A failure has been said, and the screen that asks again shows it in its place.
  await client.query({ query: query.document, variables, fetchPolicy: 'network-only' }).catch(() => {})
}

/** With which variables the screen has just been asked for, as JSON: then it need not ask itself. */
export const earlyVariables = (screen: Screen): string | undefined =>
  asked?.screen === screen ? asked.variables : undefined

/** A screen stands: what was asked for has been used, and whoever comes later asks for what is true then. */
export function forgetEarly(): void {
  asked = undefined
}
