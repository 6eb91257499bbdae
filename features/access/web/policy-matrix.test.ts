import { expect, test } from 'vitest'
import { policyMatrix } from './policy-matrix.ts'

type Policy = Parameters<typeof policyMatrix>[0][number]
const policy = (actions: readonly string[], ...resources: readonly (readonly [string, string | null])[]) =>
  ({
    actions,
    resources: resources.map(([name, sameConditionKey]) => ({ name, sameConditionKey })),
  }) as unknown as Policy
const rowOf = (policies: readonly Policy[], resource: string) =>
  policyMatrix(policies)
    .flatMap(({ rows }) => rows)
    .find(row => row.resource === resource)

test('services without a policy are left out; a star allows every action', () => {
  const matrix = policyMatrix([policy(['*'], ['iam:user.', null])])
  expect(matrix.map(({ title }) => title)).toEqual(['ユーザー管理'])
  expect([...rowOf([policy(['*'], ['iam:user.', null])], 'iam:user.')!.allowed]).toContain('write:delete')
  expect(policyMatrix([])).toEqual([])
})

test('actions and conditions of several policies on a resource are joined, without repeats', () => {
  const row = rowOf(
    [
      policy(['read:list'], ['insight:agreement.', 'agreementId']),
      policy(['read:show'], ['insight:agreement.', 'agreementId,organizationId'], ['insight:feed.', null]),
    ],
    'insight:agreement.',
  )
  expect([...row!.allowed]).toEqual(['read:list', 'read:show'])
  expect(row!.conditions).toEqual(['担当する契約のもの', '所属する組織のもの'])
})

test('a condition without a word is shown by its name rather than left out', () => {
  expect(rowOf([policy(['read:list'], ['insight:feed.', 'newCondition'])], 'insight:feed.')!.conditions).toEqual([
    'newCondition',
  ])
})
