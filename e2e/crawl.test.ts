import { ROLES } from '@pc/domain/access/role.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { manualOperationCreatePath } from '@pc/features/payments/links.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applicationRoutes } from './application-routes.ts'
import { launchBrowser } from './console-visitor.ts'
import { shareBoard } from './crawl-boards.ts'
import { type CrawlReport, crawlScreens } from './crawl-screens.ts'
import { ownSystem } from './own-system.ts'

/**
 * Visits every screen on a desktop and on a phone, as the roles that see most of each kind (as all roles in a whole
 * run). Fails on an error in the console, an unhandled rejection, a serious accessibility finding, a page that scrolls
 * sideways, text wider than its box, and a screen more than three clicks from the first one.
 */
const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** The roles that see most screens of staff, of publishers and of others, and those that see them read-only. */
const CRAWLED_ROLES = sampleOr<readonly string[]>(
  ['admin', 'insight:publisher_admin', 'insight:viewer', 'iam:viewer'],
  ROLES,
)
const ON_PHONES = sampleOr<readonly string[]>(['insight:publisher_admin'], ROLES)

/** CI runs browser tests twice. The crawl repeats only the roles with a problem, because the whole takes minutes. */
const LOOKS_AGAIN = Boolean(process.env.CI)

it('finds nothing wrong with any screen for any role', { timeout: 1_800_000, retry: 0 }, async () => {
  const routes = [...applicationRoutes(), { mount: '/gpc/', path: await shareBoard(system) }]
  const crawl = (roles: readonly string[]) =>
    crawlScreens(browser, system, routes, roles, ON_PHONES, [manualOperationCreatePath(monthOfDay(today(systemClock)))])
  const startedAt = performance.now()
  const { visits, shown, accessibilityChecks, withoutExample, problems } = await crawl(CRAWLED_ROLES)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.warn(
    `crawl: ${CRAWLED_ROLES.length} roles, ${routes.length} routes (${shown.size} shown), ${visits} visits, ` +
      `${accessibilityChecks} accessibility checks, ${problems.size} problems, ${seconds} s; ` +
      `no row to open: ${[...withoutExample].join(' ') || 'none'}`,
  )
  if (problems.size > 0 && LOOKS_AGAIN) {
    console.warn(`looked at again: ${textOf(problems)}`)
    const roles = rolesIn(problems)
    expect(roles).not.toEqual([])
    expect(textOf((await crawl(roles)).problems)).toBe('')
  } else {
    expect(textOf(problems)).toBe('')
  }
  expect([...withoutExample], 'screens of a record that nobody saw').toEqual([])
  expect(accessibilityChecks).toBeGreaterThan(shown.size)
  expect(visits).toBeGreaterThan(routes.length * sampleOr(3, ROLES.length))
})

function textOf(problems: CrawlReport['problems']): string {
  return [...problems].map(([problem, places]) => `${problem}\n    at ${[...places].slice(0, 4).join(', ')}`).join('\n')
}

function rolesIn(problems: CrawlReport['problems']): string[] {
  const places = [...problems.values()].flatMap(seen => [...seen])
  return ROLES.filter(role => places.some(place => place === role || place.startsWith(`${role} `)))
}
