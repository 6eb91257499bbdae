import type { Browser } from 'playwright-core'
import type { ApplicationRoute } from './application-routes.ts'
import { clicksFromHome } from './clicks-from-home.ts'
import { newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { type Glance, glanceAt, seriousFindings, waitUntilStable } from './crawl-probes.ts'
import type { SystemAddress } from './running-system.ts'

const DESKTOP = 1440
const PHONE = 390
/** As many at a time as a small machine has processors. */
const AT_A_TIME = 2
const CONSOLE = { mount: '/gpc/', home: '/reports/dashboard' }
const MAX_CLICKS = 3
/**
 * To what no link has to lead: what the specification hides from a menu though its address opens it, the results of a system that
 * is for practice only, which its banner leads to, and a board that was shared.
 */
const WITHOUT_WAY: Readonly<Record<string, RegExp>> = {
  staff: /^\/(adjustments\/practice|dashboards\/board=|histories\/payments-for-publishers|users)/,
  publisher:
    /^\/(announcements$|adjustments\/practice|dashboards\/board=|histories\/payments-by-|managements\/publishers)/,
}

export interface CrawlReport {
  readonly visits: number
  /** Routes that were shown to somebody. */
  readonly shown: ReadonlySet<string>
  readonly accessibilityChecks: number
  /** Routes of one record to which no list had a link. */
  readonly withoutExample: ReadonlySet<string>
  /** What is wrong, and where it was seen: role, width and address. */
  readonly problems: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Visits every route as every role, on a desktop, and as some on a phone too. Width by width: to redraw a screen in another one takes the
 * browser longer than to open it.
 * @param onPhones the roles of both widths
 * @param examples addresses of screens to which lists lead only at times: that of a month only while it is open
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
  /** Role and route: a right does not depend on the width. */
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
    // Lists first: their rows lead to the screens of one record.
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
    // Staff, people of publishers and all others see different parts of a screen; within a kind it is the same.
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

/** The route's own path, or for the screen of a record the first link of the application that leads there. */
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
