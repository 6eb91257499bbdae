import { expect, test } from 'vitest'
import { isGivenUp, maskedAddress, textToSign, WEBHOOK_EVENTS, webhookEventProblems } from './webhook.ts'

test('known events are chosen, at least one', () => {
  expect(webhookEventProblems(WEBHOOK_EVENTS)).toEqual([])
  for (const events of [[], ['ping'], ['month.finalized', 'x']])
    expect(webhookEventProblems(events).map(one => one.code)).toEqual(['webhook/events-missing'])
})

test('a signature covers time and body', () => {
  expect(textToSign(1_795_000_000, '{"a":1}')).toBe('1795000000.{"a":1}')
})

test('an address shows its host, and of a long path its end', () => {
  expect(
    [
      'https://hooks.slack.com/services/T0000AAAA/B0000BBBB/dGhpcyBpcyBzZWNyZXQ',
      'https://hooks.example.com/a',
      'https://hooks.example.com/?key=0123456789abcdef',
      'https://hooks.example.com:8443/',
      'https://hooks.example.com',
    ].map(maskedAddress),
  ).toEqual([
    'https://hooks.slack.com/…yZXQ',
    'https://hooks.example.com/…',
    'https://hooks.example.com/…cdef',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com',
  ])
})

test('an address is given up after three days without a success', () => {
  const day = 86_400_000
  expect([isGivenUp(null, 9 * day), isGivenUp(day, 4 * day - 1), isGivenUp(day, 4 * day)]).toEqual([false, false, true])
})
