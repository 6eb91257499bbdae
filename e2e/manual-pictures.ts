import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ROOT } from '../tools/source-tree.ts'
import { newVisitor, signIn } from './console-visitor.ts'
import { waitUntilStanding } from './crawl-probes.ts'
import type { SystemAddress } from './running-system.ts'

const FOLDER = path.join(ROOT, 'docs/manual/images')
const WORDS_FILE = path.join(FOLDER, 'words.json')
/** The one without a role is seen before signing in. */
export const MANUAL_PICTURES: readonly (readonly [name: string, address: string, role?: string])[] = [
  ['sign-in', '/sso#/signin'],
  ['dashboard', '/gpc/#/reports/dashboard', 'insight:admin'],
  ['agreements', '/gpc/#/managements/agreements'],
  ['payments-by-agreement', '/gpc/#/histories/payments-by-agreement'],
]

/**
 * Looks at the screens of the manual anew. When the words of one (headings, buttons, columns, fields) are no longer those of
 * its picture, the picture is taken again, to be committed. Figures and dates change every day and alone are no reason.
 * @returns the words of each screen, and the pictures that were taken
 */
export async function refreshPictures(
  browser: Browser,
  system: SystemAddress,
): Promise<{ words: Readonly<Record<string, string>>; taken: readonly string[] }> {
  const known = readWords()
  const words: Record<string, string> = {}
  const taken: string[] = []
  const { page, close } = await newVisitor(browser, 1280, 800)
  for (const [name, address, role] of MANUAL_PICTURES) {
    if (role === undefined) await page.goto(system.webOrigin + address)
    else await signIn(page, system, role, address)
    // With the parts that come after the first paint: the forecast and the charts of the dashboard.
    await page.waitForLoadState('networkidle')
    await waitUntilStanding(page)
    words[name] = await wordsOf(page)
    const file = path.join(FOLDER, `${name}.png`)
    if (known[name] === words[name] && fs.existsSync(file)) continue
    await page.screenshot({ path: file, animations: 'disabled' })
    taken.push(name)
  }
  await close()
  if (taken.length > 0) fs.writeFileSync(WORDS_FILE, `${JSON.stringify(words, null, 2)}\n`)
  return { words, taken }
}

function readWords(): Record<string, string> {
  return fs.existsSync(WORDS_FILE) ? (JSON.parse(fs.readFileSync(WORDS_FILE, 'utf8')) as Record<string, string>) : {}
}

/** What a screen calls things, without what changes from day to day. */
function wordsOf(page: Page): Promise<string> {
  return page.evaluate(`[...new Set([...document.querySelectorAll('h1, h2, button, th, label, legend, nav a')]
    .map(one => (one.ariaLabel ?? one.textContent).trim())
    .filter(text => text !== '' && !/\\d/.test(text)))].join(' | ')`) as Promise<string>
}
