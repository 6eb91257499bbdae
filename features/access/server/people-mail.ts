import type { Refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

type TooManyMails = Refusal<'mail/too-many'>
type TooMany = TooManyMails | undefined

/**
 * What signing in does for the administration of people, wired in `apps/server`: letters with one-time links. A letter
 * leaves after the transaction has committed; both count against the sender's limit per hour.
 */
export interface PeopleMail {
  /** Invites the user, or invites anew: the link before is void. */
  readonly invite: (tx: Transaction, letter: { readonly uid: string; readonly senderUid: string }) => Promise<TooMany>
  /** Asks at the new address whether it may become the user's. Nothing changes until its link is opened. */
  readonly confirmEmail: (
    tx: Transaction,
    letter: { readonly uid: string; readonly email: string; readonly senderUid: string },
  ) => Promise<TooMany>
  /** Takes the second factors of somebody who lost them, and tells the person; the answer is how many there were. */
  readonly resetSecondFactor: (
    tx: Transaction,
    person: { readonly uid: string; readonly senderUid: string },
  ) => Promise<number | TooManyMails>
  /** Who of these has a second factor. */
  readonly withSecondFactor: (uids: readonly string[]) => Promise<ReadonlySet<string>>
  /** An attempt that failed counts too, so that nobody finds out who has an account by trying addresses. */
  readonly countFailure: (senderUid: string) => Promise<void>
}
