import type { QueryConfig } from 'pg'
import { type Connection, NamedQuery } from './named-query.ts'

/** A statement whose answer nobody reads. */
export interface SilentStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
  /** Of what the connection keeps prepared; undefined: it keeps nothing of it. */
  readonly name?: string | undefined
}

type Method<Args extends unknown[]> = (this: PipelinedQuery, ...args: Args) => void
const inherited = NamedQuery.prototype as unknown as {
  readonly handleDataRow: Method<[unknown]>
  readonly handleCommandComplete: Method<[unknown, Connection]>
}

/**
 * A statement in one message with others before it: the beginning of its transaction, settings, other changes. The server does
 * them in turn; after an error it skips the rest of the message.
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
    // Only messages of the extended protocol travel together.
    ;(this as { queryMode?: string }).queryMode = 'extended'
    this.#before = before
    this.#name = config.name
    this.#unanswered = before.length
  }

  /**
   * One of the others is not done (yet). After an error: the connection may not keep prepared what it should, and has to be
   * closed.
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
    // The client takes each statement that the server has parsed for the one of this name.
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
