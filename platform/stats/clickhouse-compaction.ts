import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { ClickHouseClient } from './clickhouse-client.ts'
import { dimensionTableName, isFact, isRollUp, mergeStatement, VERSION } from './clickhouse-versions.ts'
import { DIMENSION_TABLES, FACT_TABLES, ROLL_UP_TABLES, type RollUpTable } from './tables.ts'
import { PublicationConflict, type VersionKey, type VersionLedger } from './version-ledger.ts'

/** Statements of an older snapshot are refused. */
export const MAX_SNAPSHOT_AGE_MS = 5 * 60_000
/** How long rows of a replaced version are kept: the oldest snapshot, its last statement, and differing clocks. */
const GRACE_MS = MAX_SNAPSHOT_AGE_MS + 10 * 60_000

/**
 * Merges the roll-ups of months that were written by several publications, which readers otherwise add up.
 * @returns these months
 */
export async function mergeRollUps(statements: ClickHouseClient, ledger: VersionLedger): Promise<YearMonth[]> {
  const published = (await ledger.listPublished()).filter(({ table }) => isRollUp(table))
  const merged: YearMonth[] = []
  const months = [...Map.groupBy(published, ({ month }) => month)].sort(([a], [b]) => a - b)
  for (const [month, versions] of months) {
    const ofTables = [...Map.groupBy(versions, ({ table }) => table)].filter(([, own]) => own.length > 1)
    if (ofTables.length === 0) continue
    const whole = ofTables.map(([table]) => ({ table, month, batchNo: null }))
    const replaces = ofTables.flatMap(([, own]) => own)
    const versionNo = await ledger.begin('merge', whole)
    try {
      // Read after the list: if another publication has changed these months meanwhile, `publish` throws a conflict.
      const state = await ledger.read()
      for (const { table } of whole) {
        await statements.command(mergeStatement(statements, table as RollUpTable, state, month, versionNo))
      }
      await ledger.publish(versionNo, { versions: whole.length, replaces, whole, changesAnswers: false })
      merged.push(month as YearMonth)
    } catch (cause) {
      await ledger.abandon(versionNo, whole)
      if (!(cause instanceof PublicationConflict)) throw cause // a publication came in between: the next run merges it too
    }
  }
  return merged
}

/** Deletes rows of replaced versions that no query needs. */
export async function removeOldVersions(statements: ClickHouseClient, ledger: VersionLedger): Promise<void> {
  const removable = await ledger.listRemovable(GRACE_MS)
  const places = Map.groupBy(removable, ({ table, month }) => `${table} ${month}`)
  for (const keys of places.values()) {
    await removeVersions(statements, keys)
    await ledger.markRemoved(keys)
  }
}

/** Deletes versions of one month of one table. */
async function removeVersions(statements: ClickHouseClient, keys: readonly VersionKey[]): Promise<void> {
  const { table, month } = keys[0]!
  const { database, layout } = statements
  const dimension = DIMENSION_TABLES.find(name => name === table)
  if (dimension) {
    for (const { versionNo } of keys) {
      await statements.command(
        `drop table if exists ${database}.${dimensionTableName(dimension, versionNo)}${layout.onCluster} sync`,
      )
    }
  } else if (isFact(table) || isRollUp(table)) {
    const versions = keys.map(({ versionNo }) => versionNo).join(', ')
    // Waits until the rows are deleted on every replica.
    await statements.command(
      `alter table ${layout.rowsTable({ database, name: table })}${layout.onCluster} delete in partition ${month} where ${VERSION} in (${versions})
       settings mutations_sync = 2`,
    )
  }
}

export type StoredRows = readonly (VersionKey & { readonly batchNo: bigint | null; readonly rows: bigint })[]

/** Counts the stored rows by version, with the batch number where there is one. */
export async function listStoredRows(statements: ClickHouseClient): Promise<StoredRows> {
  const found: (VersionKey & { batchNo: bigint | null; rows: bigint })[] = []
  for (const table of [...FACT_TABLES, ...ROLL_UP_TABLES]) {
    const batch = isFact(table) ? ', batch_no' : ''
    const rows = await statements.rows(
      `select cast(toYYYYMM(date) as Int64) as month_no, ${VERSION}${batch}, cast(count(*) as Int64) as row_count
       from ${statements.database}.${table} group by month_no, ${VERSION}${batch}`,
    )
    for (const row of rows) {
      found.push({
        table,
        month: Number(row.month_no),
        versionNo: row[VERSION] as bigint,
        batchNo: (row.batch_no ?? null) as bigint | null,
        rows: row.row_count as bigint,
      })
    }
  }
  return found
}
