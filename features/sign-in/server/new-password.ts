import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, type SignInRefusalCode } from '../refusals.ts'
import { isCommonPassword } from './common-password.ts'

/** Common passwords of this system and of Japanese keyboards that international lists lack. */
const OWN_WORDS = /^(?:publisher-?center|パブリッシャーセンター|nihongo|sakura|arigatou?|konnichiwa|zaq1|1qazxsw2)/i
/** Digits and signs around a common password do not make it a different one. */
const DECORATION = /^[\d\p{P}\p{S}]*|[\d\p{P}\p{S}]*$/gu
/** A password counts as a common word when at most this many characters are added to it. */
const MAX_DECORATION = 6

function isGuessable(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const mailbox = email.split('@', 1)[0] ?? ''
  const isRepetition = /^(.{1,4})\1+.{0,3}$/.test(plain)
  const isRow = plain.length > 0 && [...plain].every((char, at, all) => at === 0 || step(all[at - 1], char) === 1)
  const isOwnName = plain.includes(email) || (mailbox.length >= 4 && plain.replaceAll(mailbox, '').length < 8)
  const isOwnWord = OWN_WORDS.test(plain) && plain.replace(OWN_WORDS, '').length <= MAX_DECORATION
  const core = plain.replaceAll(DECORATION, '')
  const isDecorated = core.length >= 6 && plain.length - core.length <= MAX_DECORATION && isCommonPassword(core)
  return isRepetition || isRow || isOwnName || isOwnWord || isDecorated || isCommonPassword(plain)
}

const step = (before: string | undefined, char: string) =>
  before === undefined ? 0 : Math.abs((char.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0))

/**
 * Why the password cannot be the account's new one; undefined when it can. There are no composition rules (NIST SP
 * 800-63B).
 */
export function refuseNewPassword(
  password: string,
  email: string,
  path: readonly string[],
): Refusal<SignInRefusalCode> | undefined {
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) return refusal('sign-in/password-too-short', path, { min: PASSWORD_MIN_LENGTH })
  if (length > PASSWORD_MAX_LENGTH) return refusal('sign-in/password-too-long', path, { max: PASSWORD_MAX_LENGTH })
  return isGuessable(password, email) ? refusal('sign-in/password-too-simple', path) : undefined
}
