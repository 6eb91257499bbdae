import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
const APIS = [system.insightOrigin, system.iamOrigin].map(origin => `${origin}/query`).sort()

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** What the page sends to the APIs and to the issuer, in its order, with the preflights that the browser sends by itself. */
async function sentBy(page: Page, context: BrowserContext): Promise<string[]> {
  const sent: string[] = []
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  protocol.on('Network.requestWillBeSent', ({ initiator, request: { method, url } }) => {
    const address = url.split('?', 1)[0]!
    if (APIS.includes(address) || address.includes('/oidc/'))
      sent.push(`${initiator.type === 'preflight' ? 'preflight' : method} ${address}`)
  })
  return sent
}

it('asks leave of the APIs before it is known who is here, and the browser does not ask again for what follows', async () => {
  const { page, context, close } = await newVisitor(browser)
  await signIn(page, system, 'insight:viewer')
  // Not the console: a page of the same origin that asks nothing by itself, in a browser that has asked nothing of the APIs yet.
  const state = await context.storageState()
  await close()
  const fresh = await browser.newContext({ storageState: state })
  const again = await fresh.newPage()
  await again.goto(`${system.webOrigin}/docs/`)
  const sent = await sentBy(again, fresh)
  const statuses = await again.evaluate(async address => {
    const options = await fetch(address, { method: 'OPTIONS', credentials: 'include' })
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json', 'X-Client-Version': '1' }
    const body = '{"query":"{ __typename }"}'
    const answer = await fetch(address, { method: 'POST', credentials: 'include', headers, body })
    return [options.status, answer.status]
  }, APIS[0]!)
  expect(statuses).toEqual([204, 200])
  expect(sent.filter(each => each.startsWith('preflight'))).toHaveLength(1)

  sent.length = 0
  const problems: string[] = []
  again.on('console', message => message.type() === 'error' && problems.push(message.text()))
  await again.goto(`${system.webOrigin}/gpc/`)
  await again.getByText(/集計済み/).waitFor()
  const asked = sent.filter(each => each.startsWith('OPTIONS'))
  expect([...asked].sort()).toEqual(APIS.map(address => `OPTIONS ${address}`))
  const token = sent.findIndex(each => each.endsWith('/oidc/token'))
  expect(sent.slice(0, token)).toEqual(expect.arrayContaining(asked))
  expect(problems).toEqual([])
  await fresh.close()
})

it('goes on without an answer: an API that gives no leave is asked again with the question', async () => {
  const { page, close } = await newVisitor(browser)
  await page.route('**/query', route =>
    route.request().method() === 'OPTIONS' ? route.abort('connectionrefused') : route.continue(),
  )
  await signIn(page, system, 'insight:viewer')
  await page.getByText(/集計済み/).waitFor()
  expect(new URL(page.url()).origin).toBe(system.webOrigin)
  await close()
})
