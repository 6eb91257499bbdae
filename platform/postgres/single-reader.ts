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

/** Only compiles. */
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
 * A statement whose parameters became literals, so that it can travel together with others in one message. A value never
 * becomes SQL text: a plain word is quoted, any other string is written as the numbers of its characters, a number as an
 * integer. Both are literals without a type, as parameters are: an expression would bring a collation of its own, and an
 * index of the column's collation would not be used. An array is one of such values; the statement says its type.
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
    // NUL would end the text; a lone surrogate would silently become another character.
    if (value.includes('\0') || !value.isWellFormed()) throw new TypeError('not a text of PostgreSQL')
  } else if (!Number.isSafeInteger(value)) {
    throw new TypeError(`a statement that is sent alone takes no ${typeof value} that is no integer`)
  }
}

/** Sets what holds for one transaction. The values are checked before: they are in the text. */
export function settingsText(settings: Readonly<Record<string, string>>): string {
  return `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}','${value}',true)`)
    .join(',')}`
}

/** What {@link withLiterals} refuses is refused as a parameter too, so that a statement works either way. @throws TypeError */
export function demandPlainValues(parameters: readonly unknown[]): void {
  for (const value of parameters) demandPlainValue(value)
}

/** A character by its number, as the literals of Unicode escapes write it: digits alone, none of which ends the text. */
function escaped(character: string): string {
  const digits = character.codePointAt(0)!.toString(16)
  return digits.length <= 4 ? `\\${digits.padStart(4, '0')}` : `\\+${digits.padStart(6, '0')}`
}
