import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { nextPayout, overduePayout, type PayoutMonth, payoutLines } from './payout-lines.ts'
import type { PayoutTimelineQuery } from './payout-timeline.gen.ts'

const month = (text: string, more: Partial<PayoutMonth> = {}): PayoutMonth => ({
  ...{ month: text, payments: 2, total: 1_000, scheduled: 0, exported: 0, paid: 0, returned: 0, carriedOver: 0 },
  ...{ dueOn: null, paidOn: null, ...more },
})
const query = (payoutMonths: readonly PayoutMonth[], more: Partial<PayoutTimelineQuery> = {}): PayoutTimelineQuery => ({
  ...{ payoutMonths, cashForecast: { overdue: 0, dueDates: [] } },
  summaryStats: {
    dataUntil: '2026-11-28',
    nodes: [
      { date: '2026-10-01', hasBeenFinalized: false, publisherTotalRevenue: 900 },
      { date: '2026-11-01', hasBeenFinalized: false, publisherTotalRevenue: 300 },
    ],
  },
  ...more,
})
const printed = (of: string, number: string) => ({
  ...{ id: number, month: of },
  account: { bankName: 'みずほ', branchName: '本店', typeName: '普通', number },
})
const TODAY = day('2026-11-29')
const NONE_EARNED = { summaryStats: { dataUntil: null, nodes: [] } }
const said = (data: PayoutTimelineQuery) =>
  payoutLines(data, TODAY).map(line => `${line.month} ${line.stage} ${line.amountYen} ${line.text}`)

test('what is being earned comes first, without the months that are final', () => {
  expect(said(query([month('2026-09', { paid: 1_000, paidOn: '2026-10-30' })]))).toEqual([
    '2026-11 1 300 集計中です（11月28日までの速報・税抜）',
    '2026-10 1 900 月次の確定を待っています（速報・税抜）',
    '2026-09 4 1000 2026年10月30日にお支払い済み',
  ])
  expect(payoutLines(query([month('2026-10')]), TODAY).map(line => line.month)).toEqual(['2026-11', '2026-10'])
  expect(payoutLines(query([]), TODAY).map(line => line.month)).toEqual(['2026-11', '2026-10'])
})

test('a final month says where its money is', () => {
  const due = { dueOn: '2026-11-30' }
  const lines = payoutLines(
    query(
      [
        month('2026-12', { returned: 400, exported: 600, ...due }),
        month('2026-11', { exported: 1_000, ...due }),
        month('2026-10', { scheduled: 400, paid: 600, paidOn: '2026-11-20', ...due }),
        month('2026-09', { payments: 0, total: 0, carriedOver: 2_000 }),
        month('2026-08', { payments: 0, total: 0 }),
        month('2026-07', { exported: 1_000, dueOn: '2026-10-30' }),
        month('2026-06', { scheduled: 1_000, dueOn: '2026-10-30' }),
      ],
      NONE_EARNED,
    ),
    TODAY,
  )
  expect(lines.map(({ stage, isBad, text }) => [stage, isBad, text])).toEqual([
    [3, true, '400円が振込先に届きませんでした。口座をご確認ください'],
    [3, false, 'お振込みの手続き中（期日 2026年11月30日）'],
    [2, false, '600円はお支払い済み。残りは2026年11月30日にお支払い予定'],
    [null, false, '翌月以降に2,000円（税抜）を繰り越しました'],
    [null, false, 'お支払いはありません'],
    [3, false, 'お振込みの結果を確認中（期日 2026年10月30日）'],
    [2, true, '支払期日（2026年10月30日）を過ぎています'],
  ])
})

