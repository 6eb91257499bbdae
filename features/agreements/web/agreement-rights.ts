import type { Viewer } from '@pc/ui/session/viewer.tsx'
import type { Sendable } from './agreement-values.ts'
import { ACCOUNTS, IN_HOUSE, IN_HOUSE_NOTE } from './agreements-query.ts'

/** Which parts of an agreement the person sees (`shown`, variables of the query) and which of them are sent when saving. */
export function agreementRights({ can }: Pick<Viewer, 'can'>): {
  readonly shown: {
    readonly withInHouse: boolean
    readonly withNotes: boolean
    readonly withAccounts: boolean
    readonly withOpenings: boolean
  }
  readonly sendable: Sendable
} {
  return {
    shown: {
      withInHouse: can(IN_HOUSE.action, IN_HOUSE.resource),
      withNotes: can(IN_HOUSE_NOTE.action, IN_HOUSE_NOTE.resource),
      withAccounts: can(ACCOUNTS.action, ACCOUNTS.resource),
      withOpenings: can('read:list', 'insight:opening_balance.'),
    },
    sendable: {
      inHouse: can('write:update', IN_HOUSE.resource),
      notes: can('write:update', IN_HOUSE_NOTE.resource),
      accounts: can('write:update', ACCOUNTS.resource),
    },
  }
}
