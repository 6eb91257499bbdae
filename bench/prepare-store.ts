import fs from 'node:fs'
import path from 'node:path'
import { daysBetween } from '@pc/domain/month/day.ts'
import {
  firstDayOf,
  formatYearMonth,
  lastDayOf,
  monthOfDay,
  monthRange,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import { type Config, readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { TABLES } from '@pc/platform/stats/tables.ts'
import { sql } from 'kysely'
import { openDependencies } from '../apps/server/open-dependencies.ts'
import type { Dependencies } from '../apps/server/wire-dependencies.ts'
import { ROOT } from '../tools/source-tree.ts'
import { generateMonth, itemId, mediumPlaceOf, publisherOf } from './bench-facts.ts'
import { insertLabels } from './bench-labels.ts'
import { BENCH_MEDIA, type BenchSize, PUBLISHERS_PER_ORGANIZATION } from './bench-size.ts'

/** Increase it when the generator changes: stores of another version, or with other tables, are generated again. */
const VERSION = '1'
/** The same for authors, sections and tags only. */
const LABELS_VERSION = '1'
const LABELS = 'labels'
export const STAFF_EMAIL = 'staff@bench.example'
/** Administrator of the first organisation. */
export const PUBLISHER_EMAIL = 'publisher@bench.example'
const OPEN_MONTHS = 2
const DAYS_WITH_TITLES = 60

export function benchFolder(dataDir: string, name: string): string {
  return path.join(dataDir, 'bench', name)
}

/** Environment of a server on a folder and ports of the bench. */
export function benchEnvironment(folder: string, port: number): Record<string, string> {
  return {
    DATA_DIR: folder,
    PORT: String(port),
    INSIGHT_API_PORT: String(port + 1),
    IAM_API_PORT: String(port + 2),
    PUBLISHER_CENTER_DEMO: 'off',
    LOG_LEVEL: 'warn',
  }
}

export function benchConfig(folder: string, port: number): Config {
  const { DATABASE_URL: _database, ...env } = process.env
  return readConfig({ ...env, ...benchEnvironment(folder, port) })
}

/**
 * Generates the store of a size if it does not exist. Rows are written through the product's own interfaces, as by
 * imports.
 */
export async function prepareStore(dataDir: string, size: BenchSize, say: (text: string) => void): Promise<string> {
  const folder = benchFolder(dataDir, size.name)
  const stamp = path.join(folder, 'made')
  const migrations = fs.readdirSync(path.join(ROOT, 'db/postgres')).filter(name => name.endsWith('.sql'))
  const wanted: Made = { VERSION, size, migrations, TABLES }
  const made = readMade(stamp)
  if (made && isSameBut(made, wanted)) {
    // Opening the store applies the migrations that are new since it was generated.
    if (made.migrations.length < migrations.length) await (await openStore(folder)).close()
    fs.writeFileSync(stamp, JSON.stringify(wanted))
    if (!hasLabels(folder)) await addLabels(folder, size, say)
    return folder
  }
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  refuseFullDisk(folder, size)
  const dependencies = await openStore(folder)
  try {
    const started = performance.now()
    await insertMasterData(dependencies, size)
    say(`master data: ${seconds(started)}`)
    await insertFacts(dependencies, size, folder, say)
  } finally {
    await dependencies.close()
  }
  fs.writeFileSync(stamp, JSON.stringify(wanted))
  await addLabels(folder, size, say)
  return folder
}

/** What a store was generated from. */
interface Made {
  readonly VERSION: string
  readonly size: BenchSize
  readonly migrations: readonly string[]
  readonly TABLES: unknown
}

function readMade(stamp: string): Made | undefined {
  return fs.existsSync(stamp) ? (JSON.parse(fs.readFileSync(stamp, 'utf8')) as Made) : undefined
}

/** Whether only migrations were added. */
function isSameBut(made: Made, wanted: Made): boolean {
  const { migrations } = made
  return (
    JSON.stringify(made) === JSON.stringify({ ...wanted, migrations: wanted.migrations.slice(0, migrations.length) })
  )
}

function openStore(folder: string) {
  return openDependencies({ config: benchConfig(folder, 4900), log: openLog('warn'), ownsDeliveries: true })
}

/** Adds labels to stores that were generated before labels existed. */
async function addLabels(folder: string, size: BenchSize, say: (text: string) => void): Promise<void> {
  const started = performance.now()
  const dependencies = await openStore(folder)
  try {
    await insertLabels(dependencies, size)
  } finally {
    await dependencies.close()
  }
  fs.writeFileSync(path.join(folder, LABELS), LABELS_VERSION)
  say(`authors, sections and tags: ${seconds(started)}`)
}

function hasLabels(folder: string): boolean {
  const file = path.join(folder, LABELS)
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === LABELS_VERSION
}

function refuseFullDisk(folder: string, size: BenchSize): void {
  const { bavail, bsize } = fs.statfsSync(folder)
  const freeGb = (bavail * bsize) / 1024 ** 3
  if (freeGb < size.freeDiskGb) {
    throw new Error(`size ${size.name} needs ${size.freeDiskGb} GB of free disk; there are ${freeGb.toFixed(1)} GB`)
  }
}

async function insertMasterData({ database }: Dependencies, size: BenchSize): Promise<void> {
  const long = { statementTimeoutMs: 900_000 }
  await database.inScope(SYSTEM, tx => insertPublishers(tx, size), long)
  const days = daysBetween(size.from, size.to) + 1
  const media = sql.raw(`(array[${BENCH_MEDIA.join(',')}])[${mediumPlaceOf('k')}]`)
  const of = sql.raw(publisherOf('k', size))
  const id = sql.raw(itemId('k'))
  // The search index makes inserting titles slow, so only the newest articles have one. Looking up a missing id costs
  // the same.
  const step = 30
  for (let start = Math.max(0, days - DAYS_WITH_TITLES); start < days; start += step) {
    const end = Math.min(days, start + step)
    const at = (perDay: number) =>
      sql`timestamptz ${sql.lit(`${size.from} 06:00:00+09`)} + make_interval(hours => (k * 24 / ${sql.lit(perDay)})::int)`
    await database.inScope(
      SYSTEM,
      async tx => {
        await sql`insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at)
          select ${id}, ${media}, 'a' || k, ${of}, '計測用の記事 ' || k, 'https://bench.example/articles/' || k, ${at(size.newArticlesPerDay)}
          from generate_series(${start * size.newArticlesPerDay}::bigint, ${end * size.newArticlesPerDay - 1}::bigint) s(k)`.execute(
          tx,
        )
        await sql`insert into videos (video_id, medium_id, publisher_id, title, url, duration_seconds, published_at)
          select ${id}, ${media}, ${of}, '計測用の動画 ' || k, 'https://bench.example/videos/' || k, (30 + k % 600)::int, ${at(size.newVideosPerDay)}
          from generate_series(${start * size.newVideosPerDay}::bigint, ${end * size.newVideosPerDay - 1}::bigint) s(k)`.execute(
          tx,
        )
      },
      long,
    )
  }
}

async function insertPublishers(tx: Transaction, size: BenchSize): Promise<void> {
  await tx
    .insertInto('media')
    .values(BENCH_MEDIA.map(id => ({ id: BigInt(id), name: `媒体${id}` })))
    .execute()
  const organizations = Math.ceil(size.publishers / PUBLISHERS_PER_ORGANIZATION)
  await sql`insert into organizations (name) select '計測用の組織 ' || n from generate_series(1, ${organizations}::int) s(n)`.execute(
    tx,
  )
  await sql`insert into publishers (organization_id, name)
    select 1 + (n - 1) / ${PUBLISHERS_PER_ORGANIZATION}::int, '計測用のパブリッシャー ' || n from generate_series(1, ${size.publishers}::int) s(n)`.execute(
    tx,
  )
  const people = [
    { email: STAFF_EMAIL, organizationId: null, role: 'insight:admin' },
    { email: PUBLISHER_EMAIL, organizationId: 1n, role: 'insight:publisher_admin' },
  ]
  for (const { email, organizationId, role } of people) {
    const { uid } = await tx
      .insertInto('users')
      .values({ email, organizationId, emailVerifiedAt: new Date() })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await tx.insertInto('userRoles').values({ uid, roleName: role }).execute()
  }
  const closed = monthRange(monthOfDay(size.from), monthOfDay(size.to)).slice(0, -OPEN_MONTHS)
  await tx
    .insertInto('monthClosings')
    .values(closed.flatMap(month => BENCH_MEDIA.map(id => ({ mediumId: BigInt(id), month, finalizedAt: new Date() }))))
    .execute()
}

async function insertFacts(
  dependencies: Dependencies,
  size: BenchSize,
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  const work = path.join(folder, 'work')
  const months = monthRange(monthOfDay(size.from), monthOfDay(size.to))
  for (const month of months) {
    const started = performance.now()
    fs.mkdirSync(work, { recursive: true })
    const batchNo = await dependencies.database.inScope(SYSTEM, tx => addBatch(tx, month))
    const files = await generateMonth(size, month, batchNo, work)
    const generated = performance.now()
    const run = await dependencies.stats.beginImport({ batchNo, replacesBatchNos: [], months: [month] })
    let rows = 0n
    try {
      for (const { table, file } of files) await run.load(table, file)
      await run.publish()
      rows = (await dependencies.stats.publishedBatches()).get(batchNo) ?? 0n
    } finally {
      await run.discard()
    }
    // The ledger records the stored rows, which a start compares with the store.
    await dependencies.database.inScope(SYSTEM, tx =>
      tx.updateTable('ingestBatches').set({ factRows: rows, rowsTotal: rows }).where('batchNo', '=', batchNo).execute(),
    )
    fs.rmSync(work, { recursive: true, force: true })
    say(
      `${formatYearMonth(month)}: ${rows} rows, generated in ${((generated - started) / 1000).toFixed(1)} s, imported in ${seconds(generated)}`,
    )
  }
}

async function addBatch(tx: Transaction, month: YearMonth): Promise<bigint> {
  const { batchNo } = await tx
    .insertInto('ingestBatches')
    .values({
      dataset: 'article-daily',
      batchId: `bench-${formatYearMonth(month)}`,
      contentSha256: String(month),
      state: 'applied',
      firstDay: firstDayOf(month),
      lastDay: lastDayOf(month),
      sourceName: 'bench',
    })
    .returning('batchNo')
    .executeTakeFirstOrThrow()
  return batchNo
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
