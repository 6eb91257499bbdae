import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { normalizedEmail } from '@pc/platform/oidc/session-check.ts'
import { endSessionsOf } from '@pc/platform/oidc/session-rows.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import type { AccountEmails } from './account-emails.ts'
import { reserveAttempt } from './attempt-limit.ts'
import { refuseNewPassword } from './new-password.ts'
import { readLink, useLink } from './one-time-link.ts'
import { auditAccount } from './sign-in-call.ts'

interface ResetDeps {
  readonly database: Database
  readonly clock: Clock
  readonly emails: AccountEmails
  readonly onFault: (error: unknown) => void
}

/**
 * Emails a link if the address has an account with a password. The answer is the same for every address and does not wait
 * for the email; requests are limited per account and per network address.
 * Tested by `features/sign-in/server/sessions.test.ts`.
 */
export async function requestPasswordReset(
  deps: ResetDeps,
  requested: { readonly email: string; readonly networkAddress: string },
): Promise<Result<null, Refusal<SignInRefusalCode>>> {
  const email = mailAddress(requested.email)
  if (!email) return refused(refusal('sign-in/email-invalid', ['email']))
  const { database, clock } = deps
  const { networkAddress } = requested
  const counted = await reserveAttempt(database, clock.now(), [{ limit: 'resetsFromAddress', by: networkAddress }])
  if (!counted.isAllowed) return refused(refusal('sign-in/too-many-attempts', [], { minutes: counted.retryInMinutes }))
  void sendResetEmail(deps, email, networkAddress).catch(deps.onFault)
  return ok(null)
}

async function sendResetEmail(deps: ResetDeps, email: string, networkAddress: string): Promise<void> {
  const { database, clock, emails } = deps
  const counted = await reserveAttempt(database, clock.now(), [
    { limit: 'resetEmailsOfAccount', by: normalizedEmail(email) },
  ])
  if (!counted.isAllowed) return
  await database.inScope(SYSTEM, async tx => {
    const found = await sql<{ uid: string }>`select u.uid::text as uid from users u
      join idp_accounts a on a.uid = u.uid where u.email = ${email} and u.enabled`.execute(tx)
    const uid = found.rows[0]?.uid
    if (uid === undefined) return
    await emails.sendLink(tx, { kind: 'new-password', uid })
    await auditAccount(tx, networkAddress, { uid, action: 'ask-for-new-password', isAuthenticated: false })
  })
}

/** Sets a new password by the link. All sessions of the account end; signing in still needs the second factor. */
export async function resetPassword(
  deps: ResetDeps,
  input: { readonly secret: string; readonly newPassword: string; readonly networkAddress: string },
): Promise<Result<{ email: string }, Refusal<SignInRefusalCode>>> {
  const { database, emails } = deps
  const requested = await database.inScope(SYSTEM, async tx => {
    const link = await readLink(tx, 'PasswordResetLink', input.secret)
    const found = await sql<{ email: string }>`select email from users
      where uid = ${link?.accountId ?? null}::uuid and enabled`.execute(tx)
    return found.rows[0]?.email
  })
  if (requested === undefined) return refused(refusal('sign-in/link-expired'))
  const weak = refuseNewPassword(input.newPassword, requested, ['newPassword'])
  if (weak) return refused(weak)
  const hash = await hashPassword(input.newPassword)
  const email = await database.inScope(SYSTEM, async tx => {
    const link = await useLink(tx, 'PasswordResetLink', input.secret)
    if (!link?.accountId) return undefined
    const changed = await sql<{ email: string }>`update idp_accounts a set password_hash = ${hash},
        password_changed_at = now() from users u
      where a.uid = ${link.accountId}::uuid and u.uid = a.uid and u.enabled returning u.email`.execute(tx)
    if (!changed.rows[0]) return undefined
    // Opening the link verifies only the address that it was sent to; the account's address may have changed since.
    await sql`update users set email_verified_at = now(), updated_at = now()
      where uid = ${link.accountId}::uuid and email = ${link.email ?? null} and email_verified_at is null`.execute(tx)
    await endSessionsOf(tx, link.accountId)
    await auditAccount(tx, input.networkAddress, {
      uid: link.accountId,
      action: 'reset-password',
      isAuthenticated: true,
    })
    await emails.send(tx, passwordNotice(changed.rows[0].email))
    return changed.rows[0].email
  })
  if (email === undefined) return refused(refusal('sign-in/link-expired'))
  return ok({ email })
}

/** The notice after every change of a password, so that the owner learns of one made by somebody else. */
export function passwordNotice(to: string) {
  return renderEmail({
    to,
    subject: '【Publisher Center】パスワードが変更されました',
    paragraphs: [
      'Publisher Center のパスワードが変更されました。ほかの端末でのサインインは終了しています。',
      'お心当たりがない場合は、すぐに管理者へご連絡ください。',
    ],
  })
}
