import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANULAR_ACTIONS } from '../access/action.ts'
import { RESOURCE_NAMES } from '../access/resource-name.ts'
import { type API_KEY_SCOPES, apiKeyProblems, apiKeySecret, apiKeyState, isApiKeyText, mayKeyAsk } from './api-key.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('the text of a key', () => {
  test('is recognised by its form and its checksum, and differs for different bits', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const secret = apiKeySecret(one)
        expect(secret).toMatch(/^pcr_[0-9A-Za-z]{49}$/)
        expect(isApiKeyText(secret)).toBe(true)
        expect(apiKeySecret(other) === secret).toBe(String(one) === String(other))
      }),
    )
  })
  test('with any character changed, left out or added is none', () => {
    fc.assert(
      fc.property(bytes, fc.nat(52), fc.constantFrom(...'09AZaz_-. é'), (random, at, char) => {
        const secret = apiKeySecret(random)
        const changed = secret.slice(0, at) + char + secret.slice(at + 1)
        expect(isApiKeyText(changed)).toBe(changed === secret)
        expect(isApiKeyText(secret.slice(0, at) + secret.slice(at + 1))).toBe(false)
        expect(isApiKeyText(secret.slice(0, at) + char + secret.slice(at))).toBe(false)
      }),
    )
  })
  test('has the usual CRC-32 as its checksum (the sum of this one by zlib)', () => {
    const secret = apiKeySecret(Uint8Array.from({ length: 32 }, (_byte, at) => at))
    expect(secret).toBe('pcr_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3w65GA')
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const value = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(value).toBe(3_606_876_174)
  })
  test('needs all of its bits', () => {
    expect(() => apiKeySecret(new Uint8Array(31))).toThrow(RangeError)
  })
})

describe('what a key may ask', () => {
  const requested = (scopes: readonly (typeof API_KEY_SCOPES)[number][]) =>
    GRANULAR_ACTIONS.flatMap(action =>
      RESOURCE_NAMES.filter(resource => mayKeyAsk(scopes, action, resource)).map(resource => `${action} ${resource}`),
    )
  const reads = (...names: string[]) =>
    ['read:list', 'read:show'].flatMap(action => names.map(name => `${action} insight:${name}.`)).sort()
  test('is to read its kinds of data, with the names that they need, and nothing else', () => {
    const names = ['agreement', 'publisher']
    const reports = ['article_stats', 'summary_stats', 'video_stats']
    const payments = ['agreement_snapshot', 'monthly_payment', 'monthly_publisher_payment', 'statement']
    expect(requested(['reports']).sort()).toEqual(reads(...names, ...reports))
    expect(requested(['payments']).sort()).toEqual(reads(...names, ...payments))
    expect(requested(['reports', 'payments']).sort()).toEqual(reads(...names, ...reports, ...payments))
    expect(requested([])).toEqual([])
  })
})

describe('the state of a key', () => {
  const DAY = 86_400_000
  const life = { expiresAtMs: 100 * DAY, isRevoked: false, isMakerEntitled: true }
  test('by its end, to the millisecond', () => {
    expect(apiKeyState(life, 86 * DAY - 1)).toBe('working')
    expect(apiKeyState(life, 86 * DAY)).toBe('ending')
    expect(apiKeyState(life, 100 * DAY - 1)).toBe('ending')
    expect(apiKeyState(life, 100 * DAY)).toBe('ended')
  })
  test('by the person who revoked it, and by its maker', () => {
    expect(apiKeyState({ ...life, isRevoked: true }, 200 * DAY)).toBe('revoked')
    expect(apiKeyState({ ...life, isMakerEntitled: false }, 0)).toBe('stopped')
    expect(apiKeyState({ ...life, isMakerEntitled: false }, 100 * DAY)).toBe('ended')
  })
})

test('a key needs a name, a kind of data and one of the terms', () => {
  const wish = { name: '会計システム', scopes: ['reports'], days: 90, addresses: [] as string[] }
  const codes = (more: object) => apiKeyProblems({ ...wish, ...more }).map(({ code }) => code)
  expect(codes({})).toEqual([])
  expect(codes({ name: '' })).toEqual(['api-key/name-missing'])
  expect(codes({ name: '字'.repeat(61) })).toEqual(['api-key/name-missing'])
  expect(codes({ scopes: [] })).toEqual(['api-key/scopes-missing'])
  expect(codes({ scopes: ['reports', 'everything'] })).toEqual(['api-key/scopes-missing'])
  expect(codes({ addresses: ['203.0.113.10', '2001:db8::/32'] })).toEqual([])
  expect(codes({ addresses: ['社内', '203.0.113.1/24', '0.0.0.0/0', '2001:db8::1'] })).toEqual([
    ...['api-key/address-unreadable', 'api-key/address-not-its-beginning', 'api-key/address-too-wide'],
    'api-key/address-too-narrow',
  ])
  const many = Array.from({ length: 21 }, (_one, at) => `203.0.113.${at}`)
  expect(codes({ addresses: many.slice(1) })).toEqual([])
  expect(codes({ addresses: many })).toEqual(['api-key/addresses-too-many'])
  for (const days of [0, -30, 31, 366, 3650]) expect(codes({ days })).toEqual(['api-key/days-unknown'])
})
