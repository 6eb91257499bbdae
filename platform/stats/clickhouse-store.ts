import { randomBytes } from 'node:crypto'
import { day, parseDay } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { CLICKHOUSE_SETTINGS, clickHouseDialect, ROW_FORMAT, readRows, renderClickHouse } from './clickhouse-dialect.ts'
import { dimensionTable, putClickHouseDimension } from './clickhouse-dimensions.ts'
import { Mutex } from './mutex.ts'
import type { ImportRun, ImportScope, Query, QueryOptions, Row, StatsStore } from './port.ts'
import { checkStaged, countBatches, inMonths, rollUp } from './publication.ts'
import { ReaderGate } from './reader-gate.ts'
import { type Dialect, type Sql, sql, table } from './sql.ts'
import { StatsStoreError } from './stats-store-error.ts'
import {
  DIMENSION_TABLES,
  FACT_TABLES,
  LIFE_TABLES,
  LIFETIMES,
  ROLL_UP_TABLES,
  ROLL_UPS,
  type RollUpTable,
  TABLE_NAMES,
  TABLES,
  type Table,
  type TableName,
} from './tables.ts'

/** How statements reach ClickHouse: over HTTP (`clickhouse-server.ts`), or an engine in the process for tests. */
export interface ClickHouseTransport {
  readonly database: string
  /** The answer's text. `settings` belong to this statement alone. */
  send(
    text: string,
    options: QueryOptions & {
      readonly params?: Readonly<Record<string, string>>
      readonly settings: Readonly<Record<string, number>>
      /** Format of the answer; none: the statement has no answer. */
      readonly format?: string
      /** What is inserted, in the format that the text names. */
      readonly rows?: string
    },
  ): Promise<string>
  /** `table` with its database; the file's columns are found by name. */
  loadParquet(table: string, columns: readonly string[], parquetFile: string): Promise<void>
  close(): Promise<void>
}

const READ_TIMEOUT_MS = 30_000
const REPEAT_SWAP_MS = 10 * 60_000
const REPEAT_EVERY_MS = 250

/**
 * The statistics store on a ClickHouse server. A month is a partition; a publication completes the months in a staging
 * database and swaps them in table by table. The swap is not one step for ClickHouse: the gate hides it from the readers
 * of this process, and an import that a crash interrupted is healed by importing the same batch again before serving
 * (its state in the ledger stays `applying`). One process imports at a time.
 */
export async function openClickHouse(transport: ClickHouseTransport): Promise<StatsStore> {
  const { database } = transport
  const command = (text: string) => transport.send(text, { settings: CLICKHOUSE_SETTINGS }).then(() => undefined)
  await command(`create database if not exists ${database}`)
  for (const name of [...FACT_TABLES, ...ROLL_UP_TABLES]) {
    if (isRollUp(name) && !(await exists(transport, name))) await fillRollUp(transport, name)
    await command(tableDefinition(`${database}.${name}`, TABLES[name], BY_MONTH))
    await command(missingColumns(`${database}.${name}`, TABLES[name]))
  }
  for (const name of LIFE_TABLES) await command(tableDefinition(`${database}.${name}`, LIFETIMES[name], '')) // stay empty
  for (const name of DIMENSION_TABLES) await command(dimensionTable(name, `${database}.${name}`))
  return new ClickHouseStore(transport)
}

const isRollUp = (name: TableName): name is RollUpTable => (ROLL_UP_TABLES as readonly string[]).includes(name)

async function exists(transport: ClickHouseTransport, name: string): Promise<boolean> {
  const answer = await transport.send(`exists table ${transport.database}.${name}`, { settings: {}, format: 'TSV' })
  return answer.trim() === '1'
}

/**
 * A roll-up that an earlier version did not have gets what its facts say. It is filled under another name first: a person who
 * finds it has all of it. Several processes may do so at once: one of them is in time.
 */
async function fillRollUp(transport: ClickHouseTransport, name: RollUpTable): Promise<void> {
  const dialect = clickHouseDialect(transport.database)
  const facts = sql`select distinct cast(date_trunc('month', date) as date) as bucket from ${table(ROLL_UPS[name].of)}`
  const months = (await selectRows(transport, facts, dialect)).map(row => monthOfDay(day(String(row.bucket))))
  if (months.length === 0) return
  const command = (text: string) => transport.send(text, { settings: CLICKHOUSE_SETTINGS })
  const filled = `${transport.database}.${name}_${randomBytes(4).toString('hex')}`
  try {
    await command(tableDefinition(filled, TABLES[name], BY_MONTH))
    for (const month of months) {
      const { text, params } = renderClickHouse(rollUp(name, inMonths([month])), dialect)
      await transport.send(`insert into ${filled} ${text}`, { settings: CLICKHOUSE_SETTINGS, params })
    }
    await command(`rename table ${filled} to ${transport.database}.${name}`)
  } catch (cause) {
    await command(`drop table if exists ${filled} sync`).catch(() => {})
    if (!(await exists(transport, name))) throw cause
  }
}

