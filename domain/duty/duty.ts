import type { GranularAction } from '../access/action.ts'
import type { ResourceName } from '../access/resource-name.ts'

/**
 * Kinds of duties in the order in which they are shown: money first, then people who wait for an answer, then upkeep.
 */
export const DUTY_KINDS = [
  'months_to_close',
  'recalls_requested',
  'transfers_returned',
  'payments_to_send',
  'statements_objected',
  'statements_to_confirm',
  'questions_open',
  'questions_answered',
  'accounts_requested',
  'agreements_without_account',
  'agreements_to_renew',
  'feeds_down',
] as const
export type DutyKind = (typeof DUTY_KINDS)[number]

interface DutyRight {
  readonly action: GranularAction
  readonly resource: ResourceName
}

/**
 * The right that makes a kind somebody's duty and opens its list. `all`: for staff, over every organisation. `own`: for
 * a publisher's people, over their own organisation or agreements. A side that is absent never has this duty.
 */
export const DUTY_RIGHTS: Readonly<Record<DutyKind, { readonly all?: DutyRight; readonly own?: DutyRight }>> = {
  months_to_close: { all: { action: 'write:update', resource: 'insight:dividend.' } },
  recalls_requested: { all: { action: 'write:update', resource: 'insight:monthly_payment.' } },
  transfers_returned: { all: { action: 'write:update', resource: 'insight:monthly_payment.' } },
  payments_to_send: { all: { action: 'write:update', resource: 'insight:monthly_payment.' } },
  statements_objected: { all: { action: 'write:update', resource: 'insight:statement.' } },
  statements_to_confirm: { own: { action: 'write:update', resource: 'insight:statement.' } },
  questions_open: { all: { action: 'write:update', resource: 'insight:question.' } },
  questions_answered: { own: { action: 'write:update', resource: 'insight:question.' } },
  accounts_requested: { all: { action: 'write:update', resource: 'insight:bank_account.' } },
  agreements_without_account: {
    all: { action: 'write:create', resource: 'insight:agreement_bank_account.' },
    own: { action: 'write:create', resource: 'insight:bank_account.' },
  },
  agreements_to_renew: { all: { action: 'write:update', resource: 'insight:agreement.' } },
  // Publishers see their own feeds here because only they can repair them.
  feeds_down: {
    all: { action: 'write:update', resource: 'insight:feed.' },
    own: { action: 'read:list', resource: 'insight:feed.' },
  },
}
