import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BROWSER_ARGS } from './browser-args.ts'

test('what Playwright switches off in Chromium stays off', () => {
  const folder = path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
  const source = fs.readFileSync(path.join(folder, 'lib/coreBundle.js'), 'utf8')
  const list = /disabledFeatures = \[([^\]]*)\]/.exec(source)?.[1] ?? ''
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name)
  expect(theirs.length).toBeGreaterThan(10)
  const ours = BROWSER_ARGS.find(arg => arg.startsWith('--disable-features='))
    ?.replace(/.*=/, '')
    .split(',')
  expect(ours).toEqual(expect.arrayContaining(theirs))
})
