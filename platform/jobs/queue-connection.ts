import pg from 'pg'
import { connectionOptions } from '../postgres/connection-options.ts'

/** The database interface that pg-boss uses. */
export interface QueueConnection {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
/** pg-boss sends several statements as one text that begins with `begin;`. */
const BEGIN = /^\s*begin\s*;/i

/**
 * A pool in which every statement is a transaction that first takes the role `pc_app`. The role is not set once per
 * connection, because a pooler in transaction mode may give each transaction another one.
 */
export function openQueueConnection(url: string, max: number, onError: (error: Error) => void): QueueConnection {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'publisher-center-jobs',
  })
  pool.on('error', onError)
  // The pool only listens for errors of idle connections; an error event without a listener ends the process.
  pool.on('connect', client => client.on('error', () => {}))
  return {
    async executeSql(text, values) {
      const client = await pool.connect()
      let failed: Error | undefined
      try {
        if (BEGIN.test(text)) return await client.query(text.replace(BEGIN, 'begin; set local role pc_app;'))
        return await new Promise<pg.QueryResult>((resolve, reject) => {
          client.query(new AsApplication(text, values, (error, result) => (error ? reject(error) : resolve(result))))
        })
      } catch (error) {
        failed = error as Error
        throw error
      } finally {
        // The transaction may be in any state, so its connection is closed.
        client.release(failed)
      }
    },
    close: () => pool.end(),
  }
}

type Ended = (error: Error | undefined, result: pg.QueryResult) => void
interface Connection {
  parse(statement: { readonly text: string }): void
  bind(portal: object): void
  execute(portal: object): void
}
type Handler = (this: AsApplication, message: unknown, connection: Connection) => void
const inherited = pg.Query.prototype as unknown as {
  readonly prepare: (connection: Connection) => void
  readonly handleDataRow: Handler
  readonly handleCommandComplete: Handler
}

/**
 * Sets the role and runs a statement in one message of the extended protocol, which the server runs as one transaction.
 */
class AsApplication extends pg.Query {
  #hasRole = false

  constructor(text: string, values: unknown[] | undefined, onEnd: Ended) {
    super({ text, values: values ?? [], queryMode: 'extended' } as pg.QueryConfig, onEnd)
  }

  /** Called by node-postgres while it buffers its output, so that all messages leave together. */
  prepare(connection: Connection): void {
    connection.parse({ text: "select set_config('role', 'pc_app', true)" })
    connection.bind({})
    connection.execute({})
    inherited.prepare.call(this, connection)
  }

  handleDataRow(message: unknown, connection: Connection): void {
    if (this.#hasRole) inherited.handleDataRow.call(this, message, connection)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#hasRole) inherited.handleCommandComplete.call(this, message, connection)
    this.#hasRole = true
  }
}
