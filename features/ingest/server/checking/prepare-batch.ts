import { type Day, day } from '@pc/domain/month/day.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { storedTexts } from '../content-store.ts'
import type { IngestLimits } from '../ingest-limits.ts'
import { INGEST_MESSAGES } from '../ingest-messages.ts'
import { type BadRow, IngestRefusal } from '../ingest-refusal.ts'
import { daysOf, type FactFile, writeFacts } from '../publishing/build-facts.ts'
import { type EventHour, readEventHours } from '../publishing/event-hours.ts'
import { type ContentFile, writeContentFile } from '../reading/content-file.ts'
import { readRows } from '../reading/read-rows.ts'
import { type EngineSettings, ReadingEngine } from '../reading/reading-engine.ts'
import type { Source } from '../reading/source-files.ts'
import { checkRows, type KnownIds } from './check-rows.ts'
import { ABSENT, type Today } from './column-checks.ts'
import { DATASET_COLUMNS, type Dataset, isContentDataset } from './dataset-columns.ts'
import { countBadRows, reportBadRows } from './report-bad-rows.ts'

/** A delivery that was read and checked, as Parquet files that the stores load. */
export interface PreparedBatch {
  /** For the statistics store. */
  readonly facts: readonly FactFile[]
  /** For PostgreSQL: articles or videos. */
  readonly contents: ContentFile | null
  /** Counts per hour; only for `events`, and only of the last days (`event-hours.ts`). */
  readonly hours: readonly EventHour[]
  /** Records of the file, and those among them that were set aside. */
  readonly rowsTotal: bigint
  readonly rowsQuarantined: bigint
  /** Every row set aside, with every wrong column. */
  readonly quarantined: readonly BadRow[]
  /** Null for articles and videos, which have no days. */
  readonly firstDay: Day | null
  readonly lastDay: Day | null
  readonly mediumIds: readonly bigint[]
}

export interface PrepareOptions {
  readonly batchNo: bigint
  /** Set wrong rows aside instead of refusing the delivery. */
  readonly quarantine: boolean
  /** Checks against today's master data and date; absent when an accepted batch is read again. */
  readonly accept?: { readonly now: Today; readonly known: KnownIds }
  /** Numbers (from 0) of the rows that were quarantined when the batch was accepted. Only without `accept`. */
  readonly excludedRows?: readonly bigint[]
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
  /** Reads the engine's view `good` and table `parsed` before wrong rows refuse the delivery; a dry run sums them up. */
  readonly inspect?: (engine: ReadingEngine, rows: InspectedRows) => Promise<void>
  /** Checks the written files with the engine that wrote them: opening another costs as much as a small delivery. */
  readonly confirm?: (engine: ReadingEngine, prepared: PreparedBatch) => Promise<void>
}

export interface InspectedRows {
  readonly total: bigint
  readonly bad: bigint
  /** Names of the columns that the delivery has. */
  readonly columns: ReadonlySet<string>
}

export interface Reading {
  readonly clock: Clock
  readonly engine: EngineSettings
  readonly limits: IngestLimits
}

/**
 * Reads a source, checks every row and writes the facts. Knows no ledger and changes nothing outside its work folder.
 * @throws IngestRefusal naming every kind of wrong row with its line
 */
