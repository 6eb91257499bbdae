/**
 * How many links lead from the first screen to each of the others, by the shortest way; screens without a way are left out.
 * @param links addresses that each visited screen links to, by its route
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

/** Matches addresses of the route with and without a condition, and none of a route below it. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/\$\w+/g, '[^/]+')}(/[^/]*=[^/]*)?$`)
}
