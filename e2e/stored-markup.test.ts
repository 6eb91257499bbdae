import { HOSTILE_MARKUP_KINDS, hostileMarkup } from '@pc/domain/text/hostile-markup.ts'
import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { everyNth, sampleOr } from '@pc/testing/sample-size.ts'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailOf, launchBrowser, signInAs } from './console-visitor.ts'
import { waitUntilStable } from './crawl-probes.ts'
import { FOREIGN_ANYWHERE, foreignIn, type MarkupWatch, watchMarkup } from './markup-watch.ts'
import { ownSystem } from './own-system.ts'
import { type AskInsight, askingAs } from './query-insight.ts'

/**
 * Hostile markup that somebody managed to store (security, threat 13 and figure 20): saved through the API, then shown
 * in every place of the console. Each case runs with the strict policy and once without it, so that nothing depends on
 * the policy alone.
 */
const system = await ownSystem()
const ALL = hostileMarkup()
const CORPUS = everyNth(ALL, 17)
const WRITERS = 4
/** How many records of each kind are opened in their forms. */
const EDITED = sampleOr(2, 12)
/** Texts that are never HTML: names, notes, titles. */
const TEXTS = everyNth(
  HOSTILE_MARKUP_KINDS.filter((_, index) => index % 6 === 0),
  3,
).map(text => [...text].slice(0, 180).join(''))

const UPSERT_ANNOUNCEMENT =
  'mutation ($input: AnnouncementInput!) { upsertAnnouncement(input: $input) { id title body closeButtonText } }'
const UPSERT_PUBLISHER = 'mutation ($publisher: PublisherInput!) { upsertPublisher(publisher: $publisher) { id name } }'
const UPSERT_FEED = 'mutation ($input: FeedInput!) { upsertFeed(input: $input) { id name } }'
const UPSERT_AGREEMENT =
  'mutation ($input: AgreementInput!) { upsertAgreement(input: $input, agreementBankAccounts: []) { id name } }'

interface Saved {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly closeButtonText: string
}
interface Announcement {
  id: string
  title: string
  body: string
  updatedAt: string
  isRead: boolean
  level: 'info' | 'warn'
  closeButtonText: string
}

let browser: Browser
let ask: AskInsight
let announcementId: string
const announcementIds: string[] = []
/** By index of the markup in the corpus. */
const saved: string[] = []
const titles: string[] = []
/** Records with hostile names, renamed at the end. */
const records = { publishers: [] as string[], feeds: [] as string[], agreements: [] as string[] }

beforeAll(async () => {
  browser = await launchBrowser()
  ask = await askingAs(system, emailOf('insight:admin'))
})
afterAll(async () => {
  await cleanUp()
  await browser.close()
})

async function announce(input: Readonly<Record<string, unknown>>): Promise<Saved> {
  const answer = await ask<{ upsertAnnouncement: Saved }>(UPSERT_ANNOUNCEMENT, { input })
  if (!answer.data) throw new Error(`${JSON.stringify(input)}: ${JSON.stringify(answer.errors)}`)
  return answer.data.upsertAnnouncement
}

async function named(query: string, field: string, variables: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await ask<Record<string, { id: string; name: string }>>(query, variables)
  const record = answer.data?.[field]
  if (!record) throw new Error(`${JSON.stringify(variables)}: ${JSON.stringify(answer.errors)}`)
  return record.id
}

/** The text as a name may contain it: line breaks and invisible characters are refused. */
function lineOf(text: string): string {
  return withoutHiddenCharacters(text) || '検査'
}

async function cleanUp(): Promise<void> {
  const calm = (index: number) => `整理済み${index + 1}`
  for (const [index, id] of records.feeds.entries())
    await ask(UPSERT_FEED, { input: { id, name: calm(index), shortName: '', description: '', notes: '' } })
  for (const [index, id] of records.agreements.entries())
    await ask(UPSERT_AGREEMENT, { input: { id, name: calm(index), notes: '' } })
  for (const [index, id] of records.publishers.entries())
    await ask(UPSERT_PUBLISHER, { publisher: { id, name: calm(index), kana: '', notes: '' } })
  for (const id of announcementIds)
    await announce({ id, title: '整理済みのお知らせ', body: '<p>整理済み</p>', enabled: false })
}