const BY_MONTH = 'partition by toYYYYMM(date)'

const columnDefinition = ([column, type, nullable]: Table['columns'][number]): string =>
  `${column} ${nullable ? `Nullable(${type})` : type}`

function tableDefinition(name: string, { columns, key }: Table, partitions: string): string {
  return `create table if not exists ${name} (${columns.map(columnDefinition).join(', ')})
    engine = MergeTree ${partitions} order by (${key.join(', ')})`
}

/**
 * A table of an earlier version gets the columns that it lacks, each in its place, because rows are inserted by place. What was
 * published before has nothing there until its month is published again; no answer depends on it (`is_lone`, the lifetime totals).
 */
function missingColumns(name: string, { columns }: Table): string {
  const additions = columns.map((column, index) => {
    const before = columns[index - 1]
    return `add column if not exists ${columnDefinition(column)} ${before ? `after ${before[0]}` : 'first'}`
  })
  return `alter table ${name} ${additions.join(', ')}`
}

class ClickHouseStore implements StatsStore {
  readonly engine = 'clickhouse'
  readonly #transport: ClickHouseTransport
  readonly #gate = new ReaderGate()
  readonly #importMutex = new Mutex()
  readonly #query: Query
  #running: ImportRun | undefined
  #isClosed = false

  constructor(transport: ClickHouseTransport) {
    this.#transport = transport
    const published = clickHouseDialect(transport.database)
    this.#query = async (statement, options = {}) => {
      if (this.#isClosed) throw new Error('the statistics store is closed')
      return selectRows(transport, statement, published, { timeoutMs: READ_TIMEOUT_MS, ...options })
    }
  }

  query: StatsStore['query'] = (statement, options) => this.#gate.read(() => this.#query(statement, options))

  snapshot: StatsStore['snapshot'] = work => this.#gate.read(() => work(this.#query))

  beginImport: StatsStore['beginImport'] = async scope => {
    const leave = await this.#importMutex.enter()
    try {
      if (this.#isClosed) throw new Error('the statistics store is closed')
      const run = await beginClickHouseImport(this.#transport, this.#gate, scope, () => {
        this.#running = undefined
        leave()
      })
      this.#running = run
      return run
    } catch (cause) {
      leave()
      throw cause
    }
  }

