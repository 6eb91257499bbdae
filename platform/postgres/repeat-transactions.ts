import type { Database } from './database.ts'
import { readSqlRefusal } from './translate-sql-state.ts'

const MAX_ATTEMPTS = 3

/**
 * A database whose transactions are repeated after a deadlock or serialization failure. Their work must have no effects
 * outside of the transaction.
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
