import { type Refusal, refusal } from '../refusal.ts'
import type { Role } from './role.ts'
import { mayManage } from './role-rank.ts'

/** Changes to another person's account that one administrator requests and a second one confirms. */
export const ACCOUNT_CHANGE_KINDS = ['email', 'second-factor', 'invitation'] as const
export type AccountChangeKind = (typeof ACCOUNT_CHANGE_KINDS)[number]

/** A requested change and its state. */
export interface AccountChange {
  readonly id: bigint
  readonly uid: string
  readonly kind: AccountChangeKind
  /** The address that receives the notices; when the address itself changes, the old one. */
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

/** Days that a request waits for its confirmation, and days in which the person can object. */
export const ACCOUNT_CHANGE_DAYS = 3
/**
 * Days for which the previous state of the account is kept: the days that an email may wait for a mail server and the
 * validity of its link.
 */
export const ACCOUNT_UNDO_DAYS = 8
/**
 * Days that a person must have been an administrator before taking part in a change, so that an accomplice cannot be
 * invited at once.
 */
export const SECOND_ADMINISTRATOR_AFTER_DAYS = 3

export type SecondAdministratorRefusal = Refusal<
  | 'account-change/own-request'
  | 'account-change/own-account'
  | 'account-change/new-administrator'
  | 'account-change/new-requester'
>

/**
 * Why `actor` may not confirm the change as second administrator. The right to manage the person is checked elsewhere.
 * Tested by `domain/access/user-changes.test.ts`.
 * @param requesterRoles the established roles of the requester, who may be the accomplice; absent on screens, which do
 * not know them
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
