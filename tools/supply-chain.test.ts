import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LICENCE_FILE, licenceDocument, shippedLicences } from './licence-document.ts'
import { ROOT } from './source-tree.ts'

/** What is installed is what was reviewed, and installing it runs none of its code. */
interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly inBundle?: boolean
}
const lock = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const foreign = Object.entries(lock.packages).filter(
  ([name, { link, inBundle }]) => name.includes('node_modules/') && !link && !inBundle,
)

test('every package is pinned by a SHA-512', () => {
  expect(foreign.length).toBeGreaterThan(300)
  expect(foreign.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([name]) => name)).toEqual([])
})

test('no package comes from a place of its own', () => {
  const elsewhere = foreign.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.'),
  )
  expect(elsewhere.map(([name]) => name)).toEqual([])
})

test('install scripts are switched off', () => {
  expect(fs.readFileSync(path.join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
})

/**
 * Allowed licences: of a choice one is enough, of a combination all are needed. None of them requires us to publish our
 * source.
 */
const ALLOWED =
  /^(MIT|MIT-0|0BSD|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|OFL-1\.1|CC0-1\.0|LGPL-3\.0-or-later)$/

test('what is shipped has licences that are known and allowed, and the list of them is current', () => {
  const isAllowed = (licence: string) =>
    licence
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some(choice => choice.split(' AND ').every(each => ALLOWED.test(each)))
  expect([...shippedLicences()].filter(([, licence]) => !isAllowed(licence))).toEqual([])
  const current = fs.readFileSync(path.join(ROOT, LICENCE_FILE), 'utf8') === licenceDocument()
  expect(current, `run: node tools/licence-document.ts`).toBe(true)
})
