import pg from 'pg'
import { connectionOptions } from '../postgres/connection-options.ts'

/** What the library of the queue runs its statements by. */
export interface QueueConnection {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
/** How the library writes several statements as one transaction. */
const BEGIN = /^\s*begin\s*;/i

/**
 * Connections whose every statement is a transaction of the application's role. A role of the connection would not survive
 * a pooler in transaction mode, which gives each transaction another one.
 */
export function openQueueConnection(url: string, max: number, onError: (error: Error) => void): QueueConnection {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'publisher-center-jobs',
  })
  pool.on('error', onError)
  // The pool listens only while a connection is idle.
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
        // In whatever state the transaction was left, it ends with its connection.
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

/** A statement after its role, in one message: the server runs all before the end of a message in one transaction. */
class AsApplication extends pg.Query {
  #hasRole = false

  constructor(text: string, values: unknown[] | undefined, onEnd: Ended) {
    super({ text, values: values ?? [], queryMode: 'extended' } as pg.QueryConfig, onEnd)
  }

  /** Called by the client while it holds back what is written. */
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
