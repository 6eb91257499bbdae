export const BANK_ACCOUNTS_PATH = '/bank-accounts'
export const BANK_ACCOUNT_CREATE_PATH = '/bank-accounts/create'
