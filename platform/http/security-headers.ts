/** Kind of answer: `html` a page, `asset` a file that a page loads, `json` an API answer. */
export type ContentKind = 'html' | 'asset' | 'json'

export interface SecurityHeaderOptions {
  readonly kind: ContentKind
  /** Public origin of the applications. With https, HSTS is sent. */
  readonly webOrigin: string
  /** Further origins for `connect-src`: the APIs, an external identity provider. */
  readonly connectOrigins?: readonly string[]
  /** Further origins for `frame-src`: an external identity provider during silent sign-in. */
  readonly frameOrigins?: readonly string[]
  /** `self` for the silent sign-in callback and the issuer's answers, which our own pages load in a hidden frame. */
  readonly frameAncestors?: 'none' | 'self'
  /** Names of Trusted Types policies that the page may create; default none. */
  readonly trustedTypes?: readonly string[]
}

const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'browsing-topics',
]
  .map(feature => `${feature}=()`)
  .join(', ')

function contentSecurityPolicy(options: SecurityHeaderOptions): string {
  const ancestors = options.frameAncestors === 'self' ? "'self'" : "'none'"
  if (options.kind !== 'html') return `default-src 'none'; frame-ancestors ${ancestors}; sandbox`
  const list = (...sources: readonly string[]) => sources.join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${list("'self'", ...(options.connectOrigins ?? []))}`,
    `frame-src ${list("'self'", ...(options.frameOrigins ?? []))}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${options.trustedTypes?.length ? options.trustedTypes.join(' ') : "'none'"}`,
  ].join('; ')
}

/**
 * Headers of every answer, including errors. No `unsafe-*`: pages have neither inline scripts nor inline styles. Only
 * `json` gets a Cache-Control header here (`no-store`); otherwise the caller sets it.
 */
export function securityHeaders(options: SecurityHeaderOptions): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(options),
    'x-content-type-options': 'nosniff',
    'x-frame-options': options.frameAncestors === 'self' ? 'SAMEORIGIN' : 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS_POLICY,
    ...(options.webOrigin.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
      : {}),
    ...(options.kind === 'json' ? { 'cache-control': 'no-store' } : {}),
  }
}
