import { type Refusal, refusal } from '../refusal.ts'
import type { Role } from './role.ts'
import { mayManage } from './role-rank.ts'

/** What an administrator may ask for about somebody else's account, and nobody does alone. */
export const ACCOUNT_CHANGE_KINDS = ['email', 'second-factor', 'invitation'] as const
export type AccountChangeKind = (typeof ACCOUNT_CHANGE_KINDS)[number]

/** A change that somebody asked for, and how far it has come. */
export interface AccountChange {
  readonly id: bigint
  readonly uid: string
  readonly kind: AccountChangeKind
  /** Where the person is told; of a new address, the one before. */
  readonly email: string
  readonly newEmail: string | null
  readonly requestedByUid: string
  readonly sourceAddress: string
  readonly state: 'pending' | 'done' | 'withdrawn' | 'refused' | 'expired'
  readonly isOldConfirmed: boolean
  readonly isNewConfirmed: boolean
}
export type AccountChangeRequest = Pick<
  AccountChange,
  'uid' | 'kind' | 'email' | 'newEmail' | 'requestedByUid' | 'sourceAddress'
>

/** How long a request waits for its confirmation, and how long it can be objected to. */
export const ACCOUNT_CHANGE_DAYS = 3
/** How long the account of before is stored: the days that an email may wait for a mail server, and those of its link. */
export const ACCOUNT_UNDO_DAYS = 8
/** How long a person must have been an administrator to take part in a change: an invited accomplice has to wait. */
export const SECOND_ADMINISTRATOR_AFTER_DAYS = 3

export type SecondAdministratorRefusal = Refusal<
  | 'account-change/own-request'
  | 'account-change/own-account'
  | 'account-change/new-administrator'
  | 'account-change/new-requester'
>

/**
 * Why `actor` is not the second administrator who may confirm a change. The right to manage the person is checked apart.
 * @param requesterRoles the established roles of the requester, who may be the accomplice; screens do not know them
 */
export function refuseSecondAdministrator(
  actor: { readonly uid: string; readonly establishedRoles: readonly Role[] },
  change: { readonly uid: string; readonly requestedByUid: string; readonly requesterRoles?: readonly Role[] },
  targetRoles: readonly Role[],
): SecondAdministratorRefusal | undefined {
  if (actor.uid === change.requestedByUid) return refusal('account-change/own-request')
  if (actor.uid === change.uid) return refusal('account-change/own-account')
  if (!mayManage(actor.establishedRoles, targetRoles))
    return refusal('account-change/new-administrator', [], { days: SECOND_ADMINISTRATOR_AFTER_DAYS })
  if (change.requesterRoles && !mayManage(change.requesterRoles, targetRoles))
    return refusal('account-change/new-requester', [], { days: SECOND_ADMINISTRATOR_AFTER_DAYS })
  return undefined
}
