import { ROLES } from '@pc/domain/access/role.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { dividendCreatePath } from '@pc/features/dividends/links.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applicationRoutes } from './application-routes.ts'
import { launchBrowser } from './console-visitor.ts'
import { shareBoard } from './crawl-boards.ts'
import { crawlScreens } from './crawl-screens.ts'
import { ownSystem } from './own-system.ts'

/**
 * Every screen as every role, on a desk and on a phone: fails on an error of the console, an unhandled rejection, a
 * serious accessibility finding, a page that scrolls sideways, and text that is wider than its box.
 */
const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it('finds nothing wrong with any screen for any role', { timeout: 900_000 }, async () => {
  const routes = [...applicationRoutes(), { mount: '/gpc/', path: await shareBoard(system) }]
  const startedAt = performance.now()
  const { visits, shown, accessibilityChecks, withoutExample, problems } = await crawlScreens(
    browser,
    system,
    routes,
    ROLES,
    [dividendCreatePath(monthOfDay(today(systemClock)))],
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.warn(
    `crawl: ${ROLES.length} roles, ${routes.length} routes (${shown.size} shown), ${visits} visits, ` +
      `${accessibilityChecks} accessibility checks, ${problems.size} problems, ${seconds} s; ` +
      `no row to open: ${[...withoutExample].join(' ') || 'none'}`,
  )
  const told = [...problems].map(([problem, places]) => `${problem}\n    at ${[...places].slice(0, 4).join(', ')}`)
  expect(told.join('\n')).toBe('')
  expect([...withoutExample], 'screens of a record that nobody saw').toEqual([])
  expect(visits).toBeGreaterThan(routes.length * ROLES.length)
})
