import { ALLOWED_TAGS } from '@pc/domain/text/html-allow-list.ts'
import type { BrowserContext, Page } from 'playwright-core'

/** What hostile markup has done so far: calls that ran, addresses that were requested. */
export interface MarkupWatch {
  /** Returns what was noticed since the last call, after giving markup a moment to run. */
  happened(page: Page): Promise<readonly string[]>
}

/**
 * Watches a context before its first page is opened: every call and request of any frame is noticed, and no request
 * leaves.
 */
export async function watchMarkup(context: BrowserContext): Promise<MarkupWatch> {
  const seen: string[] = []
  await context.exposeFunction('__ran', (what: string) => {
    seen.push(what)
  })
  await context.addInitScript(`for (const name of ['alert', 'confirm', 'prompt', 'print'])
    window[name] = () => { top.__ran(name); return false }`)
  await context.route(/evil\.example/, route => {
    seen.push(`asked for ${route.request().url()}`)
    return route.abort()
  })
  return {
    async happened(page) {
      // Two frames and a task: by then everything that loads or animates has begun and failed.
      await page.evaluate(
        'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150))))',
      )
      return seen.splice(0)
    },
  }
}

/**
 * A script for the page: everything inside the selected elements that the allow-list does not contain (elements,
 * attributes, addresses).
 */
export function foreignIn(selector: string): string {
  return `(() => {
    const allowed = new Set(${JSON.stringify(ALLOWED_TAGS)}.map(name => name.toUpperCase()))
    const attributes = { href: /^(https?:|mailto:)/, rel: /^noopener/, target: /^_blank$/ }
    const found = new Set()
    for (const place of document.querySelectorAll(${JSON.stringify(selector)})) {
      for (const element of place.querySelectorAll('*')) {
        if (!allowed.has(element.tagName)) found.add('<' + element.tagName + '>')
        for (const { name, value } of element.attributes)
          if (element.tagName !== 'A' || !attributes[name]?.test(value)) found.add(element.tagName + ' ' + name + '=' + value.slice(0, 60))
      }
    }
    return [...found]
  })()`
}

/** A script for the page: what no screen of the product may contain. */
export const FOREIGN_ANYWHERE = `(() => {
  const found = new Set()
  for (const element of document.querySelectorAll('body *')) {
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) found.add(element.tagName + ' ' + name)
      if (/^(href|src|action|formaction|data)$/.test(name) && /^[^a-z]*(javascript|data:text|vbscript)/i.test(value)) found.add(element.tagName + ' ' + name + '=' + value.slice(0, 60))
    }
    if (/^(SCRIPT|OBJECT|EMBED|BASE|META|MARQUEE|FRAMESET|APPLET)$/.test(element.tagName) && !(element.tagName === 'SCRIPT' && element.src.startsWith(location.origin))) found.add('<' + element.tagName + '>')
    if (element.tagName === 'IFRAME' && element.src !== '' && !element.src.startsWith(location.origin) && !element.src.includes('/oidc/')) found.add('iframe ' + element.src.slice(0, 60))
  }
  return [...found]
})()`
