import { expect, test } from 'vitest'
import { FIRST_LOAD_BUDGET, measureFirstLoad } from '../tools/first-load.ts'

/** The system that these tests share built the console before it started. */
const { entry, landing, forms, further } = measureFirstLoad()

test('the landing route keeps its budget of code and of styles', () => {
  expect(landing.jsBytes).toBeGreaterThan(100_000)
  expect(landing.jsBytes).toBeLessThanOrEqual(FIRST_LOAD_BUDGET.landing)
  expect(landing.cssBytes).toBeLessThanOrEqual(FIRST_LOAD_BUDGET.landingCss)
})

test('what asks who is signed in waits for nothing of the application', () => {
  expect(entry.jsBytes).toBeGreaterThan(8_000)
  expect(entry.jsBytes).toBeLessThanOrEqual(FIRST_LOAD_BUDGET.entry)
})

test('every further route keeps its budget; what forms share is loaded once', () => {
  expect(forms.jsBytes).toBeLessThanOrEqual(FIRST_LOAD_BUDGET.forms)
  expect(further.filter(({ isForm }) => isForm).length).toBeGreaterThan(5)
  expect(further.filter(({ jsBytes }) => jsBytes > FIRST_LOAD_BUDGET.further)).toEqual([])
})
