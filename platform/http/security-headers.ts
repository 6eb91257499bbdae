/** What is answered. `html` is a page, `asset` a file that a page loads, `json` an answer of an endpoint. */
export type ContentKind = 'html' | 'asset' | 'json'

export interface SecurityHeaderOptions {
  readonly kind: ContentKind
  /** Public origin of the applications; https turns HSTS on. */
  readonly webOrigin: string
  /** Further origins that scripts of the page may call: the APIs, an external identity provider. */
  readonly connectOrigins?: readonly string[]
  /** Further origins that a page may show in a frame: an external identity provider at silent sign-in. */
  readonly frameOrigins?: readonly string[]
  /** `self` for the silent sign-in callback and the issuer's answers, which run in a hidden frame of our own pages. */
  readonly frameAncestors?: 'none' | 'self'
  /** Names of Trusted Types policies that the page's scripts may create; none when not given. */
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
 * Headers that every answer carries, also errors. No `unsafe-*`: pages have neither inline scripts nor inline styles.
 * Cache-Control is the caller's, except for `json`, which is never stored.
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