describe('saved through the API', () => {
  it(`${CORPUS.length} bodies and titles of announcements`, async () => {
    const base = { startAt: '2026-01-01T00:00:00Z', targets: [{ kind: 'role', role: 'insight:viewer' }] }
    const waiting = [...CORPUS.entries()]
    // Each writer has its own announcement, because changes of one wait for each other.
    const write = async () => {
      const { id } = await announce({ ...base, title: '検査', body: '<p>検査</p>', enabled: true, level: 'info' })
      announcementIds.push(id)
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, markup] = next
        const title = lineOf([...markup].slice(0, 180).join(''))
        const kept = await announce({ id, title, body: `<p>前</p>${markup}<p>後</p>` })
        saved[index] = kept.body
        titles[index] = kept.title
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    announcementId = announcementIds[0] ?? ''
    expect(Object.keys(saved).length).toBe(CORPUS.length)
    expect(ALL.length).toBeGreaterThanOrEqual(1_742 + 36)
  })

  it(`${TEXTS.length} names and notes of publishers, feeds and agreements`, async () => {
    const listed = await ask<{ agreements: { nodes: { organizationId: string }[] } }>(
      '{ agreements(limit: 1, offset: 0) { nodes { organizationId } } }',
    )
    const organizationId = listed.data?.agreements.nodes[0]?.organizationId
    // A feed needs a publisher with a rule on its medium.
    const feeds = await ask<{ feeds: { nodes: { mediumId: string; publisher: { id: string } }[] } }>(
      '{ feeds(limit: 1, offset: 0) { nodes { mediumId publisher { id } } } }',
    )
    const [known] = feeds.data?.feeds.nodes ?? []
    const place = { publisherId: known?.publisher.id, mediumId: known?.mediumId }
    for (const [index, text] of TEXTS.entries()) {
      const name = lineOf(text)
      const publisher = { organizationId, name, kana: name, notes: text, enabled: true }
      const publisherId = await named(UPSERT_PUBLISHER, 'upsertPublisher', { publisher })
      records.publishers.push(publisherId)
      const feed = {
        ...{ name, shortName: [...name].slice(0, 50).join('').trim(), description: text, notes: text, ...place },
        ...{
          type: 'rss_fulltext',
          url: `https://ok.example/${process.pid}/${index}`,
          siteUrl: 'https://ok.example/',
        },
      }
      records.feeds.push(await named(UPSERT_FEED, 'upsertFeed', { input: { ...feed, enabled: false } }))
      const agreement = {
        ...{ organizationId, mediumId: '1', name, code: `XSS-${process.pid}-${index}`, notes: text },
        ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered', isPaymentDisabled: true },
      }
      records.agreements.push(await named(UPSERT_AGREEMENT, 'upsertAgreement', { input: agreement }))
    }
  })

  it('addresses of a feed are addresses of the web, or refused', async () => {
    for (const address of ['javascript:alert(1)', ' jAvascript:alert(1)', 'data:text/html,x', '//evil.example/', 'x'])
      for (const field of ['url', 'siteUrl', 'logoUrl', 'wideLogoUrl', 'bannerUrl']) {
        const answer = await ask(UPSERT_FEED, { input: { id: records.feeds[0], [field]: address } })
        expect(answer.errors?.[0]?.extensions?.code, `${field} ${address}`).toBe('BAD_REQUEST')
      }
  })
})

/** A page without a policy: whatever can run does. */
async function openBarePage(): Promise<{ page: Page; watch: MarkupWatch; close(): Promise<void> }> {
  const context = await browser.newContext()
  const watch = await watchMarkup(context)
  await context.route('http://bare.example/', route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title><div id="place"></div>' }),
  )
  const page = await context.newPage()
  await page.goto('http://bare.example/')
  return { page, watch, close: () => context.close() }
}

