import type { QueryConfig } from 'pg'
import { type Connection, NamedQuery } from './named-query.ts'

/** A statement whose result is not read. */
export interface SilentStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
  /** Name of the prepared statement; undefined: it is not prepared. */
  readonly name?: string | undefined
}

type Method<Args extends unknown[]> = (this: PipelinedQuery, ...args: Args) => void
const inherited = NamedQuery.prototype as unknown as {
  readonly handleDataRow: Method<[unknown]>
  readonly handleCommandComplete: Method<[unknown, Connection]>
}

/**
 * A statement sent in one message with others before it: begin, settings, other changes. The server runs them in order;
 * after an error it skips the rest.
 */
export class PipelinedQuery extends NamedQuery {
  readonly #before: readonly SilentStatement[]
  readonly #own = this as { name?: string | undefined }
  readonly #name: string | undefined
  #unanswered: number

  constructor(
    before: readonly SilentStatement[],
    config: QueryConfig & { query_timeout: number },
    onEnd: (error: unknown, result: never) => void,
    beforehand?: (connection: Connection) => void,
  ) {
    super(config, onEnd, beforehand)
    // Only messages of the extended protocol can be sent together.
    ;(this as { queryMode?: string }).queryMode = 'extended'
    this.#before = before
    this.#name = config.name
    this.#unanswered = before.length
  }

  /**
   * True while a preceding statement has no answer. True after an error: the connection may not have prepared what the
   * client believes, and must be closed.
   */
  get isBeforeOwn(): boolean {
    return this.#unanswered > 0
  }

  override prepare(connection: Connection): void {
    for (const { text, values, name = '' } of this.#before) {
      if (name === '' || connection.parsedStatements[name] === undefined) {
        connection.parse({ name, text })
        if (name !== '') connection.parsedStatements[name] = text
      }
      connection.bind({ statement: name, values: values as readonly string[] })
      connection.execute({})
    }
    super.prepare(connection)
    // node-postgres records each parsed statement under this query's name, so the name is hidden until its own turn.
    if (this.isBeforeOwn) this.#own.name = undefined
  }

  handleDataRow(message: unknown): void {
    if (!this.isBeforeOwn) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isBeforeOwn) {
      this.#unanswered -= 1
      if (!this.isBeforeOwn) this.#own.name = this.#name
    } else inherited.handleCommandComplete.call(this, message, connection)
  }
}
