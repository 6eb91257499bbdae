import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, type SignInRefusalCode } from '../refusals.ts'

/** Beginnings that every list of leaked passwords is full of. */
const COMMON =
  /^(?:password|passw0rd|qwerty|1234567|letmein|welcome|iloveyou|admin|abc123|asdf|zxcvb|publisher-?center|sakura|p@ssw)/i

function isGuessable(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const mailbox = email.split('@', 1)[0] ?? ''
  const isRepetition = /^(.{1,4})\1+.{0,3}$/.test(plain)
  const isRow = plain.length > 0 && [...plain].every((char, at, all) => at === 0 || step(all[at - 1], char) === 1)
  const isOwnName = plain.includes(email) || (mailbox.length >= 4 && plain.replaceAll(mailbox, '').length < 8)
  const isCommon = COMMON.test(plain) && plain.replace(COMMON, '').length < 8
  return isRepetition || isRow || isOwnName || isCommon
}

const step = (before: string | undefined, char: string) =>
  before === undefined ? 0 : Math.abs((char.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0))

/** Why this cannot be the new password of the account, or nothing. */
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
