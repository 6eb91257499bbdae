import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import type { AccountLetters } from './account-letters.ts'
import { confirmPassword } from './change-password.ts'
import { useLink } from './one-time-link.ts'
import { type Asking, auditAccount } from './sign-in-call.ts'

export interface EmailChangeDeps {
  readonly database: Database
  readonly clock: Clock
  readonly letters: AccountLetters
}

function noticeMail(to: string) {
  return {
    to,
    subject: '【Publisher Center】メールアドレスが変更されました',
    text: `Publisher Center のメールアドレスが変更されました。今後、このアドレスではサインインできません。

お心当たりがない場合は、すぐに管理者へご連絡ください。
`,
  }
}

/**
 * Asks for a confirmation at the new address. The answer is the same whether or not that address belongs to another
 * account; then no mail is sent.
 */
export async function requestEmailChange(
  deps: EmailChangeDeps,
  asking: Asking,
  input: { readonly email: string; readonly currentPassword: string },
): Promise<Result<null, Refusal<SignInRefusalCode>>> {
  const email = mailAddress(input.email)
  if (!email) return refused(refusal('sign-in/email-invalid', ['email']))
  if (email === asking.email) return refused(refusal('sign-in/email-unchanged', ['email']))
  const wrong = await confirmPassword(deps.database, deps.clock, asking, input.currentPassword, ['currentPassword'])
  if (wrong) return refused(wrong)
  await deps.database.inScope(SYSTEM, tx => deps.letters.sendLink(tx, { kind: 'new-email', uid: asking.uid, email }))
  return ok(null)
}

/** Changes the address for whoever opened the link at the new one, and tells the old one. */
export async function confirmEmailChange(
  deps: EmailChangeDeps,
  secret: string,
  address: string,
): Promise<Result<{ email: string }, Refusal<SignInRefusalCode>>> {
  const changed = await deps.database.inScope(SYSTEM, async tx => {
    const link = await useLink(tx, 'EmailChangeLink', secret)
    if (!link?.accountId || !link.email) return 'sign-in/link-expired' as const
    const before = await sql<{ email: string }>`select email from users
      where uid = ${link.accountId}::uuid and enabled for update`.execute(tx)
    const oldEmail = before.rows[0]?.email
    if (oldEmail === undefined) return 'sign-in/link-expired' as const
    const updated = await sql`update users set email = ${link.email}, email_verified_at = now(), updated_at = now()
      where uid = ${link.accountId}::uuid and not exists (select from users o where o.email = ${link.email})
      returning 1`.execute(tx)
    if (updated.rows.length === 0) return 'sign-in/email-taken' as const
    await auditAccount(tx, address, { uid: link.accountId, action: 'change-email', isProved: true })
    await deps.letters.send(tx, noticeMail(oldEmail))
    return { email: link.email }
  })
  if (typeof changed === 'string') return refused(refusal(changed))
  return ok(changed)
}
