import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, repositoryFiles } from '../source-tree.ts'
import { readManual } from './build-manual.ts'

test('the pages and headings that screens name are in the manual', () => {
  const known = new Set(
    readManual().flatMap(({ name, headings }) => {
      const page = `${name === 'README' ? 'index' : name}.html`
      return [page, ...headings.map(({ id }) => `${page}#${id}`)]
    }),
  )
  const files = repositoryFiles().filter(file => /^(apps|features|ui)\/.*\.tsx?$/.test(file) && !/\.test\./.test(file))
  const named = files.flatMap(file =>
    [
      ...fs
        .readFileSync(path.join(ROOT, file), 'utf8')
        .matchAll(/['`](?:\/docs\/)?([\w-]+\.html)(#\$\{.*?\}|#[^'`]*)?['`]/g),
    ]
      .filter(([whole, page = '']) => whole.includes('/docs/') || known.has(page))
      .map(([, page = '', heading = '']) => ({ file, address: `${page}${resolved(heading)}` })),
  )
  expect(named.length).toBeGreaterThan(45)
  expect(named.filter(({ address }) => !known.has(address))).toEqual([])
})

/** `#${encodeURIComponent('送信方法')}` → `#送信方法` */
function resolved(heading: string): string {
  return heading.replace(/\$\{encodeURIComponent\('(.*)'\)\}/, '$1')
}
