import type { Database } from './database.ts'
import { readSqlRefusal } from './translate-sql-state.ts'

const MAX_ATTEMPTS = 3

/**
 * The same database, whose transactions are done again, from nothing, when another one was in the way: of two that wait for
 * each other PostgreSQL ends one. Their work changes nothing outside of the transaction.
 */
export function withRepeatedTransactions(database: Database): Database {
  return {
    ...database,
    async inScope(scope, work, options) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await database.inScope(scope, work, options)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || readSqlRefusal(error)?.kind !== 'retry') throw error
        }
      }
    },
  }
}