test('the next payout is that of the next due day, against the last payment', () => {
  const data = query(
    [
      month('2026-10', { scheduled: 1_000, dueOn: '2026-12-31' }),
      month('2026-09', { exported: 5_000, total: 5_000, dueOn: '2026-11-30' }),
      month('2026-08', { exported: 700, total: 700, dueOn: '2026-11-30' }),
      month('2026-07', { paid: 6_000, paidOn: '2026-09-30' }),
      month('2026-06', { paid: 100, paidOn: '2026-08-31' }),
    ],
    {
      cashForecast: {
        overdue: 0,
        dueDates: [
          { dueOn: '2026-11-30', confirmed: 5_700 },
          { dueOn: '2026-12-31', confirmed: 1_000 },
        ],
      },
      ...NONE_EARNED,
      printed: { nodes: [printed('2026-09', '7654321'), printed('2026-10', '1111999')] },
    },
  )
  expect(nextPayout(data)).toEqual({
    ...{ dueOn: '2026-11-30', amountYen: 5_700, months: '2026年9月分・2026年8月分', isUnderWay: true, returnedYen: 0 },
    ...{ compared: '前回（2026年9月30日、6,000円）より−300円', account: 'みずほ 本店 普通 ＊＊＊321' },
  })
})

test('the rest of a month is not compared with whole ones', () => {
  const part = query(
    [
      month('2026-09', { scheduled: 400, paid: 600, paidOn: '2026-10-30', dueOn: '2026-11-30' }),
      month('2026-08', { paid: 1_000, paidOn: '2026-09-30' }),
    ],
    { cashForecast: { overdue: 0, dueDates: [{ dueOn: '2026-11-30', confirmed: 400 }] } },
  )
  expect(nextPayout(part)).toMatchObject({ amountYen: 400, compared: undefined })
})

test('nothing is promised before something is final', () => {
  expect(nextPayout(query([]))).toBeNull()
  expect(
    nextPayout(query([], { cashForecast: { overdue: 0, dueDates: [{ dueOn: '2026-11-30', confirmed: 0 }] } })),
  ).toBeNull()
  const first = query([month('2026-10', { scheduled: 10, dueOn: '2026-11-30' })], {
    cashForecast: { overdue: 0, dueDates: [{ dueOn: '2026-11-30', confirmed: 10 }] },
  })
  expect(nextPayout(first)).toMatchObject({ isUnderWay: false, compared: undefined, account: undefined })
})

test('a month of which a medium is still to be closed says so, and is not compared', () => {
  const data = query(
    [
      month('2026-10', { scheduled: 1_000, dueOn: '2026-11-30' }),
      month('2026-09', { paid: 1_000, paidOn: '2026-10-30' }),
    ],
    { cashForecast: { overdue: 0, dueDates: [{ dueOn: '2026-11-30', confirmed: 1_000 }] } },
  )
  expect(said(data)).toEqual([
    '2026-11 1 300 集計中です（11月28日までの速報・税抜）',
    '2026-10 2 1000 2026年11月30日にお支払い予定（ほかの媒体は月次の確定を待っています）',
    '2026-09 4 1000 2026年10月30日にお支払い済み',
  ])
  expect(nextPayout(data)).toMatchObject({ compared: undefined })
})

test('what was due and has not been seen to arrive is told with its reason', () => {
  const late = (more: Partial<PayoutMonth>) =>
    overduePayout(
      query([month('2026-09', { dueOn: '2026-10-30', ...more })], { cashForecast: { overdue: 1_000, dueDates: [] } }),
      TODAY,
    )
  expect(late({ exported: 1_000 })).toEqual({
    ...{ amountYen: 1_000, months: '2026年9月分', isBad: false, text: 'のお振込みの結果を確認しています' },
  })
  expect(late({ returned: 400, exported: 600 })).toMatchObject({
    isBad: true,
    text: expect.stringMatching(/口座をご確認/),
  })
  expect(late({ scheduled: 1_000 })).toMatchObject({ isBad: true, text: expect.stringMatching(/支払期日を過ぎて/) })
  expect(overduePayout(query([]), TODAY)).toBeNull()
})

test('of the next payout, what came back from the bank is told', () => {
  const data = query([month('2026-09', { returned: 400, exported: 600, dueOn: '2026-11-30' })], {
    cashForecast: { overdue: 0, dueDates: [{ dueOn: '2026-11-30', confirmed: 1_000 }] },
  })
  expect(nextPayout(data)).toMatchObject({ isUnderWay: false, returnedYen: 400 })
})
