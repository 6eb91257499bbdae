import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { SETTING_SECTIONS } from '@pc/domain/payment/setting-section.ts'
import { expect, test } from 'vitest'
import { changedFields, resourceText, rowText } from './audit-entry.ts'

const UID = '01a1fa13-74ad-7c9d-ac1b-efc9eae482d2'
const user = { action: 'update-roles', actorUid: 'x', resourceName: 'iam:user.', rowId: UID, before: null, after: null }

test('a person is shown by email address where the entry has it', () => {
  expect(rowText({ ...user, actorUid: UID })).toBe('（本人）')
  expect(rowText({ ...user, actorUid: UID, rowId: `${UID}/preferences/columns/articles` })).toBe('（本人の画面設定）')
  expect(rowText({ ...user, after: '{"email":"sato@example.jp"}' })).toBe('sato@example.jp')
  expect(rowText({ ...user, before: '{"email":"sato@example.jp"}' })).toBe('sato@example.jp')
  expect(rowText(user)).toBe(UID)
})

test('other rows keep their numbers; a list is not one row', () => {
  expect(rowText({ ...user, resourceName: 'insight:statement.', rowId: '288' })).toBe('288')
  expect(rowText({ ...user, resourceName: 'insight:bank_account.', rowId: 'list' })).toBe('（一覧）')
})

test('holidays, settings, drafts and transfers go by their own names, not by the right that they need', () => {
  const dividend = { ...user, resourceName: 'insight:dividend.', resourceLabel: '分配金' }
  expect(resourceText({ ...dividend, rowId: 'holidays/3' })).toBe('祝日')
  expect(rowText({ ...dividend, rowId: 'holidays/3' })).toBe('3')
  expect(resourceText({ ...dividend, rowId: 'settings/payout' })).toBe('支払設定')
  expect(rowText({ ...dividend, rowId: 'settings/payout' })).toBe('支払の基準')
  for (const section of SETTING_SECTIONS)
    expect(rowText({ ...dividend, rowId: auditRowId('settings', section) })).not.toMatch(/[a-z]/)
  expect(resourceText({ ...dividend, rowId: '173' })).toBe('分配金')
  const payment = { ...dividend, resourceName: 'insight:monthly_payment.', resourceLabel: '月次の支払' }
  expect(resourceText({ ...payment, rowId: 'transfer-batch-2' })).toBe('振込データ')
  expect(resourceText({ ...payment, rowId: 'transfer-9' })).toBe('振込')
  expect(rowText({ ...payment, rowId: 'transfer-9' })).toBe('9')
})

test('what the money screens write is shown in Japanese; an unknown field keeps its name', () => {
  const written = {
    mediumId: '1',
    month: 202606,
    kind: 'ssp',
    method: 'clicks',
    extraRevenueYen: '5',
    rows: 0,
    dueOn: '2026-07-31',
    transferOn: '2026-07-31',
    totalYen: '5',
    transfers: 1,
    payments: 1,
    accountChanges: [],
    validFromMonth: 202606,
    payoutThresholdYen: '5000',
    businessDayShift: 'previous',
    needsTwoPersons: true,
    firstYear: 1955,
    lastYear: 2027,
    days: 1_000,
    contentSha256: 'ab',
    paymentStatus: 'paid',
    state: 'paid',
    feePaidBy: 'product',
    paymentTiming: 'a_month_later',
    minimumRevenueYen: '0',
    fixedRevenueYen: '0',
  }
  const fields = changedFields(null, JSON.stringify(written))
  expect(fields.filter(field => /^[ -~]+$/.test(field.label)).map(field => field.name)).toEqual([])
  expect(fields.find(field => field.name === 'paymentStatus')?.after).toBe('支払済み')
  expect(changedFields(null, '{"renamedSince":1}')[0]?.label).toBe('renamedSince')
})

test('values of closed lists are shown in the words of the screens, also inside of what they belong to', () => {
  const afterOf = (written: object) => changedFields(null, JSON.stringify(written)).map(field => field.after)
  expect(afterOf({ kind: 'ssp_video', method: 'discard', feePaidBy: 'publisher', state: 'objected' })).toEqual([
    ...['動画SSP収益の分配', '破棄', 'パブリッシャー', '照会中'],
  ])
  expect(
    afterOf({ terms: [{ paymentTiming: 'a_month_later', fixedRevenueYen: '0', isPaymentDisabled: false }] }),
  ).toEqual(['（支払サイト：翌月末、固定額（円）：0、支払停止：いいえ）'])
  expect(afterOf({ kind: 'constructor', key: 'csv', toString: 'since' })).toEqual(['constructor', 'csv', 'since'])
})
