import { type BankAccountCondition, bankAccountCondition } from '../bank-account-condition.ts'
import { BankAccountsDocument, type BankAccountsQueryVariables } from './bank-accounts.gen.ts'

export const bankAccountsQuery = {
  document: BankAccountsDocument,
  variables(condition: BankAccountCondition): BankAccountsQueryVariables {
    const { q, organizationId, state, order } = condition
    const { limit, offset } = bankAccountCondition.pageVariables(condition)
    return {
      ...{ limit, offset, orderBy: order },
      ...(q === '' ? {} : { q }),
      param: {
        ...(organizationId === undefined ? {} : { organizationId }),
        ...(state === 'all' ? {} : { state }),
      },
    }
  },
}
