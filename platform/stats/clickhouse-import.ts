import { randomBytes } from 'node:crypto'
import { day, parseDay } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { ClickHouseClient } from './clickhouse-client.ts'
import { clickHouseDialect } from './clickhouse-dialect.ts'
import type { ClickHouseLayout } from './clickhouse-layout.ts'
import { insertRollUp, rowDefinition } from './clickhouse-tables.ts'
import { afterPublication, isFact, stateDialect, VERSION } from './clickhouse-versions.ts'
import type { ImportRun, ImportScope } from './port.ts'
import { checkStaged } from './publication.ts'
import { sql, table } from './sql.ts'
import { type FactTable, ROLL_UP_TABLES, ROLL_UPS, type RollUpTable, TABLES, type TableName } from './tables.ts'
import { PublicationConflict, type Version, type VersionLedger } from './version-ledger.ts'

/**
 * An import run: rows are staged in separate tables, written as one version, and published by the ledger in one
 * transaction. A run that ends before that changes nothing for readers.
 * Tested by `platform/stats/conformance.test.ts`.
 */
export async function beginClickHouseImport(
  statements: ClickHouseClient,
  ledger: VersionLedger,
  scope: ImportScope,
  release: () => void,
): Promise<ImportRun> {
  const { database, layout } = statements
  const prefix = `${database}_import_`
  // A random name: a run that has lost its lock but continues must not write into the tables of the next run.
  const stagingDatabase = `${prefix}${randomBytes(6).toString('hex')}`
  /** Staging tables by fact table, created when the first rows arrive. */
  const staged = new Map<FactTable, Promise<void>>()
  const staging = clickHouseDialect(name =>
    isFact(name) && staged.has(name) ? `${stagingDatabase}.${name}` : `(select * from ${database}.${name} where 1 = 0)`,
  )
  let state: 'open' | 'publishing' | 'ended' = 'open'

  async function end(): Promise<void> {
    state = 'ended'
    try {
      await statements.command(`drop database if exists ${stagingDatabase}${layout.onCluster} sync`)
    } finally {
      release()
    }
  }
  function mustBeOpen(): void {
    if (state !== 'open') throw new Error('the import has ended')
  }
  async function stagedTable(name: FactTable): Promise<string> {
    const { columns, key } = TABLES[name]
    const making = staged.get(name) ?? make({ database: stagingDatabase, name }, rowDefinition(columns), { key })
    staged.set(name, making)
    await making
    return `${stagingDatabase}.${name}`
  }

  async function make(...[table, definition, order]: Parameters<ClickHouseLayout['createShardedTable']>) {
    for (const text of layout.createShardedTable(table, definition, order)) await statements.command(text)
  }

  const left = await statements.rows(`select name from system.databases where match(name, '^${prefix}[0-9a-f]{12}$')`)
  for (const { name } of left) await statements.command(`drop database if exists ${name}${layout.onCluster} sync`)
  await statements.command(`create database ${stagingDatabase}${layout.onCluster}`)

  async function stagedMonths(name: FactTable): Promise<YearMonth[]> {
    const rows = await statements.select(
      sql`select distinct cast(date_trunc('month', date) as date) as bucket from ${table(name)} order by bucket`,
      staging,
    )
    return rows.map(row => monthOfDay(day(String(row.bucket))))
  }

  async function publishStaged(): Promise<void> {
    const filled = await checkStaged(scope, [...staged.keys()], statement => statements.select(statement, staging))
    state = 'publishing'
    const months = new Map<FactTable, YearMonth[]>()
    for (const name of filled.keys()) months.set(name, await stagedMonths(name))
    for (;;) {
      try {
        return await publishVersion(filled, months)
      } catch (cause) {
        // A merge was published meanwhile: plan again from the new state.
        if (!(cause instanceof PublicationConflict) || cause.isAbandoned) throw cause
      }
    }
  }

  async function publishVersion(
    filled: ReadonlyMap<FactTable, bigint>,
    months: ReadonlyMap<FactTable, readonly YearMonth[]>,
  ): Promise<void> {
    const plan = planPublication(scope, months, await ledger.listPublished(scope.months))
    const versionNo = await ledger.begin('import', plan.writes)
    try {
      for (const name of filled.keys()) {
        const columns = TABLES[name].columns.map(([column]) => column).join(', ')
        await statements.command(
          `insert into ${database}.${name} (${columns}, ${VERSION}) select ${columns}, ${versionNo} from ${stagingDatabase}.${name}`,
        )
      }
      for (const { name, months: added } of plan.added) await insertRollUp(statements, name, added, staging, versionNo)
      if (plan.rebuilt.length > 0) {
        const facts = stateDialect(statements, afterPublication(await ledger.read(), versionNo, plan.replaces))
        for (const { name, months: whole } of plan.rebuilt)
          await insertRollUp(statements, name, whole, facts, versionNo)
      }
      await ledger.publish(versionNo, {
        versions: plan.writes.length,
        replaces: plan.replaces,
        whole: plan.rebuilt.flatMap(({ name, months: whole }) => whole.map(month => ({ table: name, month }))),
        changesAnswers: true,
      })
    } catch (cause) {
      await ledger.abandon(versionNo, plan.writes).catch(() => undefined) // unfinished it is hidden as well
      throw cause
    }
  }

  return {
    async append(name, rows) {
      mustBeOpen()
      const line = (row: readonly (bigint | string | null)[]) =>
        `[${row.map(value => (typeof value === 'bigint' ? value : JSON.stringify(value))).join(',')}]`
      if (rows.length === 0) return
      checkRows(name, rows)
      const into = await stagedTable(name)
      await statements.command(`insert into ${into} format JSONCompactEachRow`, rows.map(line).join('\n'))
    },
    async load(name, parquetFile) {
      mustBeOpen()
      const columns = TABLES[name].columns.map(([column]) => column)
      await statements.loadParquet(await stagedTable(name), columns, parquetFile)
    },
    async query(statement) {
      mustBeOpen()
      return statements.select(statement, staging)
    },
    async publish() {
      mustBeOpen()
      await publishStaged()
      await end()
    },
    async discard() {
      if (state !== 'ended') await end()
    },
  }
}

