import { parseArgs } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { printFailure, UsageError } from './print-failure.ts'

class Known extends Error {}
const USAGE = 'usage: npm run thing'
let said: unknown[]

beforeEach(() => {
  said = []
  vi.spyOn(console, 'error').mockImplementation(text => void said.push(text))
})
afterEach(() => vi.restoreAllMocks())

const exitCodeOf = (error: Error) => printFailure(error, USAGE, each => each instanceof Known)

test('wrong usage says what is right, with an exit code of its own', () => {
  expect(exitCodeOf(new UsageError())).toBe(2)
  expect(exitCodeOf(new UsageError('one file'))).toBe(2)
  expect(said).toEqual([USAGE, `one file\n${USAGE}`])
  expect(() => parseArgs({ args: ['--no-such-option'] })).toThrow(
    expect.toSatisfy((error: Error) => exitCodeOf(error) === 2 && String(said.at(-1)).endsWith(USAGE)),
  )
})

test('a message for people stands alone; a fault shows its stack', () => {
  const fault = new Error('fault')
  expect([exitCodeOf(new Known('not there')), exitCodeOf(fault)]).toEqual([1, 1])
  expect(said).toEqual(['not there', fault])
})
