import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { bankAccountCondition, bankAccountDraftCondition } from '../bank-account-condition.ts'
import { BANK_ACCOUNT_CREATE_PATH, BANK_ACCOUNTS_PATH } from '../links.ts'

export const bankAccountsRoute = defineRoute({
  path: BANK_ACCOUNTS_PATH,
  title: '口座',
  help: { staff: 'admin-guide.html#3-4-振込口座', publisher: 'publisher-guide.html#3-振込口座を登録する' },
  allow: { action: 'read:list', resource: 'insight:bank_account.' },
  condition: bankAccountCondition,
  query: () => import('./bank-accounts-query.ts').then(module => module.bankAccountsQuery),
  view: () => import('./bank-accounts-view.tsx').then(module => module.BankAccountsView),
})

export const bankAccountCreateRoute = defineRoute({
  path: BANK_ACCOUNT_CREATE_PATH,
  title: '口座の申請',
  allow: { action: 'write:create', resource: 'insight:bank_account.' },
  condition: bankAccountDraftCondition,
  view: () => import('./bank-account-create-view.tsx').then(module => module.BankAccountCreateView),
})