  putDimension: StatsStore['putDimension'] = async (name, rows) => {
    const leave = await this.#importMutex.enter()
    try {
      if (this.#isClosed) throw new Error('the statistics store is closed')
      const command = async (text: string, rows?: string) => {
        await this.#transport.send(text, { settings: CLICKHOUSE_SETTINGS, ...(rows === undefined ? {} : { rows }) })
      }
      await putClickHouseDimension(this.#transport.database, command, this.#gate, name, rows)
    } finally {
      leave()
    }
  }

  publishedBatches: StatsStore['publishedBatches'] = () => this.snapshot(countBatches)

  damagedBatches: StatsStore['damagedBatches'] = async () => []

  /** ClickHouse merges its parts in the order of their keys automatically. */
  compact: StatsStore['compact'] = async () => []

  close: StatsStore['close'] = async () => {
    if (this.#isClosed) return
    await this.#running?.discard()
    await this.#gate.write(async () => {
      this.#isClosed = true
    })
    await this.#transport.close()
  }
}

async function selectRows(
  transport: ClickHouseTransport,
  statement: Sql,
  dialect: Dialect,
  options: QueryOptions = {},
): Promise<Row[]> {
  const { text, params } = renderClickHouse(statement, dialect)
  return readRows(await transport.send(text, { ...options, params, settings: CLICKHOUSE_SETTINGS, format: ROW_FORMAT }))
}

async function beginClickHouseImport(
  transport: ClickHouseTransport,
  gate: ReaderGate,
  scope: ImportScope,
  release: () => void,
): Promise<ImportRun> {
  const stagingDatabase = `${transport.database}_staging`
  const staging = clickHouseDialect(stagingDatabase)
  const published = clickHouseDialect(transport.database)
  const command = async (text: string, rows?: string): Promise<void> => {
    await transport.send(text, { settings: CLICKHOUSE_SETTINGS, ...(rows === undefined ? {} : { rows }) })
  }
  const insert = async (into: string, statement: Sql, from: Dialect): Promise<void> => {
    const { text, params } = renderClickHouse(statement, from)
    await transport.send(`insert into ${into} ${text}`, { settings: CLICKHOUSE_SETTINGS, params })
  }
  let state: 'open' | 'publishing' | 'ended' = 'open'

  async function end(): Promise<void> {
    state = 'ended'
    try {
      await command(`drop database if exists ${stagingDatabase} sync`)
    } finally {
      release()
    }
  }
  function mustBeOpen(): void {
    if (state !== 'open') throw new Error('the import has ended')
  }

  /** Staging becomes the months as they shall be: the batch, the other batches, the roll-ups. */
  async function completeMonths(): Promise<void> {
    const replaced = [scope.batchNo, ...scope.replacesBatchNos]
    const months = inMonths(scope.months)
    for (const name of FACT_TABLES) {
      const kept = sql`select * from ${table(name)} where ${months} and not (batch_no in ${replaced})`
      await insert(`${stagingDatabase}.${name}`, kept, published)
    }
    for (const name of ROLL_UP_TABLES) await insert(`${stagingDatabase}.${name}`, rollUp(name, months), staging)
  }

  async function swapMonths(): Promise<void> {
    const steps: string[] = []
    for (const name of TABLE_NAMES) {
      const filled = await selectRows(
        transport,
        sql`select cast(date_trunc('month', date) as date) as bucket, count(*) as row_count from ${table(name)} group by bucket`,
        staging,
      )
      const filledMonths = new Set(filled.map(row => Number(String(row.bucket).slice(0, 7).replace('-', ''))))
      for (const month of new Set(scope.months)) {
        // ClickHouse refuses to replace a partition by an empty one.
        const from = filledMonths.has(month) ? `replace partition ${month} from ${stagingDatabase}.${name}` : undefined
        steps.push(`alter table ${transport.database}.${name} ${from ?? `drop partition ${month}`}`)
      }
    }
    await gate.write(async () => {
      for (const step of steps) await commandUntilReached(step)
    })
  }

  /**
   * Half a swap is no state to leave: while the server is away nobody can read either, and each step may be repeated.
   * Readers who come back with the server find the whole months.
   */
  async function commandUntilReached(step: string): Promise<void> {
    const giveUpAt = performance.now() + REPEAT_SWAP_MS
    for (;;) {
      try {
        return await command(step)
      } catch (cause) {
        const mayPass = cause instanceof StatsStoreError && cause.reason === 'unreachable'
        if (!mayPass || state === 'ended' || performance.now() > giveUpAt) throw cause
        await new Promise(resolve => setTimeout(resolve, REPEAT_EVERY_MS))
      }
    }
  }

  await command(`drop database if exists ${stagingDatabase} sync`) // what an interrupted import left
  await command(`create database ${stagingDatabase}`)
  for (const name of TABLE_NAMES) {
    // In the order that the published table has: that of an earlier version may differ, and months only fit into their own.
    await command(`create table ${stagingDatabase}.${name} as ${transport.database}.${name}`)
  }

  return {
    async append(name, rows) {
      mustBeOpen()
      const line = (row: readonly (bigint | string | null)[]) =>
        `[${row.map(value => (typeof value === 'bigint' ? value : JSON.stringify(value))).join(',')}]`
      if (rows.length === 0) return
      checkRows(name, rows)
      await command(`insert into ${stagingDatabase}.${name} format JSONCompactEachRow`, rows.map(line).join('\n'))
    },
    async load(name, parquetFile) {
      mustBeOpen()
      const columns = TABLES[name].columns.map(([column]) => column)
      await transport.loadParquet(`${stagingDatabase}.${name}`, columns, parquetFile)
    },
    async query(statement) {
      mustBeOpen()
      return selectRows(transport, statement, staging)
    },
    async publish() {
      mustBeOpen()
      await checkStaged(scope, statement => selectRows(transport, statement, staging))
      state = 'publishing' // staging no longer holds the batch alone: a failed publication is repeated as a new import
      await completeMonths()
      await swapMonths()
      await end()
    },
    async discard() {
      if (state !== 'ended') await end()
    },
  }
}

const INT64_LIMIT = 2n ** 63n

/** What the columns cannot hold: ClickHouse would wrap it or take a default without a word. */
function checkRows(name: TableName, rows: readonly (readonly (bigint | string | null)[])[]): void {
  const { columns } = TABLES[name]
  for (const row of rows) {
    if (row.length !== columns.length)
      throw new RangeError(`${name} has ${columns.length} columns, a row ${row.length}`)
    columns.forEach(([column, type, nullable], index) => {
      const value = row[index]
      const fits =
        value === null
          ? nullable !== undefined
          : type === 'Date'
            ? parseDay(String(value)) !== undefined
            : typeof value === 'bigint' && value >= -INT64_LIMIT && value < INT64_LIMIT
      if (!fits) throw new RangeError(`${name}.${column} cannot hold ${value}`)
    })
  }
}
