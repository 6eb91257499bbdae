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
}
const NAMES = new ColumnNames()

interface RowDescription {
  readonly fields: { name: string }[]
}
type Receiver = (message: RowDescription) => void

/**
 * A query whose columns are named in camelCase when the server describes them, once for all rows: renaming the rows of a
 * whole month afterwards would hold everybody up.
 */
export class NamedQuery extends pg.Query {
  /** Read by the client when the query is sent. */
  readonly query_timeout: number

  constructor(config: pg.QueryConfig & { query_timeout: number }, onEnd: (error: unknown, result: never) => void) {
    super(config, onEnd)
    this.query_timeout = config.query_timeout
  }

  handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) field.name = NAMES.nameOf(field.name)
    describe.call(this, message)
  }
}
const describe = (pg.Query.prototype as unknown as { handleRowDescription: Receiver }).handleRowDescription
