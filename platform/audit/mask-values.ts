/** Values under these names never reach the log, whatever they are. */
const SECRETS = /password|secret|token|inviteLink|confirmLink/i
/** Bank account numbers: the last digits stay readable, so that people recognise the account. */
const ACCOUNT_NUMBERS = /^(number|accountNumber)$/i
const SHOWN_DIGITS = 3

/**
 * The JSON text of a row as the audit log keeps it; null stays null. Integers that JavaScript cannot hold exactly
 * become strings. Tested by `platform/audit/audit-log.test.ts`.
 */
export function auditJson(row: object | null): string | null {
  return row === null ? null : JSON.stringify(plain('', row))
}

function plain(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (SECRETS.test(name)) return '[hidden]'
  if (ACCOUNT_NUMBERS.test(name))
    return String(value)
      .replace(/.(?=.{3})/gs, '*')
      .slice(-7 - SHOWN_DIGITS)
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(item => plain(name, item))
  if (typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, plain(key, item)]])),
    )
  }
  // PostgreSQL cannot store NUL in a text.
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}
