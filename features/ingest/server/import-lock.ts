import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** The lock that an import holds while it changes the ledger and the statistics store. */
export interface ImportLock {
  /** @throws Error when the lock was lost with its connection: another process may import now. */
  assertHeld(): Promise<void>
}

/** Lets one import run at a time over all processes. So an unfinished batch found under the lock has no living owner. */
export type WithImportLock = <T>(work: (lock: ImportLock) => Promise<T>) => Promise<T>

/** An arbitrary key of PostgreSQL's advisory locks, which no other lock may use. */
export const IMPORT_LOCK_KEY = 7_201_112
const RETRY_MS = 250
/** Must be shorter than PostgreSQL's `idle_in_transaction_session_timeout`. */
const KEEP_ALIVE_MS = 4000

/** Imports of this process wait in memory, so that each process holds at most one connection for the lock. */
export function importLock(database: Database): WithImportLock {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const run = last.then(() => withLock(database, work))
    last = run.catch(() => undefined)
    return run
  }
}

/** An advisory lock of an open transaction: PostgreSQL releases it when the process dies. A ping keeps the transaction alive. */
function withLock<T>(database: Database, work: (lock: ImportLock) => Promise<T>): Promise<T> {
  return database.inScope(SYSTEM, async tx => {
    for (;;) {
      const { rows } = await sql<{
        locked: boolean
      }>`select pg_try_advisory_xact_lock(${IMPORT_LOCK_KEY}) as locked`.execute(tx)
      if (rows[0]?.locked) break
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
    let ping: Promise<unknown> = Promise.resolve()
    let lost: unknown
    const touch = () => {
      ping = ping
        .then(() => sql`select 1`.execute(tx))
        .catch(error => {
          lost ??= error
        })
      return ping
    }
    const keepAlive = setInterval(touch, KEEP_ALIVE_MS)
    try {
      return await work({
        async assertHeld() {
          await touch()
          if (lost !== undefined) throw new Error('the import lock was lost with its connection', { cause: lost })
        },
      })
    } finally {
      clearInterval(keepAlive)
      await ping
    }
  })
}