export async function prepareBatch(
  dataset: Dataset,
  source: Source,
  options: PrepareOptions,
  reading: Reading,
): Promise<PreparedBatch> {
  const { limits } = reading
  const engine = await ReadingEngine.open(reading.engine, [source.workDir], source.workDir)
  const stop = () => engine.interrupt()
  options.signal?.addEventListener('abort', stop)
  const watch = options.onProgress && setInterval(() => options.onProgress?.(engine.progress() ?? 0), 200)
  try {
    const read = await readRows(engine, source, DATASET_COLUMNS[dataset], options.accept?.now, limits)
    if (read.rows + read.rejects === 0n) throw new IngestRefusal('ingest/no-rows', INGEST_MESSAGES.noRows)
    if (!options.accept) await excludeRows(engine, options.excludedRows ?? [])
    const checks = await checkRows(engine, dataset, options.accept?.known)
    const badRows = await countBadRows(engine, read)
    const report = (limit: number) => reportBadRows(engine, source, read, checks, limit)
    await engine.run('create view good as select rowid as row_no, * from parsed where bad = 0')
    options.signal?.throwIfAborted()
    const columns = new Set(read.columns.filter(({ raw }) => raw !== ABSENT).map(({ column }) => column.name))
    await options.inspect?.(engine, { total: read.rows + read.rejects, bad: badRows, columns })
    if (options.accept) await refuseBadRows(badRows, options.quarantine, limits, report)
    else await expectSameReading(engine, source)
    const needsList = options.accept !== undefined && badRows > 0n
    const quarantined = needsList ? await report(limits.quarantinedRows * read.columns.length) : []
    if ((await engine.count('select count(*) from good')) === 0n) {
      throw new IngestRefusal('ingest/no-rows', INGEST_MESSAGES.allRowsBad, {
        badRows: Number(badRows),
        kept: quarantined.slice(0, limits.keptErrors),
        listed: limits.listedErrors,
      })
    }
    const rows = { rowsTotal: read.rows + read.rejects, rowsQuarantined: badRows, quarantined }
    const prepared = { ...(await writeFiles(engine, dataset, options.batchNo, source, reading.clock)), ...rows }
    await engine.run('drop table parsed')
    await options.confirm?.(engine, prepared)
    return prepared
  } catch (error) {
    options.signal?.throwIfAborted()
    if (options.accept && isOutOfMemory(error))
      throw new IngestRefusal('ingest/too-large', INGEST_MESSAGES.tooLargeToCheck)
    throw error
  } finally {
    options.signal?.removeEventListener('abort', stop)
    clearInterval(watch)
    engine.close()
  }
}

/** A valid delivery can need more memory than the engine has. It is refused with the advice to split it. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /^out of memory error/i.test(error.message)
}

async function writeFiles(
  engine: ReadingEngine,
  dataset: Dataset,
  batchNo: bigint,
  source: Source,
  clock: Clock,
): Promise<Pick<PreparedBatch, 'facts' | 'contents' | 'hours' | 'firstDay' | 'lastDay' | 'mediumIds'>> {
  const media = await engine.rows('select distinct medium_id from good order by medium_id')
  const mediumIds = media.map(row => row.medium_id as bigint)
  if (isContentDataset(dataset)) {
    const contents = await writeContentFile(engine, dataset, source.workDir, row => storedTexts(dataset, row))
    return { facts: [], contents, hours: [], firstDay: null, lastDay: null, mediumIds }
  }
  const facts = await writeFacts(engine, dataset, batchNo, source.workDir)
  const { first, last } = await daysOf(engine, dataset)
  const hours = dataset === 'events' ? await readEventHours(engine, clock) : []
  return { facts, contents: null, hours, firstDay: day(first), lastDay: day(last), mediumIds }
}

async function refuseBadRows(
  badRows: bigint,
  quarantine: boolean,
  limits: IngestLimits,
  report: (limit: number) => Promise<BadRow[]>,
): Promise<void> {
  if (badRows === 0n) return
  if (quarantine && badRows <= BigInt(limits.quarantinedRows)) return
  const kept = await report(limits.keptErrors)
  const [code, message] = quarantine
    ? ([
        'ingest/too-many-quarantined',
        INGEST_MESSAGES.tooManyQuarantined(Number(badRows), limits.quarantinedRows),
      ] as const)
    : (['ingest/bad-rows', INGEST_MESSAGES.badRows(Number(badRows))] as const)
  throw new IngestRefusal(code, message, { badRows: Number(badRows), kept, listed: limits.listedErrors })
}

/** The highest bit of `parsed.bad`, which columns and checks do not use. */
const EXCLUDED = 2 ** 31

/** Excludes the rows that were quarantined when the batch was accepted, whatever the master data contains today. */
async function excludeRows(engine: ReadingEngine, rows: readonly bigint[]): Promise<void> {
  if (rows.length === 0) return
  await engine.run(`create table excluded as select unnest([${rows.join(', ')}]::bigint[]) as row_no`)
  await engine.run(`update parsed set bad = bad | ${EXCLUDED} where rowid in (select row_no from excluded)`)
}

/** Throws when a row that was accepted is wrong now: then the kept source or the reader has changed. */
async function expectSameReading(engine: ReadingEngine, source: Source): Promise<void> {
  const wrongNow = await engine.count(`select count(*) from parsed where bad > 0 and bad < ${EXCLUDED}`)
  if (wrongNow > 0n)
    throw new Error(`the kept source ${source.sha256} no longer reads the same: ${wrongNow} wrong rows`)
}
