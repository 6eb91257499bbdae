import pg from 'pg'
import { connectionOptions } from '../postgres/connection-options.ts'

/** What the library of the queue runs its statements by. */
export interface QueueConnection {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const AS_APPLICATION = 'set local role pc_app'
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
        if (BEGIN.test(text)) return await client.query(text.replace(BEGIN, `begin; ${AS_APPLICATION};`))
        await client.query(`begin; ${AS_APPLICATION}`)
        const result = await client.query(text, values)
        await client.query('commit')
        return result
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
