import type { Clock } from '../clock.ts'
import { keptOfRequest } from '../request-scope.ts'
import { AnswerCache } from './answer-cache.ts'
import { ClickHouseClient, type ClickHouseTransport } from './clickhouse-client.ts'
import { readCluster } from './clickhouse-cluster.ts'
import { MAX_SNAPSHOT_AGE_MS, mergeRollUps, removeOldVersions } from './clickhouse-compaction.ts'
import { clickHouseDialect, renderClickHouse } from './clickhouse-dialect.ts'
import { putClickHouseDimension } from './clickhouse-dimensions.ts'
import { beginClickHouseImport } from './clickhouse-import.ts'
import { clusterLayout } from './clickhouse-layout.ts'
import { alignIfReplaced, alignWithLedger, prepareDatabase, prepareTables } from './clickhouse-tables.ts'
import { isFact, stateDialect } from './clickhouse-versions.ts'
import { Mutex } from './mutex.ts'
import type { ImportRun, Query, StatsStore } from './port.ts'
import { ReaderGate } from './reader-gate.ts'
import { StatsTimeoutError } from './stats-store-error.ts'
import type { PublishedState, VersionKey, VersionLedger } from './version-ledger.ts'

const READ_TIMEOUT_MS = 30_000

export interface ClickHouseOptions {
  readonly ledger: VersionLedger
  readonly clock: Clock
  /** Name in the server's `remote_servers`; undefined: a single server. */
  readonly clusterName?: string | undefined
}

/**
 * The statistics store on ClickHouse. A publication writes rows under a new version number, which nobody reads until
 * the ledger in PostgreSQL lists it, so any number of processes read complete publications. Only one process imports at
 * a time.
 * @throws StatsStoreError when the cluster is unusable, or the database has another layout
 */
export async function openClickHouse(
  transport: ClickHouseTransport,
  { ledger, clock, clusterName }: ClickHouseOptions,
): Promise<StatsStore> {
  const cluster =
    clusterName === undefined ? undefined : await readCluster(new ClickHouseClient(transport), clusterName)
  const statements = new ClickHouseClient(transport, cluster && clusterLayout(cluster))
  await prepareDatabase(statements, cluster)
  return new ClickHouseStore(statements, ledger, clock)
}

class ClickHouseStore implements StatsStore {
  readonly engine = 'clickhouse'
  readonly #statements: ClickHouseClient
  readonly #ledger: VersionLedger
  readonly #clock: Clock
  readonly #answers = new AnswerCache()
  readonly #gate = new ReaderGate()
  readonly #importMutex = new Mutex()
  #preparing: Promise<void> | undefined
  #running: ImportRun | undefined
  #isClosed = false

  constructor(statements: ClickHouseClient, ledger: VersionLedger, clock: Clock) {
    this.#statements = statements
    this.#ledger = ledger
    this.#clock = clock
  }

  prepare = (): Promise<void> => {
    this.#preparing ??= prepareTables(this.#statements, this.#ledger).catch(cause => {
      this.#preparing = undefined
      throw cause
    })
    return this.#preparing
  }

  query: StatsStore['query'] = (statement, options) => this.snapshot(query => query(statement, options))

  snapshot: StatsStore['snapshot'] = work =>
    this.#gate.read(async () => {
      await this.#open()
      return work(this.#queryOf(await keptOfRequest(this.#ledger, () => this.#ledger.read())))
    })

  #queryOf(state: PublishedState): Query {
    const published = stateDialect(this.#statements, state)
    const named = clickHouseDialect(name => name)
    return async (statement, options = {}) => {
      if (this.#clock.now() - state.readAt > MAX_SNAPSHOT_AGE_MS)
        throw new StatsTimeoutError('the snapshot is too old: its rows may be gone')
      options.signal?.throwIfAborted()
      const { text, params } = renderClickHouse(statement, named)
      const key = [state.publicationId, text, ...Object.values(params)].join('|')
      const limited = { timeoutMs: READ_TIMEOUT_MS, ...options }
      const ask = () => this.#statements.select(statement, published, limited)
      return this.#answers.answer({ ...limited, text: key, params: [] }, ask)
    }
  }

  beginImport: StatsStore['beginImport'] = async scope => {
    const leave = await this.#importMutex.enter()
    try {
      await this.#open()
      await alignIfReplaced(this.#statements, this.#ledger)
      const run = await beginClickHouseImport(this.#statements, this.#ledger, scope, () => {
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

  putDimension: StatsStore['putDimension'] = (name, rows) =>
    this.#alone(() => putClickHouseDimension(this.#statements, this.#ledger, name, rows))

  publishedBatches: StatsStore['publishedBatches'] = async () => {
    await this.#open()
    const stored = await alignWithLedger(this.#statements, this.#ledger)
    const { hidden, until } = await this.#ledger.read()
    const keyOf = ({ table, month, versionNo }: VersionKey) => `${table} ${month} ${versionNo}`
    const hiddenKeys = new Set([...hidden.values()].flat().map(keyOf))
    const counts = new Map<bigint, bigint>()
    for (const version of stored) {
      const { table, versionNo, batchNo, rows } = version
      if (!isFact(table) || batchNo === null || versionNo > until || hiddenKeys.has(keyOf(version))) continue
      counts.set(batchNo, (counts.get(batchNo) ?? 0n) + rows)
    }
    return counts
  }

  damagedBatches: StatsStore['damagedBatches'] = async () => []

  /** Merges versions and deletes old ones. ClickHouse itself keeps rows sorted. */
  compact: StatsStore['compact'] = () =>
    this.#alone(async () => {
      // First, because a month that cannot be merged must not prevent the deletion of old rows.
      await removeOldVersions(this.#statements, this.#ledger)
      return mergeRollUps(this.#statements, this.#ledger)
    })

  close: StatsStore['close'] = async () => {
    if (this.#isClosed) return
    await this.#running?.discard()
    await this.#gate.write(async () => {
      this.#isClosed = true
    })
    await this.#statements.transport.close()
    await this.#ledger.close()
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.#importMutex.enter()
    try {
      await this.#open()
      await alignIfReplaced(this.#statements, this.#ledger)
      return await work()
    } finally {
      leave()
    }
  }

  async #open(): Promise<void> {
    if (this.#isClosed) throw new Error('the statistics store is closed')
    await this.prepare()
  }
}
