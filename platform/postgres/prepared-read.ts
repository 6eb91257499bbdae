import { createHash } from 'node:crypto'
import type { Connection } from './named-query.ts'
import type { SilentStatement } from './pipelined-query.ts'

/** Values of session settings by name, local to a transaction. */
export type Settings = Readonly<Record<string, string>>

export interface PreparedStatement {
  /** Derived from the text, so it is the same on every connection. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Cache by settings object, which is immutable. */
const settingStatements = new WeakMap<Settings, SilentStatement>()

/**
 * Statement that sets local settings. It is sent in one message with the query that uses them, which the server runs as
 * one transaction. Both are prepared, because parsing and planning are nine tenths of the work: row-level security
 * makes large plans of small queries.
 */
export function settingStatement(settings: Settings): SilentStatement {
  const statement = settingStatements.get(settings) ?? newSettingStatement(settings)
  settingStatements.set(settings, statement)
  return statement
}

/** Only values are parameters. Setting names are constants, so equal names give the same statement. */
function newSettingStatement(settings: Settings): SilentStatement {
  const names = Object.keys(settings)
  const calls = names.map((name, place) => `set_config('${name}',$${place + 1},true)`)
  const text = `select ${calls.join(',')}`
  const name = settingsNames.get(text) ?? `${SETTINGS}${nameOf(text)}`
  settingsNames.set(text, name)
  return { name, text, values: Object.values(settings) }
}

/** Prefix of statement names for settings. They are few and stay prepared on every connection. */
const SETTINGS = 'settings '
const settingsNames = new Map<string, string>()

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Limit per connection: a plan takes up to about 100 KB. */
const MAX_STATEMENTS = 64
const SEEN_BEFORE = 3
const MAX_COUNTED = 500
/** A list of values gives another text for each length, so such statements are rarely repeated. */
const MAX_PARAMETERS = 12
/** A generic plan would be bad for long lists. */
const MAX_ITEMS = 200
const MAX_TEXT_LENGTH = 1_000
/**
 * Not prepared: PostgreSQL rejects a cached plan after the columns of a table changed, and a started transaction cannot
 * be repeated.
 */
const ALL_COLUMNS = /\b(select|returning)\s+\*|[,.]\s*\*/

/**
 * Decides which statements are prepared: those that are repeated. Beyond {@link MAX_STATEMENTS} the least recently used
 * one is evicted, and each connection closes it before its next query.
 */
export class FrequentStatements {
  readonly #isKeeping: boolean
  readonly #seen = new Map<string, number>()
  /** Statement names by text, least recently used first. */
  readonly #kept = new Map<string, string>()
  readonly #names = new Set<string>()
  #evictions = 0
  readonly #forgotten = new WeakMap<Connection, number>()

  constructor(isKeeping = true) {
    this.#isKeeping = isKeeping
  }

  /** The statement to prepare; undefined: send it unprepared. */
  find(text: string, values: readonly unknown[]): PreparedStatement | undefined {
    if (!this.#isKeeping || values.length > MAX_PARAMETERS || !values.every(isSmall)) return undefined
    const name = this.#nameOf(text)
    return name === undefined ? undefined : { name, text, values }
  }

  /** Closes evicted statements on a connection. */
  readonly forgetEvicted = (connection: Connection): void => {
    if ((this.#forgotten.get(connection) ?? 0) === this.#evictions) return
    this.#forgotten.set(connection, this.#evictions)
    for (const name of Object.keys(connection.parsedStatements)) {
      if (this.#names.has(name) || name.startsWith(SETTINGS)) continue
      connection.close({ type: 'S', name })
      delete connection.parsedStatements[name]
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#kept.get(text)
    if (known === undefined) return this.#isFrequent(text) ? this.#keep(text) : undefined
    this.#kept.delete(text)
    this.#kept.set(text, known)
    return known
  }

  #isFrequent(text: string): boolean {
    const seen = (this.#seen.get(text) ?? 0) + 1
    if (this.#seen.size >= MAX_COUNTED) this.#seen.clear()
    this.#seen.set(text, seen)
    return seen > SEEN_BEFORE && !ALL_COLUMNS.test(text)
  }

  #keep(text: string): string {
    const [unused] = this.#kept
    if (unused && this.#kept.size >= MAX_STATEMENTS) {
      this.#kept.delete(unused[0])
      this.#names.delete(unused[1])
      this.#evictions += 1
    }
    const name = nameOf(text)
    this.#seen.delete(text)
    this.#kept.set(text, name)
    this.#names.add(name)
    return name
  }
}

function isSmall(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MAX_ITEMS
  return typeof value !== 'string' || value.length <= MAX_TEXT_LENGTH
}
