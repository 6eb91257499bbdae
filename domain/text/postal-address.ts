import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { hasHiddenCharacter } from './name-text.ts'

/**
 * The address of an organisation. Both fields are empty when it is unknown; an address abroad has no Japanese postal
 * code.
 */
export interface PostalAddress {
  /** `100-0001`, or empty. */
  readonly postalCode: string
  readonly address: string
}

/** In characters. */
export const MAX_ADDRESS = 200

export type AddressRefusal = Refusal<
  | 'name/hidden-characters'
  | 'organization/postal-code-invalid'
  | 'organization/address-too-long'
  | 'organization/address-missing'
>

/** Characters that keyboards put between the digits. */
const NOISE = /[\s\-‐‑‒–—―−ー〒]/gu

/**
 * `100-0001` from half or full width digits, with or without 〒 and hyphen, for example 〒１００－０００１; undefined when it is
 * no postal code.
 */
export function normalizePostalCode(typed: string): string | undefined {
  const digits = typed.normalize('NFKC').replace(NOISE, '')
  if (digits === '') return ''
  return /^\d{7}$/.test(digits) ? `${digits.slice(0, 3)}-${digits.slice(3)}` : undefined
}

/** The address in normal form. The postal code may be missing; one without an address is refused. */
export function readPostalAddress(typed: PostalAddress): Result<PostalAddress, AddressRefusal> {
  const refusals: AddressRefusal[] = []
  const postalCode = normalizePostalCode(typed.postalCode)
  const address = typed.address.normalize('NFC').trim()
  if (postalCode === undefined) refusals.push(refusal('organization/postal-code-invalid', ['postalCode']))
  if (hasHiddenCharacter(address)) refusals.push(refusal('name/hidden-characters', ['address']))
  if ([...address].length > MAX_ADDRESS)
    refusals.push(refusal('organization/address-too-long', ['address'], { max: MAX_ADDRESS }))
  if (postalCode && address === '') refusals.push(refusal('organization/address-missing', ['address']))
  return postalCode === undefined || refusals.length > 0 ? refused(...refusals) : ok({ postalCode, address })
}

/** The address as documents print it: `〒100-0001　東京都…`. */
export function addressLine({ postalCode, address }: PostalAddress): string {
  return postalCode === '' ? address : `〒${postalCode}　${address}`
}
