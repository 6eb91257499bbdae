/** The accounts of a journal with their Japanese names. */
export const JOURNAL_ACCOUNTS = {
  publisher_cost: '支払報酬',
  accrued_cost: '未払費用',
  payable: '未払金',
  input_tax: '仮払消費税',
  non_deductible_tax: '控除できない消費税',
  withholding_payable: '預り金（源泉徴収）',
  bank_fee: '振込手数料',
  bank: '預金',
} as const
/** Longest name, sub-account or department of an account, in characters. */
export const MAX_JOURNAL_ACCOUNT_TEXT = 50
export type JournalAccount = keyof typeof JOURNAL_ACCOUNTS
