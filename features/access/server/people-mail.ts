import type { AccountChange, AccountChangeRequest } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** What an administrator does to another person's account without the person's consent. */
export type AccountEvent = 'disabled' | 'enabled' | 'deleted'

type TooMany = Refusal<'mail/too-many'> | undefined

/**
 * What signing in does for the administration of people, wired in `apps/server`: letters with one-time links. A letter
 * leaves after the transaction has committed; both count against the sender's limit per hour.
 */
export interface PeopleMail {
  /** Mails an invitation. An earlier link becomes invalid. */
  readonly invite: (tx: Transaction, letter: { readonly uid: string; readonly senderUid: string }) => Promise<TooMany>
  /** Notes invitations whose letters are to be sent later, by hand: until then nobody can accept them. */
  readonly postponeInvitations: (
    tx: Transaction,
    letters: { readonly uids: readonly string[]; readonly senderUid: string },
  ) => Promise<void>
  /**
   * Notes what somebody wants to change about another person's account, and tells the person. Nothing changes until the
   * person agrees, by letter or session, or {@link applyChange}.
   */
  readonly requestChange: (
    tx: Transaction,
    request: AccountChangeRequest,
  ) => Promise<Refusal<'mail/too-many' | 'user/change-pending'> | undefined>
  /** A change and its person, locked; undefined where there is none in the scope of the transaction. */
  readonly lockChange: (tx: Transaction, id: string) => Promise<AccountChange | undefined>
  /** Lets it take effect: sessions end, the person is told and may object, the log names who asked for it. */
  readonly applyChange: (
    tx: Transaction,
    change: AccountChange,
    by: { readonly uid: string; readonly requestId: string },
  ) => Promise<'done' | 'stale' | 'taken'>
  readonly withdrawChange: (tx: Transaction, change: AccountChange) => Promise<void>
  /** Tells the other administrators who got a role that they have to know of. */
  readonly tellNewAdministrators: (
    tx: Transaction,
    people: readonly { readonly uid: string; readonly roles: readonly Role[] }[],
    givenByUid: string,
  ) => Promise<void>
  /** Tells a person who has accepted the invitation what happened to the account. Called before a deletion. */
  readonly tellPerson: (tx: Transaction, uid: string, what: AccountEvent) => Promise<void>
  /** Who of these has a second factor. */
  readonly withSecondFactor: (uids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether people sign in at an external issuer: a new invitation then binds another account of theirs. */
  readonly bindsAccounts: boolean
  /** An attempt that failed counts too, so that nobody finds out who has an account by trying addresses. */
  readonly countFailure: (senderUid: string) => Promise<void>
}