interface MonthsOf {
  readonly name: RollUpTable
  readonly months: YearMonth[]
}

interface Plan {
  readonly writes: Omit<Version, 'versionNo'>[]
  readonly replaces: Version[]
  /** Roll-ups to which a version with the sums of this batch is added. */
  readonly added: MonthsOf[]
  /** Roll-ups computed again from all facts, because a published version includes replaced rows and cannot be split. */
  readonly rebuilt: MonthsOf[]
}

function planPublication(
  { batchNo, replacesBatchNos }: ImportScope,
  staged: ReadonlyMap<FactTable, readonly YearMonth[]>,
  published: readonly Version[],
): Plan {
  const batches = new Set([batchNo, ...replacesBatchNos])
  const isOfBatches = (version: Version) => version.batchNo !== null && batches.has(version.batchNo)
  const versionsOf = Map.groupBy(published, ({ table, month }) => `${table} ${month}`)
  const at = (name: TableName, month: number) => versionsOf.get(`${name} ${month}`) ?? []

  const replaces = published.filter(version => isFact(version.table) && isOfBatches(version))
  const writes: Omit<Version, 'versionNo'>[] = [...staged].flatMap(([name, months]) =>
    months.map(month => ({ table: name, month, batchNo })),
  )
  const added: MonthsOf[] = []
  const rebuilt: MonthsOf[] = []
  for (const name of ROLL_UP_TABLES) {
    const { of } = ROLL_UPS[name]
    const [ofAdded, ofRebuilt]: [YearMonth[], YearMonth[]] = [[], []]
    const stagedMonths = new Set<number>(staged.get(of))
    const replacedFacts = replaces.filter(({ table: replacedTable }) => replacedTable === of)
    for (const month of new Set([...stagedMonths, ...replacedFacts.map(version => version.month)])) {
      const own = at(name, month)
      const gone = replacedFacts.filter(version => version.month === month)
      const isApart = gone.every(fact => own.some(version => version.batchNo === fact.batchNo))
      if (isApart && own.every(({ versionNo }) => versionNo > 0n)) {
        replaces.push(...own.filter(isOfBatches))
        if (!stagedMonths.has(month)) continue
        ofAdded.push(month as YearMonth)
        writes.push({ table: name, month, batchNo })
      } else {
        replaces.push(...own)
        ofRebuilt.push(month as YearMonth)
        writes.push({ table: name, month, batchNo: null })
      }
    }
    if (ofAdded.length > 0) added.push({ name, months: ofAdded })
    if (ofRebuilt.length > 0) rebuilt.push({ name, months: ofRebuilt })
  }
  return { writes, replaces, added, rebuilt }
}

const INT64_LIMIT = 2n ** 63n

/** Rejects values that ClickHouse would silently wrap or replace by a default. @throws RangeError */
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
