import { API_KEY_BOUNDS } from '@pc/domain/api-key/api-key.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { expect, test } from 'vitest'
import { KeyPace } from './key-pace.ts'

const START = '2026-11-01T00:00:00.000Z'
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString()

function refusalOf(work: () => void): HttpError | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

test('a burst, then two a second; one key does not slow another one down', () => {
  const clock = fixedClock(START)
  const pace = new KeyPace(clock)
  for (let sent = 0; sent < API_KEY_BOUNDS.burst; sent += 1) pace.take(1n)
  const refused = refusalOf(() => pace.take(1n))
  expect([refused?.status, refused?.headers]).toEqual([429, { 'retry-after': '1' }])
  pace.take(2n)
  clock.set(later(499))
  expect(refusalOf(() => pace.take(1n))?.status).toBe(429)
  clock.set(later(500))
  pace.take(1n)
  expect(refusalOf(() => pace.take(1n))?.status).toBe(429)
})

test('rest fills up to a burst and no further; a clock that goes back gives nothing', () => {
  const clock = fixedClock(START)
  const pace = new KeyPace(clock)
  pace.take(1n)
  clock.set(later(86_400_000))
  for (let sent = 0; sent < API_KEY_BOUNDS.burst; sent += 1) pace.take(1n)
  expect(refusalOf(() => pace.take(1n))?.status).toBe(429)
  clock.set(START)
  expect(refusalOf(() => pace.take(1n))?.status).toBe(429)
})
