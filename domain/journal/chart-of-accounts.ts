import type { JournalAccount } from './journal-accounts.ja.ts'

/** An account of the platform's accounting software. Sub-account (補助科目) and department (部門) may be empty. */
export interface BookAccount {
  readonly name: string
  readonly subAccount: string
  readonly department: string
}
/** The account that each account of a journal is exported as; a setting. */
export type ChartOfAccounts = Readonly<Record<JournalAccount, BookAccount>>

const named = (name: string): BookAccount => ({ name, subAccount: '', department: '' })
export const STANDARD_CHART_OF_ACCOUNTS: ChartOfAccounts = {
  publisher_cost: named('支払報酬料'),
  accrued_cost: named('未払費用'),
  payable: named('未払金'),
  input_tax: named('仮払消費税'),
  non_deductible_tax: named('租税公課'),
  withholding_payable: named('預り金'),
  bank_fee: named('支払手数料'),
  bank: named('普通預金'),
}
