import { describe, expect, test } from 'vitest'
import { checkBoundaries } from './boundary-rules.ts'
import { readModule } from './read-module.ts'

/**
 * A small tree: path → source. Modules outside the tree that are imported exist when they are named with an empty
 * source.
 */
function check(tree: Record<string, string>, packages: { web?: string[]; server?: string[] } = {}): string[] {
  const violations = checkBoundaries({
    modules: Object.entries(tree)
      .filter(([path]) => /\.tsx?$/.test(path))
      .map(([path, source]) => readModule(path, source)),
    exists: path => path in tree,
    webPackages: new Set(packages.web),
    serverPackages: new Set(packages.server),
  })
  return violations.map(violation => `${violation.path}:${violation.line} ${violation.rule}: ${violation.message}`)
}

const imports = (...specifiers: string[]) => specifiers.map(specifier => `import { x } from '${specifier}'\n`).join('')

const LEGAL = {
  'domain/month/year-month.ts': 'export const x = 1\n',
  'domain/month/day.ts': imports('./year-month.ts'),
  'domain/month/day.test.ts': `${imports('./day.ts', 'vitest', 'fast-check')} const now = Date.now()\n`,
  'platform/postgres/database.ts': imports('@pc/domain/month/day.ts', 'pg', 'node:fs'),
  'ui/data-table.tsx': imports('@pc/domain/month/day.ts', 'react', './data-table.module.css'),
  'ui/data-table.module.css': '',
  'features/agreements/links.ts': imports('@pc/domain/month/day.ts'),
  'features/agreements/agreement-condition.ts': imports('../publishers/links.ts'),
  'features/publishers/links.ts': '',
  'features/publishers/refusals.ts': '',
  'features/publishers/server/register-publisher.ts': imports('../refusals.ts'),
  'features/agreements/server/agreement-store.ts': imports(
    '../../publishers/links.ts',
    '../agreement-condition.ts',
    './register-agreement.ts',
    '@pc/platform/postgres/database.ts',
  ),
  'features/agreements/server/register-agreement.ts': '',
  'features/agreements/server/agreement-store.test.ts': imports('@pc/testing/test-database.ts', './agreement-store.ts'),
  'features/reports/report-condition.ts': '',
  'features/reports/core/server/report-plan.ts': imports('../../report-condition.ts'),
  'features/reports/ranking/server/rank-report.ts': imports(
    '../../core/server/report-plan.ts',
    '../../report-condition.ts',
    './rank-sql.ts',
  ),
  'features/reports/ranking/server/rank-sql.ts': '',
  'features/reports/ranking/server/rank-report.test.ts': imports('../../dashboard/server/summary-report.ts'),
  'features/reports/dashboard/server/summary-report.ts': '',
  'demo/seed-demo.ts': imports('@pc/features/agreements/server/register-agreement.ts'),
  'features/agreements/web/agreements-route.tsx': imports('@pc/ui/data-table.tsx', '@pc/features/publishers/links.ts'),
  'apps/server/wire-dependencies.ts': imports(
    '@pc/features/agreements/server/agreement-store.ts',
    '@pc/platform/postgres/database.ts',
  ),
  'apps/server/commands/start.ts': imports('../wire-dependencies.ts', '../../../tools/build.ts'),
  'apps/console/routes.ts': imports('@pc/features/agreements/web/agreements-route.tsx', '@pc/ui/data-table.tsx'),
  'apps/console/vite.config.ts': imports('vite'),
  'testing/test-database.ts': imports('@pc/platform/postgres/database.ts'),
  'tools/build.ts': imports('vite'),
  'tools/generate.ts': imports('../apps/server/wire-dependencies.ts'),
  'vitest.config.ts': imports('vitest/config'),
}

test('a legal tree passes', () => {
  expect(check(LEGAL, { web: ['react'], server: ['pg'] })).toEqual([])
})

