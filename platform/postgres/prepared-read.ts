import { createHash } from 'node:crypto'
import { NamedQuery } from './named-query.ts'

/** Values of the settings of a transaction, by their names; all of them end with it. */
export type Settings = Readonly<Record<string, string>>

export interface PreparedStatement {
  /** Of the text, the same on every connection. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

interface Sent {
  readonly text: string
  readonly name: string
  readonly values: readonly unknown[]
}
/** What is used of a client's connection: the messages of the extended protocol. */
interface Connection {
  readonly parsedStatements: Record<string, string>
  parse(statement: { readonly text: string; readonly name: string }): void
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void
  execute(portal: object): void
}
type Method<Args extends unknown[]> = (this: PreparedRead, ...args: Args) => void
const inherited = NamedQuery.prototype as unknown as {
  readonly prepare: Method<[Connection]>
  readonly handleDataRow: Method<[unknown]>
  readonly handleCommandComplete: Method<[unknown, Connection]>
}

/**
 * One reading statement in the settings of a scope, both prepared, in one message: the server runs all that comes before
 * the end of a message in one transaction, so the settings hold for the statement and are gone with it. A statement that
 * a connection knows is neither parsed nor planned again, which for most of ours is nine tenths of the work: the policies
 * of row-level security make large plans of small questions.
 */
export class PreparedRead extends NamedQuery {
  readonly #settings: Sent
  /** The settings have been answered; what comes now is of the statement. */
  #isScoped = false

  constructor(
    settings: Settings,
    { name, text, values }: PreparedStatement,
    timeoutMs: number,
    onEnd: (error: unknown, result: never) => void,
  ) {
    super({ name, text, values: [...values], query_timeout: timeoutMs }, onEnd)
    this.#settings = settingsOf(settings)
  }

  /** Called by the client while it holds back what is written, so that everything leaves together. */
  prepare(connection: Connection): void {
    const { name, text, values } = this.#settings
    if (connection.parsedStatements[name] === undefined) {
      connection.parse({ name, text })
      // Where this fails, the connection is closed.
      connection.parsedStatements[name] = text
    }
    connection.bind({ statement: name, values: values as readonly string[] })
    connection.execute({})
    inherited.prepare.call(this, connection)
  }

  handleDataRow(message: unknown): void {
    if (this.#isScoped) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isScoped) inherited.handleCommandComplete.call(this, message, connection)
    this.#isScoped = true
  }
}

/** Only values are parameters: the names are ours, and the same ones make the same statement. */
function settingsOf(settings: Settings): Sent {
  const names = Object.keys(settings)
  const calls = names.map((name, place) => `set_config('${name}',$${place + 1},true)`)
  const text = `select ${calls.join(',')}`
  return { name: nameOf(text), text, values: Object.values(settings) }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const made = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, made)
  return made
}

/** A plan takes up to some 100 KB in each connection. */
const MOST_STATEMENTS = 64
const SEEN_BEFORE = 3
const MOST_COUNTED = 500
/** Lists of values make a text for each length: no such statement comes again soon. */
const MOST_PARAMETERS = 12
/** A plan for any values would be a bad one for those that are large. */
const MOST_ITEMS = 200
const LONGEST_TEXT = 1_000
/** All columns: the server refuses a plan whose columns have changed, and a transaction that began cannot be repeated. */
const ALL_COLUMNS = /\b(select|returning)\s+\*|[,.]\s*\*/

/** Which statements are worth keeping prepared: those that are asked again and again, up to a number. */
export class FrequentStatements {
  readonly #seen = new Map<string, number>()
  readonly #kept = new Set<string>()

  /** The statement to prepare; undefined: send it as it is. */
  find(text: string, values: readonly unknown[]): PreparedStatement | undefined {
    if (values.length > MOST_PARAMETERS || !this.#isKept(text) || !values.every(isSmall)) return undefined
    return { name: nameOf(text), text, values }
  }

  #isKept(text: string): boolean {
    if (this.#kept.has(text)) return true
    if (this.#kept.size >= MOST_STATEMENTS) return false
    const seen = (this.#seen.get(text) ?? 0) + 1
    if (this.#seen.size >= MOST_COUNTED) this.#seen.clear()
    this.#seen.set(text, seen)
    if (seen <= SEEN_BEFORE || ALL_COLUMNS.test(text)) return false
    this.#seen.delete(text)
    this.#kept.add(text)
    return true
  }
}

function isSmall(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MOST_ITEMS
  return typeof value !== 'string' || value.length <= LONGEST_TEXT
}
