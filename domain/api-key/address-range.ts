/**
 * Why a text is not an accepted address or range of addresses. `not-its-beginning`: bits of the host are set, as in
 * `203.0.113.7/24`, where the range begins at `203.0.113.0`.
 */
type AddressRangeProblem = 'unreadable' | 'not-its-beginning' | 'too-wide' | 'too-narrow'
type ReadAddressRange =
  | { readonly range: string }
  /** `suggestion`: the range that was probably meant. */
  | { readonly problem: AddressRangeProblem; readonly suggestion?: string }

const BITS = { 4: 32, 6: 128 } as const
/**
 * Shortest prefix in bits by IP version. No organisation sends from a larger network, so a wider range is a mistake.
 */
const WIDEST = { 4: 8, 6: 20 } as const
/**
 * Longest prefix in bits by IP version. IPv6 addresses change often within a customer's network (/64), so that network
 * is stored and compared.
 */
const NARROWEST = { 4: 32, 6: 64 } as const

interface Parsed {
  readonly version: 4 | 6
  readonly value: bigint
}

/** Reads `203.0.113.10`, `203.0.113.0/24` or `2001:db8:12:34::/64` and returns it in its canonical spelling. */
export function readAddressRange(text: string): ReadAddressRange {
  const [, host = '', prefix] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const parsed = parseAddress(host)
  if (!parsed) return { problem: 'unreadable' }
  const { version, value } = parsed
  const length = prefix === undefined ? BITS[version] : Number(prefix)
  if (length > BITS[version]) return { problem: 'unreadable' }
  if (length > NARROWEST[version])
    return {
      problem: 'too-narrow',
      suggestion: formatRange(version, networkOf(parsed, NARROWEST[version]), NARROWEST[version]),
    }
  if (length < WIDEST[version]) return { problem: 'too-wide' }
  const start = networkOf(parsed, length)
  const range = formatRange(version, start, length)
  return start === value ? { range } : { problem: 'not-its-beginning', suggestion: range }
}

/**
 * Whether an address is within one of the ranges. An IPv6 address may be given as its /64 network, as rate limits count
 * it.
 * @param ranges as {@link readAddressRange} writes them; empty: every address is allowed
 */
export function isAddressAllowed(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true
  const found = parseAddress(address.split('/', 1)[0] ?? '')
  return found !== undefined && ranges.some(range => isWithin(range, found))
}

function isWithin(range: string, address: Parsed): boolean {
  const [host = '', prefix] = range.split('/')
  const start = parseAddress(host)
  if (start?.version !== address.version) return false
  const length = prefix === undefined ? BITS[address.version] : Number(prefix)
  return networkOf(address, length) === start.value
}

function networkOf({ version, value }: Parsed, length: number): bigint {
  const rest = BigInt(BITS[version] - length)
  return (value >> rest) << rest
}

function formatRange(version: 4 | 6, value: bigint, length: number): string {
  if (version === 4) {
    const host = [24n, 16n, 8n, 0n].map(shift => String((value >> shift) & 255n)).join('.')
    return length === 32 ? host : `${host}/${length}`
  }
  const groups = [112n, 96n, 80n, 64n].map(shift => ((value >> shift) & 0xffffn).toString(16))
  while (groups.length > 1 && groups.at(-1) === '0') groups.pop()
  return `${groups.join(':')}::/${length}`
}

function parseAddress(text: string): Parsed | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

/** Four decimal numbers without leading zeros, which some programs read as octal. */
function parseIpv4(text: string): Parsed | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return { version: 4, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) }
}

/** RFC 4291, 2.2, forms 1 and 2. The form that ends in an IPv4 address is not accepted. */
function parseIpv6(text: string): Parsed | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [left = [], right = []] = halves.map(half => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return { version: 6, value: groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n) }
}
