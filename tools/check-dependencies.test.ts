import { expect, test } from 'vitest'
import { wrongLock, wrongVersions } from './check-dependencies.ts'

test('versions are exact', () => {
  const versions = { a: '1.2.3', b: '18.4.0-beta.17', c: '1.5.6-r.1' }
  expect(wrongVersions(new Map([['package.json', { dependencies: versions }]]))).toEqual([])
  for (const version of ['^1.2.3', '~1.2.3', '1.x', 'latest', '*', '1.2', 'github:a/b', 'file:../a', '>=1.0.0'])
    expect(wrongVersions(new Map([['package.json', { optionalDependencies: { a: version } }]]))).toHaveLength(1)
})

test('one package has one version everywhere', () => {
  const manifests = new Map([
    ['ui/package.json', { dependencies: { zod: '4.6.7' } }],
    ['platform/package.json', { devDependencies: { zod: '4.6.8' } }],
  ])
  expect(wrongVersions(manifests)).toEqual(['platform/package.json: zod is 4.6.8, but 4.6.7 in ui/package.json'])
})

test('a lock file names no registry and keeps its checksums', () => {
  const of = (entry: object) => wrongLock('package-lock.json', { packages: { '': {}, 'node_modules/a': entry } })
  expect(of({ integrity: 'sha512-x' })).toEqual([])
  expect(of({ resolved: 'ui', link: true })).toEqual([])
  expect(of({ integrity: 'sha512-x', resolved: 'https://registry.example/a.tgz' })).toHaveLength(1)
  expect(of({})).toHaveLength(1)
})
