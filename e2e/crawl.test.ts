import { ROLES } from '@pc/domain/access/role.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type ApplicationRoute, applicationRoutes } from './application-routes.ts'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { linksOf, outlineOf, overflowsOf, seriousFindings, waitUntilStanding } from './crawl-probes.ts'

/**
 * Every screen as every role, on a desk and on a phone: fails on an error of the console, an unhandled rejection, a
 * serious accessibility finding, a page that scrolls sideways, and text that is wider than its box.
 */
const system = inject('system')
const WIDTHS = [1440, 390] as const
const routes = await applicationRoutes()
const counts = { visits: 0, screens: new Set<string>(), looks: 0, withoutExample: new Set<string>() }
const looked = new Set<string>()
const problems = new Map<string, Set<string>>()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it('finds nothing wrong with any screen for any role', { timeout: 600_000 }, async () => {
  const startedAt = performance.now()
  const waiting = [...ROLES]
  // Two at a time: as many processors as a small machine has.
  await Promise.all(
    [0, 1].map(async () => {
      for (let role = waiting.shift(); role !== undefined; role = waiting.shift()) await crawlAs(role)
    }),
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.warn(
    `crawl: ${ROLES.length} roles, ${routes.length} routes, ${counts.visits} visits, ${counts.screens.size} routes shown, ` +
      `${counts.looks} accessibility checks, ${problems.size} problems, ${seconds} s; ` +
      `no row to open: ${[...counts.withoutExample].join(' ') || 'none'}`,
  )
  const told = [...problems].map(([problem, places]) => `${problem}\n    at ${[...places].slice(0, 4).join(', ')}`)
  expect(told.join('\n')).toBe('')
  expect(counts.visits).toBeGreaterThan(routes.length * ROLES.length)
})

async function crawlAs(role: string): Promise<void> {
  const visitor = await newVisitor(browser)
  await signIn(visitor.page, system, role)
  for (const mount of new Set(routes.map(route => route.mount))) {
    if (mount !== '/gpc/') await visitor.page.goto(system.webOrigin + mount)
    for (const width of WIDTHS) {
      await visitor.page.setViewportSize({ width, height: 900 })
      await crawlApplication(visitor, role, mount, width)
    }
  }
  await visitor.close()
}

async function crawlApplication(visitor: Visitor, role: string, mount: string, width: number): Promise<void> {
  const own = routes.filter(route => route.mount === mount)
  const seen = new Set<string>()
  // Lists first: their rows lead to the screens of one record.
  for (const route of own.toSorted((a, b) => a.path.split('$').length - b.path.split('$').length)) {
    const address = exampleOf(route, seen)
    if (address === undefined) {
      counts.withoutExample.add(route.path)
      continue
    }
    counts.withoutExample.delete(route.path)
    await visit(visitor, route, address, `${role} ${width} ${mount}#${address}`, width)
    for (const link of await linksOf(visitor.page)) seen.add(link)
  }
}

async function visit(visitor: Visitor, route: ApplicationRoute, address: string, place: string, width: number) {
  const { page } = visitor
  const before = visitor.problems.length
  const report = (problem: string) => {
    const places = problems.get(problem) ?? new Set()
    problems.set(problem, places.add(place))
  }
  counts.visits += 1
  await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
  try {
    await waitUntilStanding(page)
  } catch {
    return report(`${route.path} does not come to rest`)
  }
  for (const text of await overflowsOf(page)) report(text)
  const isForbidden = (await page.getByText('を表示する権限がありません').count()) > 0
  if (!isForbidden) counts.screens.add(route.mount + route.path)
  const look = `${route.path} ${width} ${await outlineOf(page)}`
  if (!looked.has(look)) {
    looked.add(look)
    counts.looks += 1
    for (const text of await seriousFindings(page)) report(text)
  }
  for (const text of visitor.problems.slice(before)) report(`error: ${text}`)
}

/** The route's own path, or for the screen of a record the first link of the application that leads there. */
function exampleOf(route: ApplicationRoute, seen: ReadonlySet<string>): string | undefined {
  if (!route.path.includes('$')) return route.path
  const pattern = new RegExp(`^${route.path.replace(/\$\w+/g, '[^/]+')}$`)
  const isOther = (link: string) => routes.some(one => one.path === link)
  return [...seen].find(link => pattern.test(link) && !isOther(link))
}
