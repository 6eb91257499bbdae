import type { CompiledQuery } from 'kysely'
import type { Transaction } from './database.ts'
import { type Connection, NamedQuery } from './named-query.ts'

const WITH_COMMIT = Symbol('sent with the commit')

/**
 * Leaves a writing statement, of which nothing has to be known, to the message of the commit: one round trip for all of them,
 * and what they lock is locked for no longer. Its error is the commit's, and nothing is saved. Whatever else the transaction
 * sends comes after it. Its parameters are texts or null.
 */
export async function sendWithCommit(tx: Transaction, statement: CompiledQuery): Promise<void> {
  const marked: CompiledQuery & { [WITH_COMMIT]: true } = { ...statement, [WITH_COMMIT]: true }
  await tx.executeQuery(marked)
}

export const isSentWithCommit = (statement: CompiledQuery): boolean => WITH_COMMIT in statement

export interface LastStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
  /** Of what the connection keeps prepared. */
  readonly name?: string | undefined
}

/** @throws TypeError for a value that only the client would make a text of */
export function lastStatement({ sql: text, parameters }: CompiledQuery, name: string | undefined): LastStatement {
  const values = parameters.map(value => {
    if (typeof value === 'string' || value === null) return value
    throw new TypeError(`what is sent with the commit takes no ${typeof value}`)
  })
  return { text, values, name }
}

/**
 * The last statements of a transaction and its commit, in one message: after an error the server skips the rest of it. A
 * connection on which that happened does not know what it keeps prepared, and has to be closed.
 */
export class CommitWith extends NamedQuery {
  readonly #last: readonly LastStatement[]
  #unanswered: number

  constructor(
    last: readonly LastStatement[],
    timeoutMs: number,
    onEnd: (error: unknown, result: never) => void,
    beforehand?: (connection: Connection) => void,
  ) {
    super({ text: 'commit', query_timeout: timeoutMs }, onEnd, beforehand)
    ;(this as { queryMode?: string }).queryMode = 'extended'
    this.#last = last
    this.#unanswered = last.length
  }

  override prepare(connection: Connection): void {
    for (const { text, values, name = '' } of this.#last) {
      if (name === '' || connection.parsedStatements[name] === undefined) {
        connection.parse({ name, text })
        if (name !== '') connection.parsedStatements[name] = text
      }
      connection.bind({ statement: name, values: values as readonly string[] })
      connection.execute({})
    }
    super.prepare(connection)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#unanswered > 0) this.#unanswered -= 1
    else inherited.handleCommandComplete.call(this, message, connection)
  }
}
const inherited = NamedQuery.prototype as unknown as {
  readonly handleCommandComplete: (this: CommitWith, message: unknown, connection: Connection) => void
}
