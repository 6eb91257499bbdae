import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'
import pg from 'pg'

/**
 * Converts between camelCase names and column names in statements. Result rows are not converted here: {@link
 * NamedQuery} has done it.
 */
export class ColumnNames extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true })
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }

  nameOf(column: string): string {
    return this.camelCase(column)
  }

  columnOf(name: string): string {
    return this.snakeCase(name)
  }
}
const NAMES = new ColumnNames()

interface RowDescription {
  readonly fields: { name: string }[]
}
type Receiver = (message: RowDescription) => void

/** The parts of a node-postgres connection that we use: messages of the extended query protocol. */
export interface Connection {
  /** Texts of prepared statements by name. */
  readonly parsedStatements: Record<string, string>
  parse(statement: { readonly text: string; readonly name: string }): void
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void
  execute(portal: object): void
  close(statement: { readonly type: 'S'; readonly name: string }): void
}

/**
 * A query that converts column names to camelCase once, when the server describes the result. Renaming the properties
 * of each row of a large result would block the event loop.
 */
export class NamedQuery extends pg.Query {
  /** node-postgres reads it when it sends the query. */
  readonly query_timeout: number
  readonly #beforehand: ((connection: Connection) => void) | undefined

  /** `beforehand` may send messages in the same packet as the query. */
  constructor(
    config: pg.QueryConfig & { query_timeout: number },
    onEnd: (error: unknown, result: never) => void,
    beforehand?: (connection: Connection) => void,
  ) {
    // Passes text and values separately, because node-postgres would copy a config object.
    super(config.text, config.values as never, onEnd as never)
    if (config.name !== undefined) (this as { name?: string }).name = config.name
    this.query_timeout = config.query_timeout
    this.#beforehand = beforehand
  }

  /** Called by node-postgres while it buffers its output, so that all messages leave together. */
  prepare(connection: Connection): void {
    this.#beforehand?.(connection)
    inherited.prepare.call(this, connection)
  }

  handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) field.name = NAMES.nameOf(field.name)
    inherited.handleRowDescription.call(this, message)
  }
}
const inherited = pg.Query.prototype as unknown as {
  readonly handleRowDescription: Receiver
  readonly prepare: (connection: Connection) => void
}
