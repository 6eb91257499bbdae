import type { ScreenContext } from '@pc/ui/routing/define-route.ts'
import { type AgreementCondition, agreementCondition } from '../agreement-condition.ts'
import { AgreementsDocument, type AgreementsQueryVariables } from './agreements.gen.ts'

/** Rights to parts of the list. Parts without the right are not requested, because the server would answer null anyway. */
export const IN_HOUSE = { action: 'read:show', resource: 'insight:in_house_field.' } as const
export const IN_HOUSE_NOTE = { action: 'read:show', resource: 'insight:in_house_note.' } as const
export const ACCOUNTS = { action: 'read:list', resource: 'insight:agreement_bank_account.' } as const

const TERMINATION = {
  active: { isTerminated: false },
  terminating: { isTerminationScheduled: true },
  terminated: { isTerminated: true },
  all: {},
} as const

export const agreementsQuery = {
  document: AgreementsDocument,
  variables(condition: AgreementCondition, { viewer }: Pick<ScreenContext, 'viewer'>): AgreementsQueryVariables {
    const { q, mediumId, organizationId, state, payment, need, order } = condition
    const { limit, offset } = agreementCondition.pageVariables(condition)
    return {
      limit,
      offset,
      orderBy: order,
      ...(q === '' ? {} : { q }),
      param: {
        ...(mediumId === undefined ? {} : { mediumId }),
        ...(organizationId === undefined ? {} : { organizationId }),
        ...TERMINATION[state],
        ...(payment === 'all' ? {} : { isPaymentDisabled: payment === 'disabled' }),
        ...(need === 'all' ? {} : { need }),
      },
      withInHouse: viewer.can(IN_HOUSE.action, IN_HOUSE.resource),
      withAccounts: viewer.can(ACCOUNTS.action, ACCOUNTS.resource),
    }
  },
}
