import type { Refusal } from '../refusal.ts'

/** What the people who issue, confirm and answer statements can be told besides the rules of the document itself. */
export type StatementAnswerRefusal = Refusal<
  | 'statement/payer-settings-missing'
  | 'statement/only-payee'
  | 'statement/told-already'
  | 'statement/only-payer'
  | 'statement/too-many'
  | 'statement/days-out-of-range'
  | 'statement/payer-name-missing'
  | 'statement/number-check-digit'
  | 'statement/settings-month-taken'
>
