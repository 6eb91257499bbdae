import { expect, test } from 'vitest'
import { isGivenUp, signedText, WEBHOOK_EVENTS, webhookEventProblems } from './webhook.ts'

test('known events are chosen, at least one', () => {
  expect(webhookEventProblems(WEBHOOK_EVENTS)).toEqual([])
  for (const events of [[], ['ping'], ['month.finalized', 'x']])
    expect(webhookEventProblems(events).map(one => one.code)).toEqual(['webhook/events-missing'])
})

test('a signature covers time and body', () => {
  expect(signedText(1_795_000_000, '{"a":1}')).toBe('1795000000.{"a":1}')
})

test('an address is given up after three days without a success', () => {
  const day = 86_400_000
  expect([isGivenUp(null, 9 * day), isGivenUp(day, 4 * day - 1), isGivenUp(day, 4 * day)]).toEqual([false, false, true])
})
