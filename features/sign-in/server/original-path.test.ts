import { HOSTILE_PATHS } from '@pc/testing/system/hostile-paths.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOME_PATH, originalPath } from '../original-path.ts'

const ORIGIN = 'https://center.example.jp'

describe('the original path', () => {
  it.each([
    '/gpc/',
    '/gpc/#/reports/dashboard',
    '/gpc/#/reports/articles/month=2026-10&publisherId=12',
    '/gpc/?v=1#/users',
    '/gpc/#/managements/agreements/q=%E7%94%B0%E4%B8%AD%2F%3A',
    '/iam/#/users',
    '/sso',
    '/sso#/change-pass',
    '/docs/manual/report.html',
    '/sso/#/change-email',
    '/sso/#/change-email',
    '/oidc/auth/Zk3-x_9',
    '/gpc/#/reports/articles/12/7',
  ])('keeps %s, plain and encoded', path => {
    expect(originalPath(path)).toBe(path)
    expect(originalPath(encodeURIComponent(path))).toBe(path)
  })

  it('has more than a hundred hostile forms to refuse', () => expect(HOSTILE_PATHS.length).toBeGreaterThan(300))

  it.each(HOSTILE_PATHS)('sends %j home, plain, encoded and encoded twice', payload => {
    const encoded = encodeURIComponent(payload.toWellFormed())
    for (const form of [payload, encoded, encodeURIComponent(encoded)]) expect(originalPath(form)).toBe(HOME_PATH)
  })

  it('keeps any text within our origin and the allowed parts', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '//',
      '%2f',
      '%5c',
      '%09',
      '\t',
      '\n',
      '..',
      '.',
      '@',
      ':',
      '#',
      '?',
      'gpc',
      'sso',
      'iam',
      'oidc',
      'auth',
      'evil.example',
      'javascript',
      '%25',
      'https',
      '\u3002',
      '\uff0f',
      '\u0000',
      ' ',
      'a',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 12 }).map(parts => parts.join('')),
      fc.array(part, { maxLength: 10 }).map(parts => `/gpc/${parts.join('')}`),
    )
    fc.assert(
      fc.property(text, raw => {
        for (const form of [raw, encodeURIComponent(raw.toWellFormed())]) {
          const accepted = originalPath(form)
          const url = new URL(accepted, ORIGIN)
          expect(url.origin).toBe(ORIGIN)
          expect(url.pathname).toMatch(/^\/(gpc\/|iam\/|docs\/|sso\/?$|oidc\/auth\/[\w-]+$)/)
          expect(originalPath(accepted)).toBe(accepted)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  it('takes nothing for home', () => {
    expect(originalPath(undefined)).toBe(HOME_PATH)
    expect(originalPath(null)).toBe(HOME_PATH)
  })
})
