import fs from 'node:fs'
import path from 'node:path'
import { RULE_VERSIONS } from '@pc/domain/settlement/settlement-input.ts'
import { expect, test } from 'vitest'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

test('a new version of the payment rules must decide everything: no code outside of the tables compares versions', () => {
  const named = repositoryFiles()
    .filter(file => isSource(file) && /^(domain|features|platform|apps|ui)\//.test(file) && !/\.test\.tsx?$/.test(file))
    .filter(file => RULE_VERSIONS.some(version => read(file).includes(`'${version}'`)))
  expect(named).toEqual(
    [
      // Test data.
      'domain/settlement/sample-month.ts',
      // The names, what the engine does, and what the checks expect; the first and the last do not compile while
      // incomplete.
      'domain/settlement/rules-to-check.ts',
      'domain/settlement/settlement-input.ts',
      'domain/settlement/settlement-rules.ts',
      // The line that the settings screen moves.
      'features/payment-settings/server/payment-setting-store.ts',
    ].toSorted(),
  )
})

test('the database takes a line for each version but the first, which holds before all lines', () => {
  const constraint = /settlement_rules_version_check\s+CHECK (.+);/.exec(read('db/schema.sql'))?.[1] ?? ''
  const [first, ...later] = RULE_VERSIONS
  expect([...constraint.matchAll(/'(\w+)'/g)].map(match => match[1])).toEqual(later)
  expect(read('db/schema.sql')).toContain(`limit 1), '${first}')`)
})
