import type { CompiledQuery, Transaction } from 'kysely'
import type { SilentStatement } from './pipelined-query.ts'
import type { Tables } from './tables.ts'

const WITH_COMMIT = Symbol('sent with the commit')

/**
 * Leaves a writing statement, of which nothing has to be known, to the message of the commit: one round trip for all of them,
 * and what they lock is locked for no longer. Its error is the commit's, and nothing is saved. Whatever else the transaction
 * sends comes after it. Its parameters are texts or null.
 */
export async function sendWithCommit(tx: Transaction<Tables>, statement: CompiledQuery): Promise<void> {
  const marked: CompiledQuery & { [WITH_COMMIT]: true } = { ...statement, [WITH_COMMIT]: true }
  await tx.executeQuery(marked)
}

export const isSentWithCommit = (statement: CompiledQuery): boolean => WITH_COMMIT in statement

/** @throws TypeError for a value that only the client would make a text of */
export function statementBeforeCommit(
  { sql: text, parameters }: CompiledQuery,
  name: string | undefined,
): SilentStatement {
  const values = parameters.map(value => {
    if (typeof value === 'string' || value === null) return value
    throw new TypeError(`what is sent with the commit takes no ${typeof value}`)
  })
  return { text, values, name }
}
