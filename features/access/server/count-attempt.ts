import type { UserRefusal } from '@pc/domain/access/user-changes.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { AccountMailPort } from './account-mail-port.ts'
import type { UserWrite } from './change-user.ts'

export type InviteRefusal =
  | UserRefusal
  | Refusal<
      | 'user/email-invalid'
      | 'user/email-taken'
      | 'user/email-unchanged'
      | 'user/email-elsewhere'
      | 'user/agreement-not-found'
      | 'user/agreements-need-editor'
      | 'user/already-active'
      | 'user/disabled'
      | 'user/change-pending'
      | 'user/own-email'
      | 'user/own-invitation'
      | 'organization/not-found'
      | 'record/not-found'
      | 'mail/too-many'
    >

/** The result of {@link countAttempt}: whether an attempt that reveals something about an address may continue. */
export type CountedAttempt = Result<undefined, Refusal<RefusalCode>>

/**
 * Counts an attempt against the hourly limit of emails, in a transaction of its own: a refused change would roll the
 * count back. What `check` refuses without looking at the address is not counted.
 * Tested by `features/users/server/invitations.test.ts`.
 */
export function countAttempt(
  database: Database,
  permit: UserWrite['permit'],
  mail: AccountMailPort,
  check: (tx: Transaction) => Promise<Result<unknown, InviteRefusal>>,
): Promise<CountedAttempt> {
  return database.inScope(permit.scope, async tx => {
    const checked = await check(tx)
    return checked.ok ? countMail(tx, permit, mail) : checked
  })
}

/** Counts one email that the person makes the system send; refused when they have sent too many. */
export async function countMail(
  tx: Transaction,
  permit: UserWrite['permit'],
  mail: AccountMailPort,
): Promise<Result<undefined, InviteRefusal>> {
  const tooMany = await mail.countMails(tx, { senderUid: permit.viewer.uid, count: 1 })
  return tooMany ? refused(tooMany) : ok(undefined)
}
