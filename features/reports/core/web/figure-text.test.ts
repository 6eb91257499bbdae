import { expect, test } from 'vitest'
import { differenceOf, figureText } from './figure-text.ts'

test('figures are rounded down to what is shown', () => {
  expect(figureText('count', 1_234_567)).toBe('1,234,567')
  expect(figureText('percent', 0.12399)).toBe('12.3%')
  expect(figureText('percent', 0.29)).toBe('29.0%')
  expect(figureText('yen-tenths', 1234.19)).toBe('1,234.1')
  expect(figureText('seconds', 3_723.9)).toBe('1:02:03')
  expect(figureText('yen', null)).toBe('—')
})

test('the difference is that of the figures shown, in their unit', () => {
  expect(differenceOf('count', 120, 100)).toEqual({ direction: 'up', text: '+20', change: '+20.0%' })
  expect(differenceOf('yen', 80, 100)).toEqual({ direction: 'down', text: '−20', change: '−20.0%' })
  expect(differenceOf('percent', 0.1239, 0.1201)).toMatchObject({ text: '+0.3pt', direction: 'up' })
  expect(differenceOf('seconds', 30.9, 95.1)).toMatchObject({ text: '−01:05' })
  expect(differenceOf('count', 5, 0)).toEqual({ direction: 'up', text: '+5', change: undefined })
  expect(differenceOf('count', 5, 5)).toEqual({ direction: 'none', text: '±0', change: '±0.0%' })
  expect(differenceOf('percent', 0.12009, 0.12001)).toMatchObject({ text: '±0.0pt', direction: 'none' })
  expect(differenceOf('count', 5, null)).toBeUndefined()
})
