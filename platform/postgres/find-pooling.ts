import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectionOptions } from './connection-options.ts'

/**
 * What answers at a PostgreSQL URL. `session`: the server, or a pooler with one server connection for each client.
 * `transaction`: a pooler that lends server connections per transaction, and either supports prepared statements or
 * loses them.
 */
export type Pooling = 'session' | 'transaction' | 'transaction, forgets statements'

export const FORGETS_STATEMENTS =
  'DATABASE_URL names a pooler in transaction mode that forgets prepared statements: nothing is prepared, and questions cost more; PgBouncer 1.21 or later keeps them with max_prepared_statements = 200.'
export const MIGRATES_THROUGH_POOLER =
  'DATABASE_URL names a pooler in transaction mode, which cannot hold the lock of a migration: run `npm run db -- migrate` with a DATABASE_URL of PostgreSQL itself.'

/** More than one connection, because a pooler may be several processes behind one address. */
const CONNECTIONS = 4
const ROUNDS = 10
const TIMEOUT_MS = 5_000

/** Finds out by connecting several times. @throws when nothing answers */
export async function findPooling(url: string): Promise<Pooling> {
  const clients: pg.Client[] = []
  try {
    const connect = async () => {
      const client = new pg.Client({ ...connectionOptions(url), query_timeout: TIMEOUT_MS })
      client.on('error', () => {})
      clients.push(client)
      await client.connect()
      return client
    }
    const first = await connect()
    // A pooler reports a made-up process id for cancelling queries; a server reports its own.
    if ((await backendOf(first)) === (first as unknown as { processID: number }).processID) return 'session'
    while (clients.length < CONNECTIONS) await connect()
    return await compareBackends(clients)
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
}

/**
 * Detects transaction pooling: without it, connections that are open at the same time have different backends that
 * never change. Nothing stays locked, so many processes may start at once.
 */
async function compareBackends(clients: readonly pg.Client[]): Promise<Pooling> {
  const name = `probe ${randomUUID()}`
  const preparedOn = new Set<number>()
  const own = clients.map(() => new Set<number>())
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, client] of clients.entries()) {
        // The same statement name on all connections: a backend that already has it is shared.
        const shared = await backendOf(client, name)
        if (round === 0 && preparedOn.has(shared)) return 'transaction'
        preparedOn.add(shared)
        // A statement name of this connection only: on another backend than before, a pooler must prepare it again.
        const backend = await backendOf(client, `${name} ${place}`)
        if (round > 0 && !own[place]!.has(backend)) return 'transaction'
        own[place]!.add(backend)
      }
    }
    return 'session'
  } catch (error) {
    // 26000: the statement does not exist although it was prepared. 42P05: it exists although it was not.
    if (/^(26000|42P05)$/.test(String((error as { code?: string }).code))) return 'transaction, forgets statements'
    throw error
  }
}

/** The backend's process id. With a name the query is prepared, as in normal operation. */
async function backendOf(client: pg.Client, name?: string): Promise<number> {
  const text = 'select pg_backend_pid() as pid'
  const { rows } = await client.query<{ pid: number }>(name === undefined ? text : { name, text })
  return rows[0]!.pid
}
