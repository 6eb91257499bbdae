import type { GranularAction } from '../access/action.ts'
import type { ResourceName } from '../access/resource-name.ts'

/**
 * What waits for somebody, in the order in which it is shown: money first, then people who wait for an
 * answer, then what is kept in order.
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
 * The right to do something about it, without which it is nobody's duty; a person who has it may open the list as well.
 * `all`: for staff, of every organisation; `own`: for a publisher's people, of what is theirs.
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
  // The feed is the publisher's: what is wrong with it is mended there.
  feeds_down: {
    all: { action: 'write:update', resource: 'insight:feed.' },
    own: { action: 'read:list', resource: 'insight:feed.' },
  },
}
