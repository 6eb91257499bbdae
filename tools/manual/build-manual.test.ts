import fs from 'node:fs'
import path from 'node:path'
import { FEED_FINDINGS_JA } from '@pc/domain/feed/feed-finding.ts'
import { SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import { readConfig } from '@pc/platform/config.ts'
import { expect, test } from 'vitest'
import { ROOT } from '../source-tree.ts'
import { readManual } from './build-manual.ts'

const pages = new Map(readManual().map(page => [page.name === 'README' ? 'index.html' : `${page.name}.html`, page]))

test('every link between pages leads to a page and a heading, and every picture exists', () => {
  for (const [address, { html }] of pages) {
    for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (/^https?:/.test(href)) continue
      const [file = '', id] = href.split('#')
      const target = pages.get(file === '' ? address : file)
      expect(target, `${address} → ${href}`).toBeDefined()
      if (id) expect(target?.headings.map(heading => heading.id)).toContain(decodeURIComponent(id))
    }
    for (const [, image = ''] of html.matchAll(/src="([^"]+)"/g))
      expect(fs.existsSync(path.join(ROOT, 'docs/manual', image)), image).toBe(true)
  }
})

test('the sidebar leads by default to pages that are built', () => {
  for (const address of Object.values(readConfig({}).documents))
    expect([...pages.keys()]).toContain(address.replace('/docs/', '').replace('.pdf', '.html'))
})

test('every figure of the dashboard is defined, and every finding of the feed check is listed', () => {
  const metrics = pages.get('metrics.html')?.html ?? ''
  for (const { label } of Object.values(SUMMARY_METRICS)) expect(metrics).toContain(label)
  const feeds = pages.get('feed-specification.html')?.html ?? ''
  expect(feeds.match(/<td>/g)?.length).toBeGreaterThan(Object.keys(FEED_FINDINGS_JA).length)
})

test('no page runs or styles anything inline: the content security policy would refuse it', () => {
  for (const [address, { html }] of pages) expect(html, address).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})

test('what is for publishers comes before what is for the staff, in the menu as on the first page', () => {
  const names = [...pages.keys()]
  expect(names.indexOf('service-terms.html')).toBeLessThan(names.indexOf('admin-guide.html'))
  const first = pages.get('index.html')?.html ?? ''
  expect(first.indexOf('faq.html')).toBeLessThan(first.indexOf('admin-guide.html'))
})
