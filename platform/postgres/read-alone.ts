import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'

/** Only compiles. */
const COMPILER = new Kysely<Record<never, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A statement as text without parameters, see {@link withLiterals}. */
export function withoutParameters(statement: RawBuilder<unknown>): string {
  const { sql, parameters } = statement.compile(COMPILER)
  return withLiterals(sql, parameters)
}

/**
 * A statement whose parameters became literals, so that it can travel together with others in one message. A value never
 * becomes SQL text: a plain word is quoted, any other string is written as the hexadecimal digits of its bytes, a number
 * as an integer. An array is one of such values; the statement says its type.
 * @throws TypeError for other values, and for texts that PostgreSQL cannot hold
 */
export function withLiterals(sql: string, parameters: readonly unknown[]): string {
  // Quoted texts stay as they are, whatever they hold.
  return sql.replace(/'[^']*'|\$(\d+)/g, (whole, position?: string) =>
    position === undefined ? whole : literal(parameters[Number(position) - 1]),
  )
}

/** Has nothing that could end a quoted text; like a parameter, such a literal takes the type that its place needs. */
const PLAIN_WORD = /^[A-Za-z0-9_.:+-]*$/

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(literal).join(',')}]`
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return `(${value})`
  if (typeof value !== 'string') throw new TypeError(`a statement that is sent alone takes no ${typeof value}`)
  if (PLAIN_WORD.test(value)) return `'${value}'`
  // NUL would end the text; a lone surrogate would silently become another character.
  if (value.includes('\0') || !value.isWellFormed()) throw new TypeError('not a text of PostgreSQL')
  return `convert_from('\\x${Buffer.from(value, 'utf8').toString('hex')}'::bytea,'UTF8')`
}
