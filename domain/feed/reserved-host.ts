const RESERVED_ENDINGS = ['test', 'example', 'invalid', 'localhost', 'example.com', 'example.net', 'example.org']
/**
 * Domains that JPRS reserves for documents: example.jp, example0.jp to example9.jp, and the same below co, ne, or and
 * others.
 */
const RESERVED_JAPANESE = /(?:^|\.)example\d?(?:\.(?:ac|ad|co|ed|go|gr|lg|ne|or))?\.jp$/

/**
 * Whether the host is reserved (RFC 2606, RFC 6761, JPRS). Demonstration data use such hosts, and nothing is fetched
 * there.
 */
export function isReservedHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return RESERVED_JAPANESE.test(name) || RESERVED_ENDINGS.some(ending => name === ending || name.endsWith(`.${ending}`))
}
