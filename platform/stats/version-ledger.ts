import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Database, openDatabase, SYSTEM, type Transaction } from '../postgres/database.ts'
import { StatsStoreError } from './stats-store-error.ts'

/**
 * Identifies the rows that one publication wrote for a table's month. Month 0: a table that is published as a whole.
 */
export interface VersionKey {
  readonly table: string
  /** YYYYMM. */
  readonly month: number
  readonly versionNo: bigint
}

export interface Version extends VersionKey {
  /** The batch to which all rows belong; null: rows of several batches. */
  readonly batchNo: bigint | null
}

/** What is published at one moment: of every table the versions up to `until` that are not hidden. */
export interface PublishedState {
  /** Changes whenever answers may change, so that it can be the key of cached answers. */
  readonly publicationId: string
  readonly until: bigint
  /** Unfinished, replaced and abandoned versions, by table. */
  readonly hidden: ReadonlyMap<string, readonly VersionKey[]>
  /** Months with several published versions, by table. Readers sum them. */
  readonly divided: ReadonlyMap<string, readonly number[]>
  /** The published versions of tables without months (dimensions), the newest last. */
  readonly withoutMonth: ReadonlyMap<string, readonly Version[]>
  /** Milliseconds since 1970, by the ledger's clock. */
  readonly readAt: number
}

/** Another publication was first. Nothing has changed; the work must be repeated from the new state. */
export class PublicationConflict extends Error {
  /** Another run of the same writer has started and abandoned this one. */
  readonly isAbandoned: boolean

  constructor(versionNo: bigint, isAbandoned: boolean) {
    super(`version ${versionNo} cannot be published: others came first`)
    this.isAbandoned = isAbandoned
  }
}

export type Writer = 'import' | 'merge' | 'restore' | `dimension ${string}`

const MAX_CONNECTIONS = 2
const ORIGIN = sql`concat_ws(' ', pg_postmaster_start_time(), (select oid from pg_database
  where datname = current_database()), 'stats_ledger'::regclass::oid, pg_relation_filenode('stats_ledger')) as origin`

/**
 * The list of published versions, in PostgreSQL. A version is registered as hidden before its rows are written; one
 * transaction then publishes it and hides what it replaces, for readers in every process.
 */
export class VersionLedger {
  readonly #url: string | Promise<string>
  readonly #clock: Clock
  #opened: Promise<Database> | undefined
  #known: { readonly changeId: string; readonly state: PublishedState } | undefined
  #alignedOrigin: string | undefined

  /** @param url connection of the running system */
  constructor(url: string | Promise<string>, clock: Clock) {
    this.#url = url
    this.#clock = clock
  }

