import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { endOtherSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import { checkCredentials } from './check-credentials.ts'
import { refuseNewPassword } from './new-password.ts'
import type { Asking } from './sign-in-call.ts'

/** Checks that the person at the browser knows the password; counted like an attempt to sign in. */
export async function confirmPassword(
  database: Database,
  clock: Clock,
  asking: Asking,
  password: string,
  path: readonly string[],
): Promise<Refusal<SignInRefusalCode> | undefined> {
  const checked = await checkCredentials(database, clock, { email: asking.email, password, address: asking.address })
  if (checked.ok) return checked.value.uid === asking.uid ? undefined : refusal('sign-in/current-password-wrong', path)
  const [first] = checked.refusals
  return first?.code === 'sign-in/too-many-attempts' ? first : refusal('sign-in/current-password-wrong', path)
}

/**
 * Sets a new password. All other sessions of the account end; this one continues with new tokens.
 * Tested by `features/sign-in/server/account-changes.test.ts`.
 */
export async function changePassword(
  database: Database,
  clock: Clock,
  asking: Asking,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<Result<null, Refusal<SignInRefusalCode>>> {
  const weak = refuseNewPassword(input.newPassword, asking.email, ['newPassword'])
  if (weak) return refused(weak)
  const wrong = await confirmPassword(database, clock, asking, input.currentPassword, ['currentPassword'])
  if (wrong) return refused(wrong)
  if (input.newPassword.normalize('NFKC') === input.currentPassword.normalize('NFKC')) {
    return refused(refusal('sign-in/password-unchanged', ['newPassword']))
  }
  const hash = await hashPassword(input.newPassword)
  await database.inScope(SYSTEM, async tx => {
    await sql`update idp_accounts set password_hash = ${hash}, password_changed_at = now()
      where uid = ${asking.uid}::uuid`.execute(tx)
    await endOtherSessionsOf(tx, asking.uid, asking.sessionUid)
  })
  return ok(null)
}
