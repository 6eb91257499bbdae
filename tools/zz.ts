import { chromium } from 'playwright-core'
import { BROWSER_ARGS } from './browser-args.ts'
import { findBrowser } from './ensure-browser.ts'

const b = await chromium.launch({ executablePath: findBrowser() ?? 'chromium', args: [...BROWSER_ARGS] })
const problems: string[] = []
for (const [w, scheme] of [
  [1440, 'light'],
  [390, 'dark'],
  [390, 'light'],
  [1440, 'dark'],
] as const) {
  const c = await b.newContext({ viewport: { width: w, height: 900 }, colorScheme: scheme })
  const p = await c.newPage()
  p.on('console', m => {
    if (m.type() !== 'log') problems.push(m.text())
  })
  p.on('pageerror', e => problems.push(String(e)))
  await p.goto('http://127.0.0.1:47400/docs/index.html')
  await p.locator('footer a', { hasText: 'support@' }).waitFor()
  await p.screenshot({ path: `/tmp/h6/index-${w}-${scheme}.png`, fullPage: w === 1440 && scheme === 'light' })
  await p.keyboard.press('/')
  await p.keyboard.type('組戻し 手数料')
  await p.locator('#results li').first().waitFor()
  await p.screenshot({ path: `/tmp/h6/search-${w}-${scheme}.png` })
  if (w === 1440 && scheme === 'light') {
    await p.keyboard.press('ArrowDown')
    await p.keyboard.press('ArrowDown')
    await p.keyboard.press('ArrowUp')
    console.log('focused', await p.evaluate(() => document.activeElement?.getAttribute('href')))
    await p.keyboard.press('Enter')
    await p.waitForURL(/html#/)
    console.log(p.url())
    await p.goto(
      'http://127.0.0.1:47400/docs/index.html?q=' +
        encodeURIComponent('パブリッシャー「あおいニュース」は、同じ媒体の契約「X」の対象でもあります。'),
    )
    await p.locator('#results li').first().waitFor()
    await p.screenshot({ path: `/tmp/h6/paste.png` })
    await p.locator('#search').fill('ぬるぽがっの組合')
    await p.waitForFunction(() => /見つかりません/.test(document.querySelector('#results p')!.textContent!))
    await p.screenshot({ path: `/tmp/h6/none.png` })
    await p.keyboard.press('Escape')
    console.log('hidden', await p.locator('#results').isHidden())
    await p.goto('http://127.0.0.1:47400/docs/privacy.html')
    await p.screenshot({ path: `/tmp/h6/privacy.png`, fullPage: true })
    await p.goto('http://127.0.0.1:47400/docs/messages.html')
    await p.screenshot({ path: `/tmp/h6/messages.png` })
  }
  if (w === 390) {
    for (const n of ['messages', 'words', 'operation', 'privacy']) {
      await p.goto(`http://127.0.0.1:47400/docs/${n}.html`)
      console.log(n, await p.evaluate(() => document.documentElement.scrollWidth))
      await p.screenshot({ path: `/tmp/h6/${n}-${w}-${scheme}.png` })
    }
  }
  await c.close()
}
console.log(problems)
await b.close()