describe('import rule', () => {
  const cases: [from: string, to: string, says: string][] = [
    ['domain/x.ts', 'platform/postgres/database.ts', 'a domain module may not import platform'],
    [
      'platform/x.ts',
      'features/agreements/server/agreement-store.ts',
      'a platform module may not import feature server',
    ],
    ['platform/x.ts', 'ui/data-table.tsx', 'web and server never meet'],
    ['ui/x.ts', 'platform/postgres/database.ts', 'web and server never meet'],
    ['features/agreements/web/x.ts', 'features/agreements/server/register-agreement.ts', 'web and server never meet'],
    ['features/agreements/server/x.ts', 'features/agreements/web/agreements-route.tsx', 'web and server never meet'],
    ['features/reports/server/x.ts', 'features/agreements/server/agreement-store.ts', 'is inside another feature'],
    ['features/reports/web/x.ts', 'features/agreements/web/agreements-route.tsx', 'is inside another feature'],
    [
      'features/reports/ranking/server/x.ts',
      'features/reports/dashboard/server/summary-report.ts',
      'is in another room',
    ],
    ['features/reports/core/server/x.ts', 'features/reports/ranking/server/rank-report.ts', 'is in another room'],
    ['features/reports/server/x.ts', 'features/reports/ranking/server/rank-report.ts', 'is in another room'],
    ['features/agreements/server/x.ts', 'features/reports/core/server/report-plan.ts', 'is inside another feature'],
    ['features/agreements/server/x.ts', 'demo/seed-demo.ts', 'may not import demo'],
    ['features/reports/links.ts', 'platform/postgres/database.ts', 'a feature root module may not import platform'],
    ['features/reports/server/x.ts', 'features/publishers/refusals.ts', 'is for its own feature'],
    ['features/reports/links.ts', 'features/publishers/refusals.ts', 'is for its own feature'],
    ['features/reports/links.ts', 'ui/data-table.tsx', 'a feature root module may not import ui'],
    [
      'features/reports/server/x.ts',
      'apps/server/wire-dependencies.ts',
      'a feature server module may not import server app',
    ],
    ['apps/sso/main.ts', 'apps/console/routes.ts', 'a web app module may not import web app'],
    ['apps/console/main.ts', 'apps/server/wire-dependencies.ts', 'web and server never meet'],
    ['apps/server/main.ts', 'tools/build.ts', 'a server app module may not import tools'],
    [
      'apps/server/wire-dependencies.ts',
      'apps/server/commands/start.ts',
      'a server app module may not import commands',
    ],
    ['apps/server/main.ts', 'testing/test-database.ts', 'a server app module may not import testing'],
    ['platform/x.ts', 'tools/build.ts', 'a platform module may not import tools'],
  ]
  test.each(cases)('%s does not import %s', (from, to, says) => {
    const specifier = /^apps|^tools|^demo/.test(to) ? `${'../'.repeat(from.split('/').length - 1)}${to}` : `@pc/${to}`
    const found = check({ ...LEGAL, [from]: imports(specifier) }).filter(
      line => line.includes(': ') && line.includes(says),
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`${from}:1 import`)
  })

  test('a type is an import too', () => {
    const found = check({ ...LEGAL, 'ui/x.ts': "type A = import('@pc/platform/postgres/database.ts').A\n" })
    expect(found).toEqual([expect.stringContaining('web and server never meet')])
    expect(check({ ...LEGAL, 'domain/x.ts': "\nimport type { A } from '@pc/ui/data-table.tsx'\n" })).toEqual([
      expect.stringContaining('domain/x.ts:2 import: a domain module may not import ui'),
    ])
  })

  test('lazy imports, workers and mocks count', () => {
    const reach = "'@pc/platform/postgres/database.ts'"
    for (const source of [`await import(${reach})`, `vi.mock(${reach})`, `import.meta.resolve(${reach})`])
      expect(check({ ...LEGAL, 'ui/x.ts': source })).toEqual([expect.stringContaining('never meet')])
    const worker = "new Worker(new URL('../platform/postgres/database.ts', import.meta.url))"
    expect(check({ ...LEGAL, 'ui/x.ts': worker }).join('\n')).toContain('never meet')
  })

  test('what cannot be read is refused', () => {
    for (const source of [
      'await import(name)',
      "import.meta.glob('./*.ts')",
      "require('fs')",
      "import fs = require('fs')",
    ])
      expect(check({ 'platform/x.ts': source })).toEqual([expect.stringContaining('an import is written out')])
  })

  test('nothing imports a test', () => {
    expect(check({ ...LEGAL, 'domain/x.ts': imports('./month/day.test.ts') })).toEqual([
      expect.stringContaining('is for tests only'),
    ])
  })
})

test('what tests of a folder share is imported by tests only, and may use the test databases', () => {
  const tree = {
    ...LEGAL,
    'features/agreements/server/agreement-fixture.ts': imports('@pc/testing/test-database.ts', './agreement-store.ts'),
    'features/agreements/server/x.test.ts': imports('./agreement-fixture.ts'),
  }
  expect(check(tree, { server: ['pg'], web: ['react'] })).toEqual([])
  expect(check({ ...tree, 'features/agreements/server/x.ts': imports('./agreement-fixture.ts') })).toEqual([
    expect.stringContaining('is for tests only'),
  ])
})

describe('packages', () => {
  test('domain and the root of a feature import none', () => {
    expect(check({ 'domain/x.ts': imports('zod') })).toEqual([expect.stringContaining('imports no package')])
    expect(check({ 'features/reports/links.ts': imports('node:fs') })).toEqual([
      expect.stringContaining('imports no package'),
    ])
  })
  test('each side keeps to its own', () => {
    const sides = { web: ['react', 'zod'], server: ['pg', 'zod'] }
    expect(check({ 'ui/x.ts': imports('pg') }, sides)).toEqual([expect.stringContaining('a package of the server')])
    expect(check({ 'ui/x.ts': imports('node:fs') }, sides)).toEqual([expect.stringContaining('in a browser')])
    expect(check({ 'platform/x.ts': imports('react/jsx-runtime') }, sides)).toEqual([
      expect.stringContaining('a package of the front end'),
    ])
    expect(check({ 'ui/x.ts': imports('zod'), 'platform/x.ts': imports('zod') }, sides)).toEqual([])
  })
})

