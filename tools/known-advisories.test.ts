import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Advisory, compareVersions, findKnown, lockedPackages, readAdvisories } from './known-advisories.ts'
import { ROOT } from './source-tree.ts'

const advisory = (events: readonly Record<string, string>[], more: Partial<Advisory> = {}): Advisory => ({
  id: 'GHSA-1',
  summary: 'Something bad',
  database_specific: { severity: 'HIGH' },
  affected: [{ package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
})
const versionsHit = (events: readonly Record<string, string>[], versions: readonly string[]) =>
  findKnown(
    [advisory(events)],
    versions.map(version => ({ name: 'left', version })),
  ).map(({ name }) => name.split(' ')[1])

test('versions are ordered as semver.org says', () => {
  // The example of section 11, and numbers whose order is not alphabetical.
  const inOrder = [
    ...['0', '0.9.10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
    ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.2.0', '1.10.0', '2.0.0'],
  ]
  for (const [at, version] of inOrder.entries())
    for (const [other, each] of inOrder.entries())
      expect(Math.sign(compareVersions(version, each)), `${version} ${each}`).toBe(Math.sign(at - other))
  expect(compareVersions('1.0.0+build', '1.0.0')).toBe(0)
})

test('a version is hit from the one that introduced it to the one before the fix, or to the last one', () => {
  const versions = ['1.0.0', '1.2.3', '1.2.4', '2.0.0', '2.0.5', '3.0.0-rc.1', '3.0.0']
  const gap = [{ introduced: '1.2.3' }, { fixed: '1.2.4' }, { introduced: '2.0.0' }, { fixed: '3.0.0' }]
  expect(versionsHit(gap, versions)).toEqual(['1.2.3', '2.0.0', '2.0.5', '3.0.0-rc.1'])
  expect(versionsHit([{ introduced: '0' }, { last_affected: '2.0.0' }], versions)).toEqual(versions.slice(0, 4))
  expect(versionsHit([{ introduced: '0' }], versions)).toEqual(versions)
})

test('what was withdrawn, is of another ecosystem or of another package is no finding', () => {
  const all = [{ introduced: '0' }]
  const packages = [{ name: 'left', version: '1.0.0' }]
  const of = (ecosystem: string, name: string) =>
    advisory(all, { affected: [{ package: { ecosystem, name }, ranges: [{ type: 'SEMVER', events: all }] }] })
  expect(findKnown([advisory(all, { withdrawn: '2026-01-01' })], packages)).toEqual([])
  expect(findKnown([of('PyPI', 'left'), of('npm', 'right')], packages)).toEqual([])
  const twice = [of('npm', 'left'), advisory([...all, { fixed: '9.0.0' }], { id: 'GHSA-2', database_specific: {} })]
  expect(findKnown(twice, packages)).toEqual([
    {
      name: 'left 1.0.0',
      severity: 'high',
      titles: ['GHSA-1 Something bad', 'GHSA-2 Something bad'],
      hasFix: false,
    },
  ])
  const named = advisory(all, { affected: [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['1.0.0'] }] })
  expect(findKnown([named], packages)).toHaveLength(1)
})

test('the lock file of this repository is compared with a folder of advisories', () => {
  const packages = lockedPackages(path.join(ROOT, 'package-lock.json'), false)
  expect(packages.length).toBeGreaterThan(300)
  expect(lockedPackages(path.join(ROOT, 'package-lock.json'), true).length).toBeLessThan(packages.length)
  const graphql = packages.find(({ name }) => name === 'graphql')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'advisories-'))
  expect(() => readAdvisories(folder)).toThrow('holds no advisories')
  const affected = [
    {
      package: { ecosystem: 'npm', name: 'graphql' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: graphql?.version ?? '' }] }],
    },
  ]
  fs.writeFileSync(path.join(folder, 'GHSA-1.json'), JSON.stringify(advisory([], { affected })))
  expect(findKnown(readAdvisories(folder), packages)).toMatchObject([{ name: `graphql ${graphql?.version}` }])
  fs.rmSync(folder, { recursive: true })
})
