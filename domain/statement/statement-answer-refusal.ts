import type { Refusal } from '../refusal.ts'

/** Why a statement cannot be issued, confirmed or answered, beside the rules of the document itself. */
export type StatementAnswerRefusal = Refusal<
  | 'statement/payer-settings-missing'
  | 'statement/only-payee'
  | 'statement/notified-already'
  | 'statement/only-payer'
  | 'statement/too-many'
  | 'statement/days-out-of-range'
  | 'statement/payer-name-missing'
  | 'statement/number-check-digit'
  | 'statement/settings-month-taken'
>
