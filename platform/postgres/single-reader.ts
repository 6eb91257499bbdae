import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'

/** A dialect that compiles statements but cannot run them. */
export const COMPILING: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
const COMPILER = new Kysely<Record<never, never>>({ dialect: COMPILING })

/** A statement as text and its parameters. */
export function compiled(statement: RawBuilder<unknown>): Pick<CompiledQuery, 'sql' | 'parameters'> {
  const { sql, parameters } = statement.compile(COMPILER)
  return { sql, parameters }
}

/**
 * Replaces parameters by literals, so that several statements fit in one message. A value never becomes SQL syntax:
 * plain words are quoted, other strings are written with Unicode escapes only, numbers as integers. The literals are
 * untyped like parameters, because a typed expression would bring its own collation and prevent the use of an index.
 * @throws TypeError for other types, and for strings that PostgreSQL cannot store
 */
export function withLiterals(sql: string, parameters: readonly unknown[]): string {
  // Quoted literals are copied as they are.
  return sql.replace(/'[^']*'|\$(\d+)/g, (whole, position?: string) =>
    position === undefined ? whole : literal(parameters[Number(position) - 1]),
  )
}

/** Characters that cannot end a quoted literal. */
const PLAIN_WORD = /^[A-Za-z0-9_.:+-]*$/

function literal(value: unknown): string {
  demandPlainValue(value)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(literal).join(',')}]`
  if (typeof value !== 'string') return `(${value})`
  return PLAIN_WORD.test(value) ? `'${value}'` : `U&'${Array.from(value, escaped).join('')}'`
}

function demandPlainValue(value: unknown): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return
  if (Array.isArray(value)) {
    for (const one of value) demandPlainValue(one)
  } else if (typeof value === 'string') {
    // PostgreSQL cannot store NUL. A lone surrogate would be replaced without an error.
    if (value.includes('\0') || !value.isWellFormed()) throw new TypeError('not a text of PostgreSQL')
  } else if (!Number.isSafeInteger(value)) {
    throw new TypeError(`a statement that is sent alone takes no ${typeof value} that is no integer`)
  }
}

/** SQL that sets local settings. The caller has checked the values, because they become literals. */
export function settingsText(settings: Readonly<Record<string, string>>): string {
  return `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}','${value}',true)`)
    .join(',')}`
}

/**
 * Applies the rules of {@link withLiterals} to bound parameters too, so that a statement works both ways.
 * @throws TypeError
 */
export function demandPlainValues(parameters: readonly unknown[]): void {
  for (const value of parameters) demandPlainValue(value)
}

/** A character as the digits of its Unicode escape. */
function escaped(character: string): string {
  const digits = character.codePointAt(0)!.toString(16)
  return digits.length <= 4 ? `\\${digits.padStart(4, '0')}` : `\\+${digits.padStart(6, '0')}`
}
