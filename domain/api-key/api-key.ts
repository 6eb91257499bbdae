import type { GranularAction } from '../access/action.ts'
import type { ResourceName } from '../access/resource-name.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { readAddressRange } from './address-range.ts'
import type { API_KEY_REFUSALS_JA } from './api-key-refusals.ja.ts'

/** Kinds of data that an API key may read. */
export const API_KEY_SCOPES = ['reports', 'payments'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

export const API_KEY_SCOPE_LABELS: Readonly<Record<ApiKeyScope, string>> = {
  reports: 'レポート',
  payments: 'お支払いと支払通知書',
}

/** Days that a key may be valid. */
export const API_KEY_DAYS = [30, 90, 365] as const

export const API_KEY_BOUNDS = {
  /** Working keys that an organisation may have at the same time. */
  keysOfOne: 5,
  nameLength: 60,
  /** Administrators are notified this many days before a key expires. */
  noticeDays: 14,
  /** Addresses and ranges that a key may be limited to. */
  addresses: 20,
  /** Requests that may come at once, and requests added every minute. */
  burst: 60,
  perMinute: 120,
} as const

/**
 * Every key may read the names of the organisation's agreements, publishers and media: figures and payments cannot be
 * understood without them.
 */
const ALWAYS: readonly ResourceName[] = ['insight:agreement.', 'insight:publisher.']
const RESOURCES: Readonly<Record<ApiKeyScope, readonly ResourceName[]>> = {
  reports: ['insight:summary_stats.', 'insight:article_stats.', 'insight:video_stats.'],
  payments: [
    'insight:agreement_snapshot.',
    'insight:monthly_payment.',
    'insight:monthly_publisher_payment.',
    'insight:statement.',
  ],
}

/** Whether a key with these scopes may do this at all: it only reads, and only its own kinds of data. */
export function mayKeyAsk(scopes: readonly ApiKeyScope[], action: GranularAction, resource: ResourceName): boolean {
  if (action !== 'read:list' && action !== 'read:show') return false
  return scopes.length > 0 && [ALWAYS, ...scopes.map(scope => RESOURCES[scope])].some(part => part.includes(resource))
}

export function isApiKeyScope(name: string): name is ApiKeyScope {
  return API_KEY_SCOPES.some(scope => scope === name)
}

/** `stopped`: the person who made it was disabled or removed, or may no longer manage keys of this organisation. */
export const API_KEY_STATES = ['working', 'ending', 'ended', 'revoked', 'stopped'] as const
export type ApiKeyState = (typeof API_KEY_STATES)[number]

export interface ApiKeyLife {
  readonly expiresAtMs: number
  readonly isRevoked: boolean
  readonly isMakerEntitled: boolean
}

/** The state of a key. `ending`: it works and expires within the days of notice. */
export function apiKeyState({ expiresAtMs, isRevoked, isMakerEntitled }: ApiKeyLife, nowMs: number): ApiKeyState {
  if (isRevoked) return 'revoked'
  if (nowMs >= expiresAtMs) return 'ended'
  if (!isMakerEntitled) return 'stopped'
  return isEnding(expiresAtMs, nowMs) ? 'ending' : 'working'
}

/** Whether the key expires within the days of notice. */
function isEnding(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs - nowMs <= API_KEY_BOUNDS.noticeDays * 86_400_000
}

export interface ApiKeyWish {
  readonly name: string
  readonly scopes: readonly string[]
  readonly days: number
  /** Addresses from which the key may be used; empty: every address. */
  readonly addresses: readonly string[]
}
type ApiKeyRefusal = Refusal<keyof typeof API_KEY_REFUSALS_JA>

/** What is wrong with a requested key; empty when nothing is. */
export function apiKeyProblems({ name, scopes, days, addresses }: ApiKeyWish): readonly ApiKeyRefusal[] {
  const problems: ApiKeyRefusal[] = []
  const max = API_KEY_BOUNDS.nameLength
  const length = [...name].length
  if (length === 0 || length > max) problems.push(refusal('api-key/name-missing', ['input', 'name'], { max }))
  if (scopes.length === 0 || !scopes.every(isApiKeyScope))
    problems.push(refusal('api-key/scopes-missing', ['input', 'scopes']))
  if (!API_KEY_DAYS.some(each => each === days))
    problems.push(refusal('api-key/days-unknown', ['input', 'days'], { days: API_KEY_DAYS.join('日・') }))
  return [...problems, ...addressProblems(addresses)]
}

function addressProblems(addresses: readonly string[]): readonly ApiKeyRefusal[] {
  const path = ['input', 'addresses']
  const max = API_KEY_BOUNDS.addresses
  if (addresses.length > max) return [refusal('api-key/addresses-too-many', path, { max })]
  return addresses.flatMap(text => {
    const read = readAddressRange(text)
    if ('range' in read) return []
    const { problem, suggestion = '' } = read
    return [refusal(`api-key/address-${problem}` as const, path, { text: text.slice(0, 60), suggestion })]
  })
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43 // 62^43 > 2^256
/** Characters of the checksum: 62^6 > 2^32. */
const SUM_LENGTH = 6
/** Every key begins with this, so that secret scanners recognise it. */
export const API_KEY_PREFIX = 'pcr_'
const FORM = /^pcr_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** The text of a key: prefix, 256 random bits in base 62, and a checksum of both. */
export function apiKeySecret(random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('a key has 256 random bits')
  const body = inDigits(
    random.reduce((number, byte) => number * 256n + BigInt(byte), 0n),
    RANDOM_LENGTH,
  )
  return `${API_KEY_PREFIX}${body}${checksum(body)}`
}

/** Whether a text can be a key. A text that cannot is not looked up in the database. */
export function isApiKeyText(text: string): boolean {
  const [, body, sum] = FORM.exec(text) ?? []
  return body !== undefined && sum === checksum(body)
}

function checksum(body: string): string {
  return inDigits(BigInt(crc32(`${API_KEY_PREFIX}${body}`)), SUM_LENGTH)
}

function inDigits(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits
  return digits
}

/** CRC-32 (ISO 3309) of an ASCII text. */
function crc32(text: string): number {
  let sum = 0xffff_ffff
  for (const char of text) {
    sum ^= char.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb8_8320 : sum >>> 1
  }
  return ~sum >>> 0
}
