import { expect, test } from 'vitest'
import { readMonth, readMonthRange, writeMonth } from './month-argument.ts'
import { refusesWith } from './refusal-error.ts'

function refusalOf(read: () => unknown): unknown {
  try {
    read()
  } catch (error) {
    return error
  }
  return undefined
}

test('a month is read and written as YYYY-MM', () => {
  expect(readMonth('2026-07', ['month'])).toBe(202607)
  expect(writeMonth(202607)).toBe('2026-07')
  expect([readMonth('2020-12', []), readMonth('2099-12', [])]).toEqual([202012, 209912])
})

test.each(['', '2026-7', '2026-13', '2026-00', '202607', '2026-07-01', '2020-11', '2100-01', '２０２６-07'])(
  '%j is refused',
  text => {
    expect(
      refusesWith(
        refusalOf(() => readMonth(text, ['month'])),
        'payment/month-invalid',
      ),
    ).toBe(true)
  },
)

test('a range may be open at either end, not reversed', () => {
  expect(readMonthRange({ monthFrom: '2026-01', monthTo: '2026-01' }, [])).toEqual({ from: 202601, to: 202601 })
  expect(readMonthRange({ monthFrom: null, monthTo: '2026-01' }, [])).toEqual({ from: undefined, to: 202601 })
  expect(readMonthRange({}, [])).toEqual({ from: undefined, to: undefined })
  const reversed = refusalOf(() => readMonthRange({ monthFrom: '2026-02', monthTo: '2026-01' }, ['param']))
  expect(refusesWith(reversed, 'payment/months-reversed')).toBe(true)
  expect(reversed).toMatchObject({ extensions: { refusals: [{ path: ['param', 'monthTo'] }] } })
})