const show = (html: string) => `document.querySelector('#place').innerHTML = ${JSON.stringify(html)}`
/** Like `show`, beside what is already shown, so that slow loads finish. */
const showBeside = (html: string) =>
  `document.querySelector('#place').append(Object.assign(document.createElement('div'), { innerHTML: ${JSON.stringify(html)} }))`

/** Shows each body alone, with a task in which it could run before the next; returns those with something foreign. */
const foreignInEach = (bodies: readonly string[]) => `(async () => {
  const found = []
  const { port1, port2 } = new MessageChannel()
  for (const body of ${JSON.stringify(bodies)}) {
    document.querySelector('#place').innerHTML = body
    const foreign = ${foreignIn('#place')}
    if (foreign.length > 0) found.push([body, ...foreign])
    await new Promise(next => { port1.onmessage = next; port2.postMessage(0) })
  }
  return found
})()`

describe('in a page without any policy', () => {
  it('the corpus itself runs: what is watched for is noticed', async () => {
    const { page, watch, close } = await openBarePage()
    const running = ALL.filter(markup => /^<(img|svg|details|video|audio|style|iframe)/.test(markup)).slice(0, 120)
    for (const markup of running) await page.evaluate(showBeside(markup)).catch(() => {})
    const ran: string[] = []
    const countRan = async () => ran.push(...(await watch.happened(page)))
    await expect.poll(countRan).toBeGreaterThan(50)
    await close()
  })

  it('what was saved does nothing, and holds nothing but the allow-list', async () => {
    const { page, watch, close } = await openBarePage()
    expect(await page.evaluate(foreignInEach(saved))).toEqual([])
    await page.evaluate(show(saved.join('')))
    expect(await watch.happened(page)).toEqual([])
    await close()
  })
})

/** A person at the console whose network returns other announcements than the server sent. */
async function openConsole(isPolicyOff: boolean, announcements: () => readonly Announcement[]) {
  const context = await browser.newContext({
    ...{ viewport: { width: 1440, height: 900 }, locale: 'ja-JP', timezoneId: 'Asia/Tokyo' },
    bypassCSP: isPolicyOff,
  })
  const watch = await watchMarkup(context)
  const page = await context.newPage()
  await page.route(`${system.insightOrigin}/query`, route => changeAnswer(route, announcements))
  await page.goto(`${system.webOrigin}/gpc/`)
  await signInAs(page, emailOf('insight:admin'), system.password)
  return { page, watch, close: () => context.close() }
}

async function changeAnswer(route: Route, announcements: () => readonly Announcement[]): Promise<void> {
  const operation = route.request().postDataJSON()?.operationName
  if (!/^(HeaderAnnouncements|Announcements|AnnouncementDetail)$/.test(operation ?? '')) return route.continue()
  const response = await route.fetch()
  const answer = await response.json()
  const all = announcements()
  if (operation === 'HeaderAnnouncements')
    answer.data.announcements.nodes = all.map(one => ({ __typename: 'Announcement', ...one }))
  else if (operation === 'Announcements')
    for (const [index, node] of answer.data.announcements.nodes.entries()) node.title = all[index]?.title ?? node.title
  else if (answer.data.announcement)
    Object.assign(answer.data.announcement, { body: all[0]?.body, title: all[0]?.title })
  await route.fulfill({ response, json: answer })
}

function announcementsOf(bodies: readonly string[], level: 'info' | 'warn'): Announcement[] {
  return bodies.map((body, index) => ({
    ...{ id: `9${index}`, title: titles[index] ?? body, body, updatedAt: '2026-11-01T00:00:00Z' },
    ...{ isRead: false, level, closeButtonText: `確認<img src=x onerror=alert(1)>` },
  }))
}

async function go(page: Page, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
  await waitUntilStable(page)
}

