import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readManual } from './build-manual.ts'
import { ROOT } from './source-tree.ts'

test('the pages and headings that screens name are in the manual', () => {
  const known = new Set(
    readManual().flatMap(({ name, headings }) => {
      const page = `${name === 'README' ? 'index' : name}.html`
      return [page, ...headings.map(({ id }) => `${page}#${id}`)]
    }),
  )
  const files = ['apps/console/help-links.ts', 'apps/iam/people-administration.tsx']
  const named = files.flatMap(file =>
    [...fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(/'(?:\/docs\/)?([\w-]+\.html[^']*)'/g)].map(
      found => found[1]!,
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(address => !known.has(address))).toEqual([])
})
