import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../tools/source-tree.ts'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { waitUntilStanding } from './crawl-probes.ts'

/**
 * The pictures of the manual. Each run looks at the screens anew; when the words of one (headings, buttons, columns, fields)
 * are no longer those of its picture, the picture is taken again and is there to be committed. Figures and dates change
 * every day and alone are no reason.
 */
const FOLDER = path.join(ROOT, 'docs/manual/images')
const WORDS_FILE = path.join(FOLDER, 'words.json')
const SHOTS: readonly (readonly [name: string, address: string, role?: string])[] = [
  ['sign-in', '/sso#/signin'],
  ['dashboard', '/gpc/#/reports/dashboard', 'insight:admin'],
  ['agreements', '/gpc/#/managements/agreements', 'insight:admin'],
  ['payments-by-agreement', '/gpc/#/histories/payments-by-agreement', 'insight:admin'],
]

const system = inject('system')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

describe('the pictures of the manual', () => {
  it('show the words of the screens', async () => {
    const known = readWords()
    const now: Record<string, string> = {}
    const visitor = await newVisitor(browser, 1280, 800)
    for (const [name, address, role] of SHOTS) {
      if (role === undefined) await visitor.page.goto(system.webOrigin + address)
      else if (name === 'dashboard') await signIn(visitor.page, system, role, address)
      else await visitor.page.goto(system.webOrigin + address)
      await waitUntilStanding(visitor.page)
      now[name] = await wordsOf(visitor.page)
      const file = path.join(FOLDER, `${name}.png`)
      if (known[name] === now[name] && fs.existsSync(file)) continue
      await visitor.page.screenshot({ path: file, animations: 'disabled' })
      console.warn(`docs/manual/images/${name}.png was taken anew: commit it`)
    }
    await visitor.close()
    if (JSON.stringify(known) !== JSON.stringify(now)) fs.writeFileSync(WORDS_FILE, `${JSON.stringify(now, null, 2)}\n`)
    for (const [name] of SHOTS) expect(now[name], name).not.toBe('')
  })

  it('are those that the manual uses', () => {
    const used = fs
      .globSync('docs/manual/*.md', { cwd: ROOT })
      .flatMap(file => fs.readFileSync(path.join(ROOT, file), 'utf8').match(/images\/[\w-]+\.png/g) ?? [])
    expect(new Set(used)).toEqual(new Set(SHOTS.map(([name]) => `images/${name}.png`)))
  })
})

function readWords(): Record<string, string> {
  return fs.existsSync(WORDS_FILE) ? (JSON.parse(fs.readFileSync(WORDS_FILE, 'utf8')) as Record<string, string>) : {}
}

/** What a screen calls things, without what changes from day to day. */
function wordsOf(page: Page): Promise<string> {
  return page.evaluate(`[...new Set([...document.querySelectorAll('h1, h2, button, th, label, legend, nav a')]
    .map(one => (one.ariaLabel ?? one.textContent).trim())
    .filter(text => text !== '' && !/\\d/.test(text)))].join(' | ')`) as Promise<string>
}
