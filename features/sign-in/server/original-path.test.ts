import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOME_PATH, originalPath } from '../original-path.ts'

const ORIGIN = 'https://center.example.jp'

const hosts = [
  'evil.example',
  '127.0.0.1',
  '0x7f000001',
  '[::1]',
  'center.example.jp.evil.example',
  'center.example.jp@evil.example',
]
const hostile = [
  ...hosts.flatMap(host => [
    `https://${host}/`,
    `http:${host}`,
    `https:/${host}`,
    `https:///${host}`,
    `//${host}`,
    `///${host}`,
    `////${host}/`,
    `/\\${host}`,
    `\\/${host}`,
    `\\\\${host}`,
    `/\\/${host}`,
    `/ /${host}`,
    `/\t/${host}`,
    `/\n/${host}`,
    `/\r\n/${host}`,
    `/%09/${host}`,
    `/%0a/${host}`,
    `/%0d%0a/${host}`,
    `/%5c${host}`,
    `/%5C/${host}`,
    `/%2f${host}`,
    `/%2F%2F${host}`,
    `/%252f${host}`,
    `/.//${host}`,
    `/..//${host}`,
    `/./%2f${host}`,
    `/gpc/..//${host}`,
    `/gpc/%2e%2e//${host}`,
    `/gpc//${host}`,
    `/gpc/%2f${host}`,
    `/gpc/%5c${host}`,
    `/gpc/\\${host}`,
    `/gpc/..%2f..%2f/${host}`,
    `/gpc/%252e%252e/`,
    `@${host}`,
    `.${host}`,
    `/@${host}`,
    `/gpc@${host}`,
    `/ssox//${host}`,
    `/sso//${host}`,
    `/sso/..//${host}`,
    `ftp://${host}`,
    `HtTpS://${host}`,
    `／／${host}`,
    `/／${host}`,
    `/。${host}`,
    `/gpc/\u2215${host}`,
    `\u0000//${host}`,
    ` //${host}`,
    `//${host}%23@center.example.jp/gpc/`,
    `/oidc/auth//${host}`,
    `/oidc/auth/..%2f..%2f//${host}`,
    `/gpc/https://${host}`,
    `/\u200b/${host}`,
    `/\ufeff/${host}`,
  ]),
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '/javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://x',
  '\u0001javascript:alert(1)',
  '/gpc/javascript:alert(1)',
  '',
  '/',
  '.',
  '..',
  '/..',
  '?',
  '#',
  '/gpc',
  '/oidc/token',
  '/oidc/auth',
  '/oidc/auth/',
  '/oidc/auth/a/b',
  '/oidc/auth/a?x=1',
  '/oidc/session/end',
  '/query',
  '/healthz',
  '/gpc/%',
  '/gpc/%zz',
  '/gpc/%c0%ae%c0%ae/',
  '/gpc/%00',
  '/gpc/\ud800',
  '/GPC/',
  '/Sso',
  '/sso-evil',
  '/ssoevil',
  `/gpc/${'a'.repeat(5000)}`,
]

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

  it('has more than a hundred hostile forms to refuse', () => expect(hostile.length).toBeGreaterThan(300))

  it.each(hostile)('sends %j home, plain, encoded and encoded twice', payload => {
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
