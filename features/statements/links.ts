import { statementCondition } from './statement-condition.ts'

export const STATEMENTS_PATH = '/histories/statements'

/** The statements with a filter, as the part of an address behind the console's own: `#/histories/statements/state=…`. */
export function statementsAddress(change: Partial<typeof statementCondition.defaults> = {}): string {
  const condition = statementCondition.format({ ...statementCondition.defaults, ...change })
  return `#${STATEMENTS_PATH}${condition === undefined ? '' : `/${condition}`}`
}
