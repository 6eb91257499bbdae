import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ROOT } from '../tools/source-tree.ts'
import { newVisitor, signIn } from './console-visitor.ts'
import { waitUntilStable } from './crawl-probes.ts'
import type { SystemAddress } from './running-system.ts'

const FOLDER = path.join(ROOT, 'docs/manual/images')
const WORDS_FILE = path.join(FOLDER, 'words.json')

interface Picture {
  readonly name: string
  readonly address: string
  /** Absent: the screen before signing in. */
  readonly role?: string
  readonly isPhone?: boolean
  /** What the person does before the picture is taken. */
  readonly open?: (page: Page) => Promise<void>
}
const STAFF = 'insight:admin'
const PUBLISHER = 'insight:publisher_admin'
export const MANUAL_PICTURES: readonly Picture[] = [
  { name: 'sign-in', address: '/sso#/signin' },
  { name: 'dashboard', address: '/gpc/#/reports/dashboard', role: STAFF },
  { name: 'agreements', address: '/gpc/#/managements/agreements', role: STAFF },
  { name: 'payments-by-agreement', address: '/gpc/#/histories/payments-by-agreement', role: STAFF },
  { name: 'close-board', address: '/gpc/#/adjustments/dividend', role: STAFF },
  {
    ...{ name: 'explain', address: '/gpc/#/histories/payments-by-agreement', role: STAFF },
    open: async page => {
      await page
        .getByRole('button', { name: /^支払額（税込） [1-9].*円の内訳$/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'bank-accounts', address: '/gpc/#/bank-accounts', role: PUBLISHER },
  {
    ...{ name: 'statement-phone', address: '/gpc/#/histories/statements', role: PUBLISHER, isPhone: true },
    open: async page => {
      await page
        .getByRole('link', { name: /^\d{6}-\d/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

/**
 * Takes a picture of the manual again when the words of its screen (headings, buttons, columns, fields) have changed;
 * the new file is then committed. Figures and dates change every day and are no reason on their own.
 * @returns the words of each screen, and the pictures that were taken
 */
export async function refreshPictures(
  browser: Browser,
  system: SystemAddress,
): Promise<{ words: Readonly<Record<string, string>>; taken: readonly string[] }> {
  const known = readWords()
  const words: Record<string, string> = {}
  const taken: string[] = []
  for (const { name, address, role, isPhone, open } of MANUAL_PICTURES) {
    const { page, close } = await (isPhone ? newVisitor(browser, 390, 844) : newVisitor(browser, 1280, 800))
    if (role === undefined) await page.goto(system.webOrigin + address)
    else await signIn(page, system, role, address)
    await page.waitForLoadState('networkidle')
    await open?.(page)
    // Waits for parts that load after the first paint: the forecast and the charts of the dashboard.
    await page.waitForLoadState('networkidle')
    await waitUntilStable(page)
    words[name] = await wordsOf(page)
    const file = path.join(FOLDER, `${name}.png`)
    if (known[name] !== words[name] || !fs.existsSync(file)) {
      await page.screenshot({ path: file, animations: 'disabled' })
      taken.push(name)
    }
    await close()
  }
  if (taken.length > 0) fs.writeFileSync(WORDS_FILE, `${JSON.stringify(words, null, 2)}\n`)
  return { words, taken }
}

function readWords(): Record<string, string> {
  return fs.existsSync(WORDS_FILE) ? (JSON.parse(fs.readFileSync(WORDS_FILE, 'utf8')) as Record<string, string>) : {}
}

/** The words of a screen, without what changes from day to day. */
function wordsOf(page: Page): Promise<string> {
  return page.evaluate(`[...new Set([...document.querySelectorAll('h1, h2, button, th, label, legend, nav a')]
    .map(one => (one.ariaLabel ?? one.textContent).trim())
    .filter(text => text !== '' && !/\\d/.test(text)))].join(' | ')`) as Promise<string>
}
