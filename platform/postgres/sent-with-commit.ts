import type { CompiledQuery, Transaction } from 'kysely'
import type { SilentStatement } from './pipelined-query.ts'
import type { Tables } from './tables.ts'

const WITH_COMMIT = Symbol('sent with the commit')

/**
 * Defers a write, whose result is not needed, to the message of the commit: it saves round trips and shortens its
 * locks. If the transaction runs another statement, the deferred one is sent just before it. An error rolls everything
 * back; parameters must be strings or null.
 */
export async function sendWithCommit(tx: Transaction<Tables>, statement: CompiledQuery): Promise<void> {
  const marked: CompiledQuery & { [WITH_COMMIT]: true } = { ...statement, [WITH_COMMIT]: true }
  await tx.executeQuery(marked)
}

export const isSentWithCommit = (statement: CompiledQuery): boolean => WITH_COMMIT in statement

/** @throws TypeError for a value that needs the client's conversion to text */
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
