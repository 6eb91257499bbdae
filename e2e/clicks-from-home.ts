/**
 * The number of links from the first screen to each other screen, by the shortest way. Screens that no link leads to
 * are left out.
 * @param links the addresses to which each visited screen links, by route
 */
export function clicksFromHome(home: string, links: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const routes = [...links.keys()].map(route => ({ route, pattern: patternOf(route) }))
  const clicks = new Map([[home, 0]])
  for (let distance = 1, last = [home]; last.length > 0; distance += 1) {
    const addresses = last.flatMap(route => links.get(route) ?? [])
    last = routes
      .filter(({ route, pattern }) => !clicks.has(route) && addresses.some(address => pattern.test(address)))
      .map(({ route }) => route)
    for (const route of last) clicks.set(route, distance)
  }
  return clicks
}

/** Matches the addresses of the route with or without a condition, but not those of routes below it. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/\$\w+/g, '[^/]+')}(/[^/]*=[^/]*)?$`)
}
