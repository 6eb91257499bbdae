import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import pg from 'pg'

/** What the database refused, told by name; the values of the row never leave this place. */
export type SqlRefusal =
  /** A unique or primary key, an exclusion, a foreign key, a check or a missing value; named as in the schema. */
  | { readonly kind: 'unique' | 'exclusion' | 'foreign-key' | 'check'; readonly constraint: string }
  | { readonly kind: 'not-null'; readonly column: string }
  /** A row outside the scope of the transaction was written, or a right is missing: a fault of the program. */
  | { readonly kind: 'not-permitted' }
  /** Another transaction was in the way; the same work may succeed when it is done again. */
  | { readonly kind: 'retry' }
  /** The statement took too long, or the database is shutting down, unreachable or full. */
  | { readonly kind: 'unavailable' }

/** Reads an error that a query threw; undefined when it is something else, which stays a fault. */
export function readSqlRefusal(error: unknown): SqlRefusal | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  const constraint = error.constraint ?? ''
  switch (error.code) {
    case '23505':
      return { kind: 'unique', constraint }
    case '23P01':
      return { kind: 'exclusion', constraint }
    case '23503':
      return { kind: 'foreign-key', constraint }
    case '23514':
      return { kind: 'check', constraint }
    case '23502':
      return { kind: 'not-null', column: error.column ?? '' }
    case '42501':
      return { kind: 'not-permitted' }
    case '40001': // serialization failure
    case '40P01': // deadlock
    case '55P03': // lock not available
      return { kind: 'retry' }
    case '57014': // statement timeout
    case '57P01': // shutting down
    case '57P02':
    case '57P03':
    case '25P03': // idle in transaction for too long
    case '53100': // disk full
    case '53200':
    case '53300': // too many connections
      return { kind: 'unavailable' }
    default:
      return error.code?.startsWith('08') ? { kind: 'unavailable' } : undefined
  }
}

/** What the driver says of a server that does not answer, went away or has no connection left. */
const SILENT =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|This socket has been ended|(read|write|connect) (ECONN|EPIPE|ENOENT|ETIMEDOUT|EAGAIN))/

/** Whether the database could not do it, although nothing is wrong with what it was asked: another time it may. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return readSqlRefusal(error)?.kind === 'unavailable'
  return error instanceof Error && SILENT.test(error.message)
}

/**
 * Turns the violation of a constraint that a store knows into the refusal it stands for; every other error is thrown
 * again. For use in `catch`: the transaction has already failed and must be left.
 */
export function refusalOfConstraint<Code extends string>(
  error: unknown,
  known: Readonly<Record<string, { readonly code: Code; readonly path?: readonly (string | number)[] }>>,
): Refusal<Code> {
  const found = readSqlRefusal(error)
  const meant = found && 'constraint' in found ? known[found.constraint] : undefined
  if (!meant) throw error
  return refusal(meant.code, meant.path)
}

/** As {@link refusalOfConstraint}, of rows that were written together: of several the database does not say which one. */
export function refusalOfOnlyRow<Code extends string>(
  error: unknown,
  rows: readonly unknown[],
  known: Readonly<Record<string, { readonly code: Code; readonly path?: readonly (string | number)[] }>>,
): Refusal<Code> {
  if (rows.length !== 1) throw error
  return refusalOfConstraint(error, known)
}
