import fs from 'node:fs'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { expect, test } from 'vitest'
import { withPracticeBand } from './practice-band.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const practice = { month: 202609 as YearMonth, copiedAt: new Date(0) }

test.each([
  ['apps/console/index.html', 'app'],
  ['apps/iam/index.html', 'app'],
  ['apps/sso/index.html', 'page'],
] as const)('%s says that it is for practice, before any script of its own', (file, kind) => {
  const html = fs.readFileSync(path.join(ROOT, file), 'utf8')
  const changed = withPracticeBand(practice, kind)(html)
  expect(changed).toContain(`<html data-practice="${kind}" lang="ja"`)
  expect(changed).toContain('<title>【練習】')
  expect(changed.match(/rel="icon"/g)).toEqual(['rel="icon"'])
  expect(changed).toMatch(/<body[^>]*><aside class="practice-band" aria-label="練習環境">/)
  expect(changed).toContain('ここでの操作は実際の支払・通知に影響しません')
  expect(changed).toContain('<a href="/gpc/#/adjustments/practice">2026年9月分の練習の結果</a>')
  // The content security policy allows no inline script and no inline style.
  expect(changed).not.toMatch(/<script>|<style|style="/)
  const files = [...changed.matchAll(/"\/gpc\/(practice\/[^"]+)"/g)].map(match => match[1]!)
  expect(files).toHaveLength(3)
  for (const name of files) expect(fs.existsSync(path.join(ROOT, 'apps/console/public', name)), name).toBe(true)
})
