import { expect, test } from 'vitest'
import { auditActionText } from './audit-action-labels.ja.ts'

test('an action is shown in words, one from an older release by its own name', () => {
  expect(auditActionText('deem')).toBe('みなし確認')
  expect(auditActionText('renamed-since')).toBe('renamed-since')
})
