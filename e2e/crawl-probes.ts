import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT } from '../tools/source-tree.ts'

/** Scripts that run in the page. They are texts, because this side has no DOM types. */
export const AXE = fs.readFileSync(path.join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** True once a screen is ready: nothing is loading, and its content begins with a heading. */
const STANDS = `(() => {
  const main = document.querySelector('main')
  if (!main || !main.querySelector('h1, h2')) return false
  if (document.querySelector('[aria-busy="true"]')) return false
  return ![...document.querySelectorAll('[role="status"]')].some(one => (one.textContent + one.ariaLabel).includes('読み込'))
})()`

/** Lists text that is wider than its box, and boxes that extend beyond the window. */
const OVERFLOWS = `(() => {
  const found = []
  const named = element => {
    const text = element.textContent.trim().slice(0, 40)
    return element.tagName.toLowerCase() + (typeof element.className === 'string' ? '.' + element.className.split(' ')[0] : '') + ' "' + text + '"'
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth + ' px; ' + wide.slice(-2).map(named).join(', '))
  }
  for (const element of document.querySelectorAll('main *, header *, nav *')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.nodeValue.trim())) continue
    const style = getComputedStyle(element)
    if (style.display === 'inline' || style.visibility === 'hidden' || element.closest('svg, [aria-hidden="true"], .visually-hidden')) continue
    if (element.clientWidth < 2 || /auto|scroll/.test(style.overflowX) || style.textOverflow === 'ellipsis') continue
    if (style.webkitLineClamp !== 'none' || style.clipPath !== 'none') continue
    if (element.scrollWidth > element.clientWidth + 1) found.push('text is wider than its box: ' + named(element))
  }
  return [...new Set(found)].slice(0, 5)
})()`

/** Options of axe: every rule checks every element, but only violations are reported. */
export const SAY_VIOLATIONS = `resultTypes: ['violations'], selectors: false`

const SERIOUS = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  ${SAY_VIOLATIONS},
}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')))`

/**
 * Draws cards that are out of sight. Until then `content-visibility` gives them an estimated height, and their contents
 * overlap the next card.
 */
const DRAW_EVERYTHING = `(() => {
  if (window.drawsEverything) return
  window.drawsEverything = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
})()`

/** Longest wait for a screen on a busy machine. */
const PATIENCE_MS = 20_000

/** Waits until nothing loads or moves; throws when that takes too long. */
export async function waitUntilStable(page: Page): Promise<void> {
  // Polled from outside, because the content security policy forbids evaluating text as code inside the page.
  const deadline = performance.now() + PATIENCE_MS
  for (let quiet = 0; quiet < 2; ) {
    quiet = (await page.evaluate(STANDS)) ? quiet + 1 : 0
    if (performance.now() > deadline) throw new Error('the screen does not come to rest')
    if (quiet < 2) await page.waitForTimeout(40)
  }
  await page.evaluate(DRAW_EVERYTHING)
  // Finished animations only, so that elements are measured where they end.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().filter(one => Number.isFinite(one.effect?.getComputedTiming().endTime)).map(one => one.finished))`,
  )
}

export const overflowsOf = (page: Page) => page.evaluate(OVERFLOWS) as Promise<string[]>

/** Serious findings of axe on the page; empty when there are none. */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(AXE)
  return (await page.evaluate(SERIOUS)) as string[]
}

export interface Glance {
  readonly overflows: readonly string[]
  /** The role may not see the screen. */
  readonly isForbidden: boolean
  /** Addresses within the application to which the page links. */
  readonly links: readonly string[]
}

/** What every visit inspects, in one round trip. */
export const glanceAt = (page: Page) =>
  page.evaluate(`({
    overflows: ${OVERFLOWS},
    isForbidden: document.body.textContent.includes('を表示する権限がありません'),
    links: [...document.querySelectorAll('main a[href^="#/"], nav a[href^="#/"]')].map(one => one.getAttribute('href').slice(1)),
  })`) as Promise<Glance>
