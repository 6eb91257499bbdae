import type { GranularAction } from '../access/action.ts'
import type { ResourceName } from '../access/resource-name.ts'

/**
 * What waits for somebody of the platform, in the order in which it is shown: money first, then people who wait for an
 * answer, then what is kept in order.
 */
export const DUTY_KINDS = [
  'months_to_close',
  'transfers_returned',
  'payments_to_send',
  'statements_objected',
  'questions_open',
  'accounts_requested',
  'agreements_without_account',
  'agreements_to_renew',
  'feeds_down',
] as const
export type DutyKind = (typeof DUTY_KINDS)[number]

/** The right to do something about it, without which it is nobody's duty; whoever has it may open the list as well. */
export const DUTY_RIGHTS: Readonly<
  Record<DutyKind, { readonly action: GranularAction; readonly resource: ResourceName }>
> = {
  months_to_close: { action: 'write:update', resource: 'insight:dividend.' },
  transfers_returned: { action: 'write:update', resource: 'insight:monthly_payment.' },
  payments_to_send: { action: 'write:update', resource: 'insight:monthly_payment.' },
  statements_objected: { action: 'write:update', resource: 'insight:statement.' },
  questions_open: { action: 'write:update', resource: 'insight:question.' },
  accounts_requested: { action: 'write:update', resource: 'insight:bank_account.' },
  agreements_without_account: { action: 'write:create', resource: 'insight:agreement_bank_account.' },
  agreements_to_renew: { action: 'write:update', resource: 'insight:agreement.' },
  feeds_down: { action: 'write:update', resource: 'insight:feed.' },
}