  /**
   * A separate pool: a reader of statistics may hold a connection of the main pool in a transaction, which could
   * deadlock. Statements are not prepared, because a pooler may lose them.
   */
  get #database(): Promise<Database> {
    const options = { maxConnections: MAX_CONNECTIONS, keepsStatements: false }
    this.#opened ??= Promise.resolve(this.#url).then(url => openDatabase({ url, ...options }))
    return this.#opened
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }

  /** The published state. When nothing has changed since the last call, only one row is read. */
  async read(): Promise<PublishedState> {
    const readAt = this.#clock.now()
    const database = await this.#database
    const [head] = await database.readSingleStatement(
      SYSTEM,
      sql<{ changeId: string }>`select change_id::text from stats_ledger`,
    )
    if (this.#known?.changeId === head!.changeId) return { ...this.#known.state, readAt }
    const [row] = await database.readSingleStatement(
      SYSTEM,
      sql<{
        changeNo: bigint
        changeId: string
        publicationId: string
        hidden: string[]
        divided: string[]
        withoutMonth: string[]
      }>`
        select change_no, change_id::text, publication_id::text,
          array(select concat_ws(' ', table_name, month, version_no) from stats_versions
            where state <> 'published' order by table_name, month, version_no) as hidden,
          array(select concat_ws(' ', table_name, month, 0) from stats_versions
            where state = 'published' and month > 0 group by table_name, month having count(*) > 1
            order by table_name, month) as divided,
          array(select concat_ws(' ', table_name, month, version_no, batch_no) from stats_versions
            where state = 'published' and month = 0 order by version_no) as without_month
        from stats_ledger`,
    )
    const { changeNo, changeId, publicationId, hidden, divided, withoutMonth } = row!
    const state: PublishedState = {
      publicationId,
      until: changeNo,
      hidden: Map.groupBy(hidden.map(keyOf), ({ table }) => table),
      divided: new Map(
        [...Map.groupBy(divided.map(keyOf), ({ table }) => table)].map(([table, keys]) => [
          table,
          keys.map(({ month }) => month),
        ]),
      ),
      withoutMonth: Map.groupBy(withoutMonth.map(versionOf), ({ table }) => table),
      readAt,
    }
    this.#known = { changeId, state }
    return state
  }

  /**
   * Identifies server, database and table of this list. It changes after a restore or failover, and also after a
   * restart. The list may then know fewer versions than the store has.
   */
  async readOrigin(): Promise<string> {
    const [row] = await (await this.#database).readSingleStatement(SYSTEM, sql<{ origin: string }>`select ${ORIGIN}`)
    return row!.origin
  }

  isAligned(origin: string): boolean {
    return this.#alignedOrigin === origin
  }

  /**
   * Records that versions unknown to the list of this origin are hidden. From then on `begin` refuses any other origin.
   */
  markAligned(origin: string): void {
    this.#alignedOrigin = origin
  }

  /** The published versions of these months; undefined: of all months. */
  async listPublished(months?: readonly number[]): Promise<Version[]> {
    const database = await this.#database
    const ofMonths = months === undefined ? sql`` : sql`and month = any (${[...months]}::int[])`
    const rows = await database.readSingleStatement(
      SYSTEM,
      sql<Version>`select table_name as table, month, version_no, batch_no from stats_versions
        where state = 'published' ${ofMonths} order by table_name, month, version_no`,
    )
    return rows
  }

  /**
   * Registers a new hidden version and returns its number. Unfinished versions of an earlier run of the same writer can
   * no longer be published; only `restore` may run in parallel, and the first to finish wins.
   * @throws StatsStoreError `unreachable` when the origin is not the one of {@link markAligned}
   */
  async begin(writer: Writer, versions: readonly Omit<Version, 'versionNo'>[]): Promise<bigint> {
    return this.#change(async tx => {
      const { rows } = await sql<{ origin: string }>`select ${ORIGIN}`.execute(tx)
      if (this.#alignedOrigin !== undefined && !this.isAligned(rows[0]!.origin))
        throw new StatsStoreError('unreachable', 'PostgreSQL was restarted or restored meanwhile: send it again.')
      const versionNo = await nextChange(tx)
      await sql`update stats_versions set state = 'abandoned', ended_at = ${this.#now()}
        where writer = ${writer} and writer <> 'restore' and state = 'writing'`.execute(tx)
      await sql`insert into stats_versions (table_name, month, version_no, batch_no, writer, state)
        select g.table_name, g.month, ${versionNo}, g.batch_no, ${writer}, 'writing'
        from unnest(${versions.map(one => one.table)}::text[], ${versions.map(one => one.month)}::int[],
          ${versions.map(one => one.batchNo)}::bigint[]) as g (table_name, month, batch_no)`.execute(tx)
      return versionNo
    })
  }

  /**
   * Publishes a version and hides those that it replaces, in one transaction.
   * @param whole tables and months of which this version has all rows
   * @throws PublicationConflict when the version was abandoned, or what it replaces is no longer published
   */
  async publish(
    versionNo: bigint,
    change: {
      readonly versions: number
      readonly replaces: readonly VersionKey[]
      readonly whole: readonly Omit<VersionKey, 'versionNo'>[]
      readonly changesAnswers: boolean
    },
  ): Promise<void> {
    const { versions, replaces, whole, changesAnswers } = change
    await this.#change(async tx => {
      await nextChange(tx, changesAnswers)
      const published = await sql`update stats_versions set state = 'published'
        where version_no = ${versionNo} and state = 'writing'`.execute(tx)
      const replaced = await sql`update stats_versions v set state = 'replaced', ended_at = ${this.#now()}
        from ${given(replaces)} where v.table_name = g.table_name and v.month = g.month and v.version_no = g.version_no
          and v.state = 'published'`.execute(tx)
      const { rows } = await sql<{ others: bigint }>`select count(*) as others from stats_versions v
        join ${given(whole)} on v.table_name = g.table_name and v.month = g.month
        where v.state = 'published' and v.version_no <> ${versionNo}`.execute(tx)
      await sql`update stats_versions set state = 'abandoned', ended_at = ${this.#now()}
        where writer = 'restore' and state = 'writing'
          and exists (select from stats_versions where version_no = ${versionNo} and writer = 'restore')`.execute(tx)
      const isAbandoned = published.numAffectedRows !== BigInt(versions)
      const isAsPlanned = replaced.numAffectedRows === BigInt(replaces.length) && rows[0]!.others === 0n
      if (isAbandoned || !isAsPlanned) throw new PublicationConflict(versionNo, isAbandoned)
    })
  }

  /**
   * Its rows never become visible, not even where the list was restored to before {@link begin} and does not know them.
   * @param versions as `begin` took them
   */
  async abandon(versionNo: bigint, versions: readonly Omit<Version, 'versionNo'>[]): Promise<void> {
    await this.#change(async tx => {
      const { rows } = await sql<{ changeNo: bigint }>`select change_no from stats_ledger for update`.execute(tx)
      await sql`update stats_versions set state = 'abandoned', ended_at = ${this.#now()}
        where version_no = ${versionNo} and state = 'writing'`.execute(tx)
      const { numAffectedRows = 0n } = await sql`
        insert into stats_versions (table_name, month, version_no, writer, state, ended_at)
        select g.table_name, g.month, ${versionNo}, 'restore', 'abandoned', ${this.#now()} from ${given(versions)}
        on conflict do nothing`.execute(tx)
      // Readers may have seen them. Below their number nobody has, and to raise it would show what else was lost.
      if (numAffectedRows > 0n && rows[0]!.changeNo >= versionNo) await nextChange(tx, true)
    })
  }

  /**
   * Registers versions of a store from before this list existed; registered ones stay unchanged. If all are registered
   * no number is taken, because rows unknown to a restored list may have the next one.
   */
  async adopt(versions: readonly Version[]): Promise<void> {
    if (versions.length === 0) return
    await this.#change(async tx => {
      const { numAffectedRows = 0n } = await sql`
        insert into stats_versions (table_name, month, version_no, batch_no, writer, state)
        select g.table_name, g.month, g.version_no, g.batch_no, 'restore', 'published'
        from unnest(${versions.map(one => one.table)}::text[], ${versions.map(one => one.month)}::int[],
          ${versions.map(one => one.versionNo)}::bigint[], ${versions.map(one => one.batchNo)}::bigint[])
          as g (table_name, month, version_no, batch_no)
        on conflict do nothing`.execute(tx)
      if (numAffectedRows > 0n) await nextChange(tx)
    })
  }

  /**
   * Hides rows that no entry accounts for (after a restore). They never become visible, and their numbers are not used
   * again.
   */
  async hideUnknown(found: readonly VersionKey[]): Promise<void> {
    if (found.length === 0) return
    await this.#change(async tx => {
      const { rows } = await sql<VersionKey>`select g.table_name as table, g.month, g.version_no from ${given(found)}
        where not exists (select from stats_versions v
          where v.table_name = g.table_name and v.month = g.month and v.version_no = g.version_no)`.execute(tx)
      if (rows.length === 0) return
      await sql`insert into stats_versions (table_name, month, version_no, writer, state, ended_at)
        select g.table_name, g.month, g.version_no, 'restore', 'abandoned', ${this.#now()}
        from ${given(rows)}`.execute(tx)
      const greatest = rows.map(({ versionNo }) => versionNo).reduce((a, b) => (a > b ? a : b))
      await sql`update stats_ledger set publication_no = publication_no + 1,
        change_no = greatest(change_no, ${greatest}) + 1`.execute(tx)
    })
  }

  /** Marks everything published of a table up to version `until` as replaced, because the table itself was dropped. */
  async forgetTable(table: string, until: bigint): Promise<void> {
    await this.#change(async tx => {
      await nextChange(tx)
      await sql`update stats_versions set state = 'replaced', ended_at = ${this.#now()}
        where table_name = ${table} and state = 'published' and version_no <= ${until}`.execute(tx)
    })
  }

  /** Versions that were replaced or abandoned at least `graceMs` ago, so that no reader can still use them. */
  async listRemovable(graceMs: number): Promise<VersionKey[]> {
    const before = new Date(this.#clock.now() - graceMs).toISOString()
    return (await this.#database).readSingleStatement(
      SYSTEM,
      sql<VersionKey>`select table_name as table, month, version_no from stats_versions
        where ended_at < ${before}::timestamptz and not is_purged order by table_name, month, version_no`,
    )
  }

  /**
   * Records that the rows of these versions were deleted. Abandoned versions stay hidden for ever, because their writer
   * may still be running.
   */
  async markRemoved(removed: readonly VersionKey[]): Promise<void> {
    if (removed.length === 0) return
    await this.#change(async tx => {
      await nextChange(tx)
      const isRemoved = sql`v.table_name = g.table_name and v.month = g.month and v.version_no = g.version_no`
      await sql`delete from stats_versions v using ${given(removed)}
        where ${isRemoved} and v.state = 'replaced'`.execute(tx)
      await sql`update stats_versions v set is_purged = true from ${given(removed)}
        where ${isRemoved} and v.state = 'abandoned'`.execute(tx)
    })
  }

  async #change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return (await this.#database).inScope(SYSTEM, work)
  }

  #now(): Date {
    return new Date(this.#clock.now())
  }
}

/** Updating the single row serialises changes, so that numbers become visible in the order in which they are taken. */
async function nextChange(tx: Transaction, changesAnswers = false): Promise<bigint> {
  const { rows } = await sql<{ changeNo: bigint }>`update stats_ledger set change_no = change_no + 1,
    publication_no = publication_no + ${changesAnswers ? 1 : 0} returning change_no`.execute(tx)
  return rows[0]!.changeNo
}

function given(keys: readonly (Omit<VersionKey, 'versionNo'> & Partial<VersionKey>)[]) {
  return sql`unnest(${keys.map(({ table }) => table)}::text[], ${keys.map(({ month }) => month)}::int[],
    ${keys.map(({ versionNo = 0n }) => versionNo)}::bigint[]) as g (table_name, month, version_no)`
}

function keyOf(text: string): VersionKey {
  const [table = '', month, versionNo = ''] = text.split(' ')
  return { table, month: Number(month), versionNo: BigInt(versionNo) }
}

function versionOf(text: string): Version {
  const batchNo = text.split(' ')[3]
  return { ...keyOf(text), batchNo: batchNo === undefined ? null : BigInt(batchNo) }
}
