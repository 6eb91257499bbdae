import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import pg from 'pg'

/** Why the database rejected a statement. The driver's messages, which contain row values, are not passed on. */
export type SqlRefusal =
  /** A violated constraint, by its name in the schema. */
  | { readonly kind: 'unique' | 'exclusion' | 'foreign-key' | 'check'; readonly constraint: string }
  | { readonly kind: 'not-null'; readonly column: string }
  /** A row outside of the transaction's scope was written, or a privilege is missing: a bug. */
  | { readonly kind: 'not-permitted' }
  /** A conflict with another transaction; the same work may succeed when repeated. */
  | { readonly kind: 'retry' }
  /** The statement timed out, or the database is unreachable, shutting down or full. */
  | { readonly kind: 'unavailable' }

/** Classifies an error of a query; undefined: something else, which stays a fault. */
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

/** Messages of node-postgres for a server that does not answer, closed the connection or has none left. */
const SILENT =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|This socket has been ended|(read|write|connect) (ECONN|EPIPE|ENOENT|ETIMEDOUT|EAGAIN))/

/** Whether the database could not run a valid request, which may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return readSqlRefusal(error)?.kind === 'unavailable'
  return error instanceof Error && SILENT.test(error.message)
}

/**
 * For `catch`: the refusal for a violated constraint listed in `known`; rethrows every other error. The transaction has
 * failed and must be left.
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

/**
 * Like {@link refusalOfConstraint} after writing several rows: the database does not say which row failed, so with more
 * than one it rethrows.
 */
export function refusalOfOnlyRow<Code extends string>(
  error: unknown,
  rows: readonly unknown[],
  known: Readonly<Record<string, { readonly code: Code; readonly path?: readonly (string | number)[] }>>,
): Refusal<Code> {
  if (rows.length !== 1) throw error
  return refusalOfConstraint(error, known)
}