describe.each([
  ['under the strict policy', false],
  ['with the policy switched off', true],
])('in the console, %s', (_name, isPolicyOff) => {
  it('the bell shows every body, as it was sent and as it was saved', async () => {
    const bodies = [...CORPUS, ...saved]
    const { page, watch, close } = await openConsole(isPolicyOff, () => announcementsOf(bodies, 'info'))
    await page.getByRole('button', { name: /^お知らせ/ }).click()
    const bodiesShown = page.locator('li[data-type] > div > div')
    await expect.poll(() => bodiesShown.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(bodies.length)
    expect(await page.evaluate(foreignIn('li[data-type] > div > div'))).toEqual([])
    expect(await page.evaluate(FOREIGN_ANYWHERE)).toEqual([])
    expect(await watch.happened(page)).toEqual([])
    await close()
  })

  it('popups, a detail, the editor and its preview', async () => {
    const count = sampleOr(1, 8)
    const pieces = Array.from({ length: count }, (_, piece) =>
      CORPUS.filter((_markup, index) => index % count === piece),
    )
    // Closed after each, so that an open element does not swallow the next piece.
    const bodies = pieces.map(piece => piece.map(markup => `<table><tr><td>${markup}</td></tr></table>`).join(''))
    let waiting = announcementsOf(bodies, 'warn')
    const { page, watch, close } = await openConsole(isPolicyOff, () => waiting)
    for (const _body of bodies) {
      const popup = page.getByRole('alertdialog')
      await popup.waitFor()
      expect(await page.evaluate(foreignIn('[role=alertdialog] table, [role=alertdialog] p'))).toEqual([])
      expect(await page.evaluate(FOREIGN_ANYWHERE)).toEqual([])
      await popup.getByRole('button').last().click()
    }
    expect(await watch.happened(page)).toEqual([])
    for (const body of bodies) {
      waiting = announcementsOf([body], 'info')
      await page.reload()
      await page.getByRole('navigation', { name: 'メインメニュー' }).waitFor()
      await go(page, `/announcements/${announcementId}`)
      await page.locator('article table').first().waitFor()
      expect(await page.evaluate(foreignIn('article > div'))).toEqual([])
      await go(page, `/announcements/edit/${announcementId}`)
      const editor = page.getByRole('textbox', { name: /本文/ })
      await editor.waitFor()
      expect(await page.evaluate(FOREIGN_ANYWHERE)).toEqual([])
      await page.getByRole('radio', { name: 'プレビュー' }).check({ force: true })
      await editor.waitFor({ state: 'detached' })
      expect(await page.evaluate(FOREIGN_ANYWHERE)).toEqual([])
    }
    expect(await watch.happened(page)).toEqual([])
    await close()
  })

  it('names, titles and notes are text in every list, form and search', async () => {
    const { page, watch, close } = await openConsole(isPolicyOff, () => announcementsOf(CORPUS.slice(0, 100), 'info'))
    const [publisher, feed, agreement] = [records.publishers, records.feeds, records.agreements]
    const addresses = [
      ...['/announcements', '/managements/publishers/order=ID_DESC', '/managements/feeds/order=ID_DESC&state=all'],
      ...['/managements/agreements/order=ID_DESC', '/managements/articles', '/bank-accounts/create'],
      ...['/reports/dashboard', '/reports/publisher-ranking', '/histories/payments-by-publisher'],
      ...publisher.slice(0, EDITED).map(id => `/managements/publishers/edit/${id}`),
      ...feed.slice(0, EDITED).map(id => `/managements/feeds/edit/${id}`),
      ...agreement.slice(0, EDITED).map(id => `/managements/agreements/edit/${id}`),
    ]
    for (const address of addresses) {
      await go(page, address)
      expect(await page.evaluate(FOREIGN_ANYWHERE), address).toEqual([])
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('onerror')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    expect(await page.evaluate(FOREIGN_ANYWHERE)).toEqual([])
    expect(await watch.happened(page)).toEqual([])
    await close()
  })
})
