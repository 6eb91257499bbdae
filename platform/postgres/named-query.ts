import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'
import pg from 'pg'

/** Names of TypeScript in statements; the rows of {@link NamedQuery} have them already. */
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

/** What is used of a client's connection: the messages of the extended protocol. */
export interface Connection {
  /** The texts that the connection keeps prepared, by their names. */
  readonly parsedStatements: Record<string, string>
  parse(statement: { readonly text: string; readonly name: string }): void
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void
  execute(portal: object): void
  close(statement: { readonly type: 'S'; readonly name: string }): void
}

/**
 * A query whose columns are named in camelCase when the server describes them, once for all rows: renaming the rows of a
 * whole month afterwards would hold everybody up.
 */
export class NamedQuery extends pg.Query {
  /** Read by the client when the query is sent. */
  readonly query_timeout: number
  readonly #beforehand: ((connection: Connection) => void) | undefined

  /** `beforehand` may send messages that travel with the query. */
  constructor(
    config: pg.QueryConfig & { query_timeout: number },
    onEnd: (error: unknown, result: never) => void,
    beforehand?: (connection: Connection) => void,
  ) {
    // Not the object: the client would copy it, property by property.
    super(config.text, config.values as never, onEnd as never)
    if (config.name !== undefined) (this as { name?: string }).name = config.name
    this.query_timeout = config.query_timeout
    this.#beforehand = beforehand
  }

  /** Called by the client while it holds back what is written, so that everything leaves together. */
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
