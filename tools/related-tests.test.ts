import { expect, test } from 'vitest'
import { readSources, relatedTests } from './related-tests.ts'

const SOURCES = new Map([
  ['platform/lock.ts', 'export function lock() {}'],
  ['features/a/server/save.ts', "import { lock } from '@pc/platform/lock.ts'\nrefusal('a/locked')"],
  ['features/a/server/save.test.ts', "import { save } from './save.ts'"],
  ['features/a/server/other.test.ts', "import { system } from '../../../apps/server/compose.ts'\n'a/locked'"],
  ['apps/server/compose.ts', "import { save } from '@pc/features/a/server/save.ts'"],
  ['apps/server/start.test.ts', "const { compose } = await import('./compose.ts')"],
  ['apps/server/apart.test.ts', 'export {}'],
])

test('the likeliest test comes first: imports it, speaks of it, reaches it', () => {
  expect(relatedTests('features/a/server/save.ts', SOURCES)).toEqual([
    'features/a/server/save.test.ts',
    'features/a/server/other.test.ts',
    'apps/server/start.test.ts',
  ])
  expect(relatedTests('platform/lock.ts', SOURCES).at(0)).toBe('features/a/server/other.test.ts')
  expect(relatedTests('domain/unused.ts', SOURCES)).toEqual([])
})

test('what the module names comes before all', () => {
  const source = '/** A lock.\n * Tested by `apps/server/start.test.ts`. */\nexport function lock() {}'
  const sources = new Map(SOURCES).set('platform/lock.ts', source)
  expect(relatedTests('platform/lock.ts', sources).at(0)).toBe('apps/server/start.test.ts')
})

test('rules and security of the tree have their test among the first', () => {
  const sources = readSources()
  for (const [module, test] of [
    ['features/sign-in/server/attempt-limit.ts', 'features/sign-in/server/sign-in-limits.test.ts'],
    ['features/access/server/invite-user.ts', 'features/users/server/invitations.test.ts'],
    ['domain/settlement/tax-invariants.ts', 'domain/settlement/settlement-invariants.test.ts'],
  ] as const)
    expect(relatedTests(module, sources).slice(0, 3), module).toContain(test)
})
