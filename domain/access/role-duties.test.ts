import { expect, test } from 'vitest'
import { isOfPublisher, isStaff, rolesOf } from './role-duties.ts'

test('who is addressed follows from the table', () => {
  expect(rolesOf('staff')).toEqual(['admin', 'insight:admin', 'insight:editor', 'insight:viewer'])
  expect(rolesOf('staff', 'reads')).toEqual(['insight:admin', 'insight:editor', 'insight:viewer'])
  expect(rolesOf('staff', 'answers')).toEqual(['insight:admin', 'insight:editor'])
  expect(rolesOf('staff', 'administers')).toEqual(['insight:admin'])
  expect(rolesOf('publisher')).toEqual(['insight:publisher_admin', 'insight:publisher_editor'])
  expect(rolesOf('publisher', 'reads')).toEqual(rolesOf('publisher'))
  expect(rolesOf('publisher', 'administers')).toEqual(['insight:publisher_admin'])
  expect([isStaff(['insight:publisher_admin']), isStaff(['coupon:admin', 'insight:viewer'])]).toEqual([false, true])
  expect([
    isOfPublisher(['insight:publisher_editor']),
    isOfPublisher(['video:publisher_admin', 'insight:viewer']),
  ]).toEqual([true, false])
})
