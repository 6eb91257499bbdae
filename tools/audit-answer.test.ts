import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findingsOf, REMEDIATION_DAYS } from './audit-answer.ts'
import { ROOT } from './source-tree.ts'

test('the worst comes first, with its advisories and whether there is a fix', () => {
  const answer = findingsOf({
    vulnerabilities: {
      quiet: { severity: 'low', via: ['loud'], fixAvailable: false },
      loud: {
        severity: 'critical',
        via: [{ title: 'reads everything' }],
        fixAvailable: { name: 'loud', version: '2' },
      },
      middle: { severity: 'moderate', via: [{ title: 'a' }, { title: 'b' }, 'loud'], fixAvailable: true },
    },
    metadata: { dependencies: { total: 812 } },
  })
  expect(answer).toEqual({
    kind: 'answered',
    packages: 812,
    findings: [
      { name: 'loud', severity: 'critical', titles: ['reads everything'], hasFix: true },
      { name: 'middle', severity: 'moderate', titles: ['a', 'b'], hasFix: true },
      { name: 'quiet', severity: 'low', titles: [], hasFix: false },
    ],
  })
})

test('a registry that does not answer is never taken for one that found nothing', () => {
  expect(findingsOf({ message: '405 Method Not Allowed' })).toEqual({
    kind: 'unanswered',
    reason: '405 Method Not Allowed',
  })
  expect(findingsOf({ error: { code: 'ENOTFOUND', summary: 'request failed' } })).toMatchObject({ kind: 'unanswered' })
  expect(findingsOf({})).toMatchObject({ kind: 'unanswered' })
})

test('the time frames are those of the document', () => {
  const document = fs.readFileSync(path.join(ROOT, 'docs/dependencies.md'), 'utf8')
  for (const [severity, days] of Object.entries(REMEDIATION_DAYS))
    expect(document).toMatch(new RegExp(`\\| ${severity} +\\| ${days} days`))
})
