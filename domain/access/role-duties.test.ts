import { expect, test } from 'vitest'
import { isOfPublisher, isStaff, rolesOf, rolesSeeing, seesRows } from './role-duties.ts'

// `access.test.ts` says what each role is.
test('one role of a side is enough, beside any others', () => {
  expect([isStaff(['insight:publisher_admin']), isStaff(['coupon:admin', 'insight:viewer'])]).toEqual([false, true])
  expect([
    isOfPublisher(['insight:publisher_editor']),
    isOfPublisher(['video:publisher_admin', 'insight:viewer']),
  ]).toEqual([true, false])
})

test('roles are asked for by side and duty, and by the rows that they see', () => {
  expect(rolesOf('publisher', 'answers')).toEqual([])
  expect(rolesOf('publisher', 'administers')).toContain('insight:publisher_admin')
  expect(rolesOf('publisher')).toEqual(expect.arrayContaining([...rolesOf('publisher', 'reads')]))
  expect(rolesSeeing('organization')).toContain('insight:publisher_admin')
  expect(rolesSeeing('agreements')).toContain('insight:publisher_editor')
})

test('an unknown role sees nothing and is of no side', () => {
  const unknown = ['insight:Admin', 'insight:', '', 'publisher', '__proto__', 'insight:viewer ']
  expect([isStaff(unknown), isOfPublisher(unknown)]).toEqual([false, false])
  for (const rows of ['all', 'organization', 'agreements'] as const) expect(seesRows(unknown, rows)).toBe(false)
  expect([isStaff([]), isOfPublisher([])]).toEqual([false, false])
})
