import { expect, test } from 'vitest'
import { actionText, rowText } from './audit-entry.ts'

const UID = '01a1fa13-74ad-7c9d-ac1b-efc9eae482d2'
const user = { action: 'update-roles', actorUid: 'x', resourceName: 'iam:user.', rowId: UID, before: null, after: null }

test('an action is told in words, one from an older release by its own name', () => {
  expect(actionText('deem')).toBe('みなし確認')
  expect(actionText('renamed-since')).toBe('renamed-since')
})

test('a person is told by e-mail address where the entry has it', () => {
  expect(rowText({ ...user, actorUid: UID })).toBe('（本人）')
  expect(rowText({ ...user, after: '{"email":"sato@example.jp"}' })).toBe('sato@example.jp')
  expect(rowText({ ...user, before: '{"email":"sato@example.jp"}' })).toBe('sato@example.jp')
  expect(rowText(user)).toBe(UID)
})

test('other rows keep their numbers; a list is not one row', () => {
  expect(rowText({ ...user, resourceName: 'insight:statement.', rowId: '288' })).toBe('288')
  expect(rowText({ ...user, resourceName: 'insight:bank_account.', rowId: 'list' })).toBe('（一覧）')
})
