import { statementCondition } from './statement-condition.ts'

export const STATEMENTS_PATH = '/histories/statements'
/** A year by payee; reached from the statements. */
export const STATEMENT_YEARS_PATH = '/histories/statement-years'

/** The statements with a filter, as the part of an address behind the console's own: `#/histories/statements/state=…`. */
export function statementsAddress(change: Partial<typeof statementCondition.defaults> = {}): string {
  const condition = statementCondition.format({ ...statementCondition.defaults, ...change })
  return `#${STATEMENTS_PATH}${condition === undefined ? '' : `/${condition}`}`
}
