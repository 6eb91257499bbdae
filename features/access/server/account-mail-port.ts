import type { AccountChange, AccountChangeRequest } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** What an administrator does to another person's account without the person's consent. */
export type AccountEvent = 'disabled' | 'enabled' | 'deleted'

export interface RolesOfPerson {
  readonly uid: string
  readonly roles: readonly Role[]
}

type TooMany = Refusal<'mail/too-many'> | undefined

/**
 * What signing in does for the administration of people, wired in `apps/server`: emails with one-time links. An email
 * leaves after the transaction has committed. Callers count it against the sender's limit per hour first.
 */
export interface AccountMailPort {
  /**
   * Counts mails against the sender's limit per hour: all of them, or none where they are too many. Ask before anything
   * is said about an address: beyond the limit, an address that has an account and one that has none answer the same.
   */
  readonly countMails: (
    tx: Transaction,
    mails: { readonly senderUid: string; readonly count: number },
  ) => Promise<TooMany>
  /** Mails an invitation. An earlier link becomes invalid. */
  readonly invite: (tx: Transaction, message: { readonly uid: string; readonly senderUid: string }) => Promise<void>
  /** Notes invitations whose emails are to be sent later, by hand: until then nobody can accept them. */
  readonly postponeInvitations: (
    tx: Transaction,
    emails: { readonly uids: readonly string[]; readonly senderUid: string },
  ) => Promise<void>
  /**
   * Notes what somebody wants to change about another person's account, and tells the person. Nothing changes until the
   * person agrees, by email or session, or {@link applyChange}.
   */
  readonly requestChange: (
    tx: Transaction,
    request: AccountChangeRequest,
  ) => Promise<Refusal<'user/change-pending'> | undefined>
  /** A change and its person, locked; undefined where there is none in the scope of the transaction. */
  readonly lockChange: (tx: Transaction, id: string) => Promise<AccountChange | undefined>
  /** Lets it take effect: sessions end, the person is told and may object, the log names who asked for it. */
  readonly applyChange: (
    tx: Transaction,
    change: AccountChange,
    by: { readonly uid: string; readonly requestId: string },
  ) => Promise<'done' | 'stale' | 'taken'>
  readonly withdrawChange: (tx: Transaction, change: AccountChange) => Promise<void>
  /** Tells the other administrators who got a role that they have to know of: one email each, however many people. */
  readonly notifyNewAdministrators: (
    tx: Transaction,
    people: readonly RolesOfPerson[],
    givenByUid: string,
  ) => Promise<void>
  /** Tells people who have accepted the invitation what happened to the account. Called before a deletion. */
  readonly notifyPeople: (tx: Transaction, uids: readonly string[], what: AccountEvent) => Promise<void>
  /** Who of these has a second factor. */
  readonly withSecondFactor: (uids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether people sign in at an external issuer: a new invitation then binds another account of theirs. */
  readonly bindsAccounts: boolean
}

/**
 * The same mails, but the notices about new administrators wait until `send`: one email for all portions of a file.
 */
export function withOneNotice(mail: AccountMailPort) {
  const waiting: RolesOfPerson[] = []
  const collecting: AccountMailPort = {
    ...mail,
    async notifyNewAdministrators(_tx, people) {
      waiting.push(...people)
    },
  }
  return {
    mail: collecting,
    async send(tx: Transaction, givenByUid: string): Promise<void> {
      const people = waiting.splice(0)
      if (people.length > 0) await mail.notifyNewAdministrators(tx, people, givenByUid)
    },
  }
}
