import { expect, test } from 'vitest'
import { readSources, relatedTests } from './related-tests.ts'

const SOURCES = new Map([
  ['platform/lock.ts', 'export function lock() {}'],
  ['features/a/server/save.ts', "import { lock } from '@pc/platform/lock.ts'\nrefusal('a/locked')"],
  ['features/a/server/save.test.ts', "import { save } from './save.ts'"],
  ['features/a/server/other.test.ts', "import { system } from '../../../apps/server/wire-dependencies.ts'\n'a/locked'"],
  ['apps/server/wire-dependencies.ts', "import { save } from '@pc/features/a/server/save.ts'"],
  ['apps/server/start.test.ts', "const { compose } = await import('./wire-dependencies.ts')"],
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

test('a module’s own test comes first, also when it starts it by a path that nobody can follow', () => {
  const sources = new Map(SOURCES).set('apps/server/wire-dependencies.test.ts', 'start(path)')
  expect(relatedTests('apps/server/wire-dependencies.ts', sources).at(0)).toBe('apps/server/wire-dependencies.test.ts')
  expect(relatedTests('ui/tabs.tsx', new Map([['ui/tabs.browser.test.tsx', '']]))).toEqual(['ui/tabs.browser.test.tsx'])
})

test('what the module names comes before all', () => {
  const source = '/** A lock.\n * Tested by `apps/server/start.test.ts`. */\nexport function lock() {}'
  const sources = new Map(SOURCES).set('platform/lock.ts', source)
  expect(relatedTests('platform/lock.ts', sources).at(0)).toBe('apps/server/start.test.ts')
})

test('a module may name several tests, at any place of a sentence', () => {
  const source =
    '// What it does is tested by `a/does.test.ts`, what it refuses by `b/refuses.browser.test.tsx`.\nrun()'
  expect(relatedTests('command.ts', new Map([['command.ts', source]]))).toEqual([
    'a/does.test.ts',
    'b/refuses.browser.test.tsx',
  ])
})

test('a screen is reached by its text, a command by its path', () => {
  const sources = new Map([
    ['features/a/web/sign-view.tsx', "import { send } from './send.ts'\nconst TITLE = 'サインインする'"],
    ['features/a/web/send.ts', 'export const send = 1'],
    ['features/a/web/other-view.tsx', "const TITLE = 'サインアウトする'"],
    ['e2e/steps.ts', "await click('サインインする')"],
    ['e2e/sign.test.ts', "import { signIn } from './steps.ts'"],
    ['e2e/far.test.ts', "await click('ほかの画面')"],
    ['apps/server/commands/ingest.ts', ''],
    ['features/a/server/command.test.ts', "path.join(here, '../../../apps/server/commands/ingest.ts')"],
  ])
  expect(relatedTests('features/a/web/sign-view.tsx', sources)).toEqual(['e2e/sign.test.ts'])
  expect(relatedTests('features/a/web/send.ts', sources)).toEqual(['e2e/sign.test.ts'])
  expect(relatedTests('features/a/web/other-view.tsx', sources)).toEqual([])
  expect(relatedTests('apps/server/commands/ingest.ts', sources)).toEqual(['features/a/server/command.test.ts'])
})

test('rules and security of the tree have their test among the first', () => {
  const sources = readSources()
  for (const [module, test] of [
    ['features/sign-in/server/attempt-limit.ts', 'features/sign-in/server/sign-in-limits.test.ts'],
    ['features/access/server/invite-user.ts', 'features/users/server/invitations.test.ts'],
    ['domain/settlement/tax-invariants.ts', 'domain/settlement/settlement-invariants.test.ts'],
    ['features/sign-in/web/refused-view.tsx', 'e2e/external-issuer.test.ts'],
    ['features/sign-in/web/totp-setup.tsx', 'e2e/account-screens.test.ts'],
    ['apps/server/commands/settle.ts', 'scenarios/earlier-close.test.ts'],
  ] as const)
    expect(relatedTests(module, sources).slice(0, 3), module).toContain(test)
})
