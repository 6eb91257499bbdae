import { describe, expect, test } from 'vitest'
import { type SecurityHeaderOptions, securityHeaders } from './security-headers.ts'

const policyOf = (options: SecurityHeaderOptions) =>
  new Map(
    (securityHeaders(options)['content-security-policy'] ?? '').split('; ').map(directive => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources] as const
    }),
  )
const webOrigin = 'https://console.example'
const page: SecurityHeaderOptions = {
  kind: 'html',
  webOrigin,
  connectOrigins: ['https://api.example'],
  frameOrigins: ['https://issuer.example'],
  trustedTypes: ['dompurify'],
}

describe('a page', () => {
  test('runs scripts of its own files only: nothing inline, nothing evaluated, no text that becomes markup', () => {
    const policy = policyOf(page)
    expect(policy.get('default-src')).toEqual(["'none'"])
    for (const name of ['script-src', 'style-src', 'worker-src', 'form-action'])
      expect(policy.get(name), name).toEqual(["'self'"])
    for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(name), name).toEqual(["'none'"])
    expect(policy.get('require-trusted-types-for')).toEqual(["'script'"])
    expect(policy.get('trusted-types')).toEqual(['dompurify'])
    expect(policyOf({ kind: 'html', webOrigin }).get('trusted-types')).toEqual(["'none'"])
    for (const [name, sources] of policy)
      for (const source of sources) expect(source, name).not.toMatch(/unsafe|\*|^https?:$|nonce|sha\d/)
  })
  test('calls and frames only what it was given', () => {
    const policy = policyOf(page)
    expect(policy.get('connect-src')).toEqual(["'self'", 'https://api.example'])
    expect(policy.get('frame-src')).toEqual(["'self'", 'https://issuer.example'])
  })
  test('is framed by nobody; the silent sign-in by its own origin alone', () => {
    expect(securityHeaders(page)['x-frame-options']).toBe('DENY')
    const silent: SecurityHeaderOptions = { ...page, frameAncestors: 'self' }
    expect(policyOf(silent).get('frame-ancestors')).toEqual(["'self'"])
    expect(securityHeaders(silent)['x-frame-options']).toBe('SAMEORIGIN')
  })
})

test.each(['asset', 'json'] as const)('what is no page (%s) may do nothing, also when somebody opens it', kind => {
  const policy = policyOf({ kind, webOrigin })
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    sandbox: [],
  })
})

test.each(['html', 'asset', 'json'] as const)(
  'every answer (%s) stays what it says it is, and reveals nothing to others',
  kind => {
    const headers = securityHeaders({ kind, webOrigin })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    })
    expect(headers['cache-control']).toBe(kind === 'json' ? 'no-store' : undefined)
    // Without TLS the header would lock a machine of one's own out.
    expect(securityHeaders({ kind, webOrigin: 'http://127.0.0.1:4000' })).not.toHaveProperty(
      'strict-transport-security',
    )
  },
)
