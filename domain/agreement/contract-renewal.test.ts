import { expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { yearMonth } from '../month/year-month.ts'
import { documentFileName } from './contract-document.ts'
import { isRenewalDue, renewalNoticeDay } from './contract-renewal.ts'

test('the day of the notice is so many days before the last day of the last month', () => {
  expect(renewalNoticeDay(yearMonth(2027, 3), 60)).toBe('2027-01-30')
  expect(renewalNoticeDay(yearMonth(2028, 2), 1)).toBe('2028-02-28')
  expect(renewalNoticeDay(yearMonth(2027, 12), 365)).toBe('2026-12-31')
})

test('it is due from that day to the end, both included', () => {
  const due = (text: string) => isRenewalDue(yearMonth(2027, 3), 60, day(text))
  expect([due('2027-01-29'), due('2027-01-30'), due('2027-03-31'), due('2027-04-01')]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test.each([
  ['契約書.pdf', '契約書.pdf'],
  ['C:\\a\\契約.PDF', '契約.PDF'],
  ['../../etc/passwd', 'passwd.pdf'],
  ['a<b>"c|d?.pdf', 'a_b__c_d_.pdf'],
  [' ', undefined],
  ['.htaccess', undefined],
  [`${'あ'.repeat(196)}.pdf`, `${'あ'.repeat(196)}.pdf`],
  [`${'あ'.repeat(197)}.pdf`, undefined],
  ['契約\u202efdp.exe', undefined],
  ['a\n.pdf', undefined],
  [`${'あ'.repeat(197)}.pdf`, undefined],
])('%j is named %j', (sent, name) => expect(documentFileName(sent)).toBe(name))
