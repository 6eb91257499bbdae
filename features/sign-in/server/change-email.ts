import { randomUUID } from 'node:crypto'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import { applyChange, endChange, insertOwnChange } from './account-change-store.ts'
import type { AccountEmails } from './account-emails.ts'
import { useLink } from './one-time-link.ts'
import type { Asking } from './sign-in-call.ts'

export interface EmailChangeDeps {
  readonly database: Database
  readonly emails: AccountEmails
}

/**
 * Asks for a confirmation at the new address. The answer is the same when that address belongs to another account, but
 * then no email is sent.
 * Tested by `features/sign-in/server/account-changes.test.ts`.
 */
export async function requestEmailChange(
  deps: EmailChangeDeps,
  asking: Asking,
  typed: string,
): Promise<Result<null, Refusal<SignInRefusalCode>>> {
  const email = mailAddress(typed)
  if (!email) return refused(refusal('sign-in/email-invalid', ['email']))
  if (email === asking.email) return refused(refusal('sign-in/email-unchanged', ['email']))
  await deps.database.inScope(SYSTEM, tx => deps.emails.sendLink(tx, { kind: 'new-email', uid: asking.uid, email }))
  return ok(null)
}

/** Changes the address when the link at the new address is opened. The old address is notified and can object. */
export async function confirmEmailChange(
  deps: EmailChangeDeps,
  secret: string,
  address: string,
): Promise<Result<{ email: string }, Refusal<SignInRefusalCode>>> {
  const changed = await deps.database.inScope(SYSTEM, async tx => {
    const link = await useLink(tx, 'EmailChangeLink', secret)
    if (!link?.accountId || !link.email) return 'sign-in/link-expired' as const
    const before = await sql<{ email: string }>`select email from users
      where uid = ${link.accountId}::uuid and enabled for no key update`.execute(tx)
    const email = before.rows[0]?.email
    if (email === undefined) return 'sign-in/link-expired' as const
    const own = { uid: link.accountId, kind: 'email', email, newEmail: link.email } as const
    const change = await insertOwnChange(tx, { ...own, requestedByUid: own.uid, sourceAddress: address })
    const by = { uid: own.uid, requestId: randomUUID() }
    const came = await applyChange(tx, deps.emails, change, by)
    if (came === 'done') return { email: link.email }
    await endChange(tx, change.id, 'expired')
    return came === 'taken' ? ('sign-in/email-taken' as const) : ('sign-in/link-expired' as const)
  })
  if (typeof changed === 'string') return refused(refusal(changed))
  return ok(changed)
}
