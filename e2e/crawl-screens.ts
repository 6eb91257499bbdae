import type { Browser } from 'playwright-core'
import type { ApplicationRoute } from './application-routes.ts'
import { clicksFromHome } from './clicks-from-home.ts'
import { newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { type Glance, glanceAt, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import type { SystemAddress } from './running-system.ts'

/** Widths of the window, in pixels. */
const DESKTOP = 1440
const PHONE = 390
/** Roles that are crawled at the same time: a small machine has two processors. */
const AT_A_TIME = 2
const CONSOLE = { mount: '/gpc/', home: '/reports/dashboard' }
/** Every screen must be reached from the first one with at most this many clicks. */
const MAX_CLICKS = 3
/**
 * Screens that need no link: those that the specification hides from the menu, results of practice systems (their
 * banner links to them), and shared boards.
 */
const WITHOUT_WAY: Readonly<Record<string, RegExp>> = {
  staff: /^\/(adjustments\/practice|dashboards\/board=|histories\/payments-for-publishers|users)/,
  publisher:
    /^\/(announcements$|adjustments\/practice|dashboards\/board=|histories\/payments-by-|managements\/publishers)/,
}

export interface CrawlReport {
  readonly visits: number
  /** Routes that at least one role could see. */
  readonly shown: ReadonlySet<string>
  readonly accessibilityChecks: number
  /** Routes of a record to which no list had a link. */
  readonly withoutExample: ReadonlySet<string>
  /** Problems, with the role, width and address where each was seen. */
  readonly problems: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Visits every route as every role on a desktop, and as some roles on a phone too. One width after the other, because
 * redrawing a screen in another width takes the browser longer than opening it.
 * @param onPhones the roles that are visited in both widths
 * @param examples addresses of screens to which lists link only sometimes, for example an open month
 */
export async function crawlScreens(
  browser: Browser,
  system: SystemAddress,
  routes: readonly ApplicationRoute[],
  roles: readonly string[],
  onPhones: readonly string[],
  examples: readonly string[],
): Promise<CrawlReport> {
  const crawl = new Crawl(browser, system, routes, onPhones, examples)
  const waiting = [...roles]
  const worker = async () => {
    for (let role = waiting.shift(); role !== undefined; role = waiting.shift()) await crawl.as(role)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return crawl
}

class Crawl implements CrawlReport {
  visits = 0
  accessibilityChecks = 0
  readonly shown = new Set<string>()
  readonly withoutExample = new Set<string>()
  readonly problems = new Map<string, Set<string>>()
  readonly #looked = new Set<string>()
  /** Role and route; a right does not depend on the width. */
  readonly #forbidden = new Set<string>()
  readonly #browser: Browser
  readonly #system: SystemAddress
  readonly #routes: readonly ApplicationRoute[]
  readonly #onPhones: ReadonlySet<string>
  readonly #examples: readonly string[]

  constructor(
    browser: Browser,
    system: SystemAddress,
    routes: readonly ApplicationRoute[],
    onPhones: readonly string[],
    examples: readonly string[],
  ) {
    this.#onPhones = new Set(onPhones)
    this.#examples = examples
    this.#browser = browser
    this.#system = system
    this.#routes = routes
  }

  async as(role: string): Promise<void> {
    const visitor = await newVisitor(this.#browser)
    try {
      await signIn(visitor.page, this.#system, role)
      for (const mount of new Set(this.#routes.map(route => route.mount))) {
        if (mount !== '/gpc/') await visitor.page.goto(this.#system.webOrigin + mount)
        for (const width of this.#onPhones.has(role) ? [DESKTOP, PHONE] : [DESKTOP]) {
          await visitor.page.setViewportSize({ width, height: 900 })
          await this.#application(visitor, mount, width, role)
        }
      }
    } catch (error) {
      this.#report(`the visit ended: ${String(error).slice(0, 300)}`, role)
    } finally {
      await visitor.close()
    }
  }

  async #application(visitor: Visitor, mount: string, width: number, role: string): Promise<void> {
    const own = this.#routes.filter(route => route.mount === mount)
    const seen = new Set(this.#examples)
    const ids = ({ path }: ApplicationRoute) => path.split('$').length
    const linksOf = new Map<string, readonly string[]>()
    // Lists first, because their rows link to the screens of one record.
    for (const route of own.toSorted((a, b) => ids(a) - ids(b))) {
      const address = exampleOf(route, own, seen)
      const name = mount + route.path.slice(1)
      if (address === undefined) {
        if (!this.shown.has(name)) this.withoutExample.add(name)
        continue
      }
      this.withoutExample.delete(name)
      const isKnown = this.#forbidden.has(`${role} ${name}`) && this.#looked.has(`forbidden ${width}`)
      if (isKnown) continue
      const { isForbidden, links } = await this.#visit(visitor, name, address, width, `${role} ${width} ${address}`)
      if (isForbidden) this.#forbidden.add(`${role} ${name}`)
      for (const link of links) seen.add(link)
      if (!isForbidden) linksOf.set(route.path, links)
    }
    if (mount === CONSOLE.mount && linksOf.has(CONSOLE.home)) this.#judgeWays(linksOf, role, width)
  }

  #judgeWays(linksOf: ReadonlyMap<string, readonly string[]>, role: string, width: number): void {
    const clicks = clicksFromHome(CONSOLE.home, linksOf)
    for (const path of linksOf.keys()) {
      const count = clicks.get(path)
      if (WITHOUT_WAY[kindOf(role)]?.test(path) || (count !== undefined && count <= MAX_CLICKS)) continue
      this.#report(
        `${path} is ${count === undefined ? 'reached by no link' : `${count} clicks from the first screen`}`,
        `${role} ${width}`,
      )
    }
  }

  async #visit(visitor: Visitor, name: string, address: string, width: number, place: string): Promise<Glance> {
    const { page } = visitor
    const before = visitor.problems.length
    this.visits += 1
    await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
    try {
      await waitUntilStable(page)
    } catch {
      this.#report(`${name} does not come to rest`, place)
      return { overflows: [], isForbidden: false, links: [] }
    }
    const glance = await glanceAt(page)
    const { overflows, isForbidden } = glance
    for (const text of overflows) this.#report(text, place)
    if (!isForbidden) this.shown.add(name)
    // Staff, publishers' people and others see different parts of a screen; within each group it looks the same.
    const look = isForbidden ? `forbidden ${width}` : `${name} ${width} ${kindOf(place)}`
    if (!this.#looked.has(look)) {
      this.#looked.add(look)
      this.accessibilityChecks += 1
      for (const text of await seriousFindings(page)) this.#report(text, place)
    }
    for (const text of visitor.problems.slice(before)) this.#report(`error: ${text}`, place)
    return glance
  }

  #report(problem: string, place: string): void {
    this.problems.set(problem, (this.problems.get(problem) ?? new Set()).add(place))
  }
}

/** The route's own path or, for the screen of a record, the first link that leads there. */
function exampleOf(
  route: ApplicationRoute,
  own: readonly ApplicationRoute[],
  seen: ReadonlySet<string>,
): string | undefined {
  if (!route.path.includes('$')) return route.path
  const pattern = new RegExp(`^${route.path.replace(/\$\w+/g, '[^/]+')}(/|$)`)
  return [...seen].find(link => pattern.test(link) && !own.some(one => one.path === link))
}

function kindOf(place: string): string {
  if (/^insight:publisher_/.test(place)) return 'publisher'
  return /^(admin|insight:)/.test(place) ? 'staff' : 'other'
}
