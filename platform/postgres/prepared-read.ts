import { createHash } from 'node:crypto'
import type { Connection } from './named-query.ts'
import type { SilentStatement } from './pipelined-query.ts'

/** Values of the settings of a transaction, by their names; all of them end with it. */
export type Settings = Readonly<Record<string, string>>

export interface PreparedStatement {
  /** Of the text, the same on every connection. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Of settings that are used again: such an object never changes. */
const settingStatements = new WeakMap<Settings, SilentStatement>()

/**
 * Makes settings hold until the end of the transaction, and travels in one message with what is done in them: the server runs
 * all that comes before the end of a message in one transaction. Prepared, as what is asked often: a statement that a
 * connection knows is neither parsed nor planned again, which for most of ours is nine tenths of the work; the policies of
 * row-level security make large plans of small questions.
 */
export function settingStatement(settings: Settings): SilentStatement {
  const statement = settingStatements.get(settings) ?? newSettingStatement(settings)
  settingStatements.set(settings, statement)
  return statement
}

/** Only values are parameters: the names are ours, and the same ones make the same statement. */
function newSettingStatement(settings: Settings): SilentStatement {
  const names = Object.keys(settings)
  const calls = names.map((name, place) => `set_config('${name}',$${place + 1},true)`)
  const text = `select ${calls.join(',')}`
  const name = settingsNames.get(text) ?? `${SETTINGS}${nameOf(text)}`
  settingsNames.set(text, name)
  return { name, text, values: Object.values(settings) }
}

/** Statements of settings are few, and kept by every connection. */
const SETTINGS = 'settings '
const settingsNames = new Map<string, string>()

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** A plan takes up to some 100 KB in each connection. */
const MAX_STATEMENTS = 64
const SEEN_BEFORE = 3
const MAX_COUNTED = 500
/** Lists of values make a text for each length: no such statement comes again soon. */
const MAX_PARAMETERS = 12
/** A plan for any values would be a bad one for those that are large. */
const MAX_ITEMS = 200
const MAX_TEXT_LENGTH = 1_000
/** All columns: the server refuses a plan whose columns have changed, and a transaction that began cannot be repeated. */
const ALL_COLUMNS = /\b(select|returning)\s+\*|[,.]\s*\*/

/**
 * Which statements are worth keeping prepared: those that are asked again and again. Beyond the number that is kept, the
 * one that was not used for longest gives its place up, and each connection forgets it with its next query.
 */
export class FrequentStatements {
  readonly #isKeeping: boolean
  readonly #seen = new Map<string, number>()
  /** Names by texts, the longest unused first. */
  readonly #kept = new Map<string, string>()
  readonly #names = new Set<string>()
  #evictions = 0
  readonly #forgotten = new WeakMap<Connection, number>()

  constructor(isKeeping = true) {
    this.#isKeeping = isKeeping
  }

  /** The statement to prepare; undefined: send it as it is. */
  find(text: string, values: readonly unknown[]): PreparedStatement | undefined {
    if (!this.#isKeeping || values.length > MAX_PARAMETERS || !values.every(isSmall)) return undefined
    const name = this.#nameOf(text)
    return name === undefined ? undefined : { name, text, values }
  }

  /** Closes what the connection keeps of statements that gave their place up. */
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
