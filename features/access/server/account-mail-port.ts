import type { AccountChange, AccountChangeRequest } from '@pc/domain/access/account-change.ts'
import type { Role } from '@pc/domain/access/role.ts'
import type { Refusal } from '@pc/domain/refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/** Actions on an account that take effect without the person's consent. */
export type AccountEvent = 'disabled' | 'enabled' | 'deleted'

export interface RolesOfPerson {
  readonly uid: string
  readonly roles: readonly Role[]
}

type TooMany = Refusal<'mail/too-many'> | undefined

/**
 * Emails about accounts, with one-time links. `features/sign-in` implements the port; `apps/server` wires it. An email
 * leaves after the transaction has committed. Callers count it against the sender's hourly limit first.
 */
export interface AccountMailPort {
  /**
   * Counts emails against the sender's hourly limit: all of them, or none when they are too many. Call it before
   * anything is answered about an address, so that beyond the limit addresses with and without an account get the same
   * answer.
   */
  readonly countMails: (
    tx: Transaction,
    mails: { readonly senderUid: string; readonly count: number },
  ) => Promise<TooMany>
  /** Sends an invitation. An earlier link becomes invalid. */
  readonly invite: (tx: Transaction, message: { readonly uid: string; readonly senderUid: string }) => Promise<void>
  /** Records invitations whose emails a person sends later. Until then they cannot be accepted. */
  readonly postponeInvitations: (
    tx: Transaction,
    emails: { readonly uids: readonly string[]; readonly senderUid: string },
  ) => Promise<void>
  /**
   * Records a requested change of another person's account and notifies the person. Nothing changes until the person
   * agrees, by email or in a session, or {@link applyChange} is called.
   */
  readonly requestChange: (
    tx: Transaction,
    request: AccountChangeRequest,
  ) => Promise<Refusal<'user/change-pending'> | undefined>
  /** A change with its person, locked; undefined when there is none in the scope of the transaction. */
  readonly lockChange: (tx: Transaction, id: string) => Promise<AccountChange | undefined>
  /** Applies a change: sessions end, the person is notified and may object, and the audit log names the requester. */
  readonly applyChange: (
    tx: Transaction,
    change: AccountChange,
    by: { readonly uid: string; readonly requestId: string },
  ) => Promise<'done' | 'stale' | 'taken'>
  readonly withdrawChange: (tx: Transaction, change: AccountChange) => Promise<void>
  /** Notifies the other administrators of people who got a watched role, in one email for all of them. */
  readonly notifyNewAdministrators: (
    tx: Transaction,
    people: readonly RolesOfPerson[],
    givenByUid: string,
  ) => Promise<void>
  /**
   * Notifies people who have accepted their invitation of what happened to their account. Call it before a deletion.
   */
  readonly notifyPeople: (tx: Transaction, uids: readonly string[], what: AccountEvent) => Promise<void>
  /** Those of these people who have a second factor. */
  readonly withSecondFactor: (uids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Whether people sign in at an external issuer. A new invitation then binds another account of theirs. */
  readonly isIssuerExternal: boolean
}

/** The same port, but notices about new administrators wait until `send`: one email for all batches of a file. */
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