describe('specifiers', () => {
  test('carry the extension and exist', () => {
    expect(check({ 'domain/a.ts': imports('./b'), 'domain/b.ts': '' })).toEqual([
      expect.stringContaining('lacks the file extension'),
    ])
    expect(check({ 'domain/a.ts': imports('@pc/domain/b.ts') })).toEqual([expect.stringContaining('does not exist')])
  })
  test('stay in the workspace, or name it', () => {
    expect(check({ ...LEGAL, 'platform/x.ts': imports('../domain/month/day.ts') })).toEqual([
      expect.stringContaining('leaves the workspace'),
    ])
  })
})

describe('circles', () => {
  test('the whole way is named, once', () => {
    const tree = {
      'domain/a.ts': imports('./b.ts'),
      'domain/b.ts': imports('./c.ts', './a-side.ts'),
      'domain/c.ts': "import type { x } from '@pc/domain/a.ts'\n",
      'domain/a-side.ts': '',
    }
    expect(check(tree)).toEqual([
      'domain/a.ts:1 circle: a circle: domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts',
    ])
  })
  test('two separate circles are both named; a module that imports itself is one', () => {
    const tree = {
      'domain/a.ts': imports('./b.ts'),
      'domain/b.ts': imports('./a.ts'),
      'domain/c.ts': imports('./c.ts'),
    }
    expect(check(tree)).toHaveLength(2)
  })
  test('two ways to one module are no circle', () => {
    const tree = { 'domain/a.ts': imports('./b.ts', './c.ts'), 'domain/b.ts': imports('./c.ts'), 'domain/c.ts': '' }
    expect(check(tree)).toEqual([])
  })
})

test('nothing is passed on', () => {
  for (const source of [
    "export * from './b.ts'",
    "export { x } from './b.ts'",
    "import { x } from './b.ts'\nexport { x }",
  ])
    expect(check({ 'domain/a.ts': source, 'domain/b.ts': '' })).toEqual([expect.stringContaining('barrel')])
})

describe('purity of domain', () => {
  test.each([
    'new Date()',
    'Date.now()',
    'Math.random()',
    'process.env.A',
    "fetch('a')",
    'globalThis.x',
    'let a: Date',
  ])('%s is refused', source =>
    expect(check({ 'domain/a.ts': source })).toEqual([expect.stringContaining('domain is pure')]),
  )
  test('a property of that name is none', () => {
    const source = 'interface A { Date: string; process(): void }\nconst a = { fetch: 1 }\na.fetch\nMath.max(1)\n'
    expect(check({ 'domain/a.ts': source })).toEqual([])
  })
  test('other layers may', () => expect(check({ 'platform/a.ts': 'new Date(); process.env' })).toEqual([]))
})

describe('names', () => {
  test.each([
    ['domain/YearMonth.ts', 'not kebab-case'],
    ['domain/month/index.ts', 'says nothing'],
    ['platform/date-utils.ts', 'says nothing'],
    ['platform/common/clock.ts', 'says nothing'],
    ['platform/src/clock.ts', 'no `src/` level'],
    ['domain/month.spec.ts', 'no known kind of file'],
    ['features/reports/report-store.ts', 'does not belong at the root of a feature'],
    ['features/reports/web/report-page.tsx', 'not in the list of roles'],
    ['features/reports/server/report-view.ts', 'belongs in `web/`'],
    ['features/reports/web/report-store.ts', 'belongs in `server/`'],
    ['features/reports/web/report-condition.ts', 'belongs at the root of the feature'],
    ['features/reports/shapes/report.ts', 'no layer of the architecture'],
    ['library/report.ts', 'no layer of the architecture'],
    ['main.ts', 'no layer of the architecture'],
  ])('%s', (path, says) => expect(check({ [path]: '' })).toEqual([expect.stringContaining(says)]))

  test.each([
    'features/reports/report-condition.test.ts',
    'features/reports/web/report-view.browser.test.tsx',
    'features/reports/server/report-query.ts',
    'features/ingest/server/import.faults.test.ts',
    'domain/refusal-messages.ja.ts',
    'testing/shared-data.ts',
  ])('%s is fine', path => expect(check({ [path]: '' })).toEqual([]))
})

test('wrong syntax is reported, not skipped', () => {
  expect(check({ 'domain/a.ts': 'export const = 1' })).toEqual([expect.stringContaining('syntax')])
})
