import type { Database } from '@pc/platform/postgres/database.ts'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newVisitor, signIn, type Visitor } from './console-visitor.ts'
import { waitUntilStable } from './crawl-probes.ts'
import { databaseOf } from './database-of.ts'
import type { SystemAddress } from './running-system.ts'

/** People with a browser window each, and the database behind the screens. */
export interface RecordWalk {
  readonly database: Database
  /**
   * Signs in a user of the role and opens a screen, once it is stable.
   * @param width of the window
   */
  visit(role: string, path: string, width?: number): Promise<Page>
  close(): Promise<void>
}

/** Longest wait for a background job on a busy machine. */
const PATIENCE_MS = 60_000

/** Starts a browser and connects to the system's database; `close` ends both. */
export async function beginWalk(system: SystemAddress): Promise<RecordWalk> {
  const browser: Browser = await launchBrowser()
  const database = databaseOf(system)
  const visitors: Visitor[] = []
  return {
    database,
    async visit(role, path, width) {
      const visitor = await newVisitor(browser, width)
      visitors.push(visitor)
      visitor.page.setDefaultTimeout(PATIENCE_MS)
      await signIn(visitor.page, system, role, `/gpc/#${path}`)
      await waitUntilStable(visitor.page)
      return visitor.page
    },
    async close() {
      await Promise.all(visitors.map(visitor => visitor.close()))
      await database.close()
      await browser.close()
    },
  }
}

/** Opens another screen in the same window and waits until it is stable. */
export async function openScreen(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
  await waitUntilStable(page)
}

/** Types into a combobox and takes the first suggestion, by keyboard. */
export async function chooseByTyping(
  page: Page,
  field: RegExp,
  text: string,
  expected: string | RegExp,
): Promise<void> {
  const box = page.getByRole('combobox', { name: field })
  await box.focus()
  await page.keyboard.type(text)
  await page.getByRole('option', { name: expected }).first().waitFor()
  await page.keyboard.press('Enter')
}

export const toast = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
