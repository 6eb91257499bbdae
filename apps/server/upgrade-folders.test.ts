import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { ensureClusterRoles, ensureDatabase, OWNER_ROLE, withClient } from '@pc/platform/postgres/roles.ts'
import { changeDuckDbFile } from '@pc/testing/statistics/change-duckdb-file.ts'
import { csv, figuresOf, type IngestFixture, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { fillEarlierTables, MIGRATIONS, migrationsUntil } from '@pc/testing/system/earlier-version-fixture.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from './start-server.ts'

/**
 * Whole data folders of earlier versions are started: PostgreSQL with their migrations, the statistics file with their
 * tables, and the kept deliveries. The figures afterwards are those from before.
 */
interface EarlierVersion {
  readonly lastMigration: string
  readonly changes: readonly string[]
}
const WITHOUT_LIFE = ['article', 'video'].flatMap(of => [
  `drop table ${of}_life`,
  `drop table ${of}_moment`,
  `alter table ${of}_month drop column first_on`,
  `alter table ${of}_month drop column last_on`,
])
const WITHOUT_READING = ['article_day', 'article_month', 'publisher_article_day', 'medium_article_day'].flatMap(name =>
  ['engaged_time_ms', 'engaged_time_watch', 'completion', 'completion_watch'].map(
    column => `alter table ${name} drop column ${column}`,
  ),
)
/** Files as two earlier versions wrote them, by what they lack. */
const WITH_LABELS: EarlierVersion = {
  lastMigration: '0218_search_of_own_articles.sql',
  changes: [...WITHOUT_LIFE, ...WITHOUT_READING],
}
const FIRST: EarlierVersion = {
  lastMigration: '0003_sign_in_attempts.sql',
  changes: [
    ...WITHOUT_LIFE,
    ...WITHOUT_READING,
    ...['article', 'video'].map(of => `alter table ${of}_month drop column is_lone`),
    'drop table article_label',
    'drop table month_writes',
  ],
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'upgrade-folders-'))
let fixture: IngestFixture
let figures: Awaited<ReturnType<IngestFixture['figures']>>
let statsFile: string
beforeAll(async () => {
  fixture = await ingestFixture()
  const article = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'demographics']
  const person = '[{"genderId":1,"ageId":2,"click":3}]'
  const articles = (impression: number) =>
    csv(article, [
      ['2026-09-30', 1, 1, 11, impression, 3, person],
      ['2026-11-02', 2, 3, 12, 7, 1, ''],
    ])
  await fixture.taken('article-daily', articles(100), { batchId: 'corrected' })
  await fixture.taken('article-daily', articles(140), { batchId: 'corrected' })
  const wrong = csv(article, [
    ['2026-11-03', 1, 1, 11, 5, 1, ''],
    ['2026-11-03', 1, 1, 13, -5, 1, ''],
  ])
  await fixture.taken('article-daily', wrong, { batchId: 'with-wrong-row', quarantine: true })
  const video = ['date', 'medium_id', 'publisher_id', 'video_id', 'impression', 'click', 'watch', 'watch_time']
  const watched = '[{"bucketId":4,"watch":2}]'
  await fixture.taken('video-daily', csv(video, [['2026-10-05', 9, 2, 21, 50, 4, 2, watched]]), { batchId: 'videos' })
  const summary = [
    'date',
    'medium_id',
    'publisher_id',
    'follower',
    'article_impression',
    'article_click',
    'article_watch',
  ]
  const money = ['ads_revenue_micro_yen', 'publisher_revenue_micro_yen']
  await fixture.taken(
    'summary-daily',
    csv([...summary, ...money], [['2026-10-05', 9, 2, 900, 400, 12, 0, 123_456_789, 61_728_394]]),
    { batchId: 'sums' },
  )
  figures = await fixture.figures()
  await fixture.context.stats.close()
  statsFile = path.join(
    fixture.dataDir,
    'stats',
    fs.readdirSync(path.join(fixture.dataDir, 'stats')).find(name => name.endsWith('.duckdb'))!,
  )
})
afterAll(async () => {
  await fixture.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function folderOf(name: string, { lastMigration, changes }: EarlierVersion): Promise<string> {
  const dataDir = path.join(folder, name)
  fs.mkdirSync(path.join(dataDir, 'stats'), { recursive: true })
  fs.cpSync(path.join(fixture.dataDir, 'ingest/sources'), path.join(dataDir, 'ingest/sources'), { recursive: true })
  fs.copyFileSync(statsFile, fileOf(dataDir))
  await changeDuckDbFile(fileOf(dataDir), changes)
  await inPostgres(dataDir, async ({ ownerUrl, adminUrl }) => {
    await migrate({ ownerUrl, folder: migrationsUntil(lastMigration, path.join(folder, `${name}-migrations`)) })
    const { filled, refused } = await fillEarlierTables(adminUrl, fixture.adminUrl, lastMigration)
    expect(refused).toEqual([])
    expect(filled).toEqual(expect.arrayContaining(['ingest_batches', 'ingest_quarantined_rows', 'publishers']))
  })
  return dataDir
}

const fileOf = (dataDir: string) => path.join(dataDir, 'stats', 'stats.duckdb')

async function inPostgres<T>(
  dataDir: string,
  work: (urls: { readonly ownerUrl: string; readonly adminUrl: string }) => Promise<T>,
): Promise<T> {
  const server = await launchPostgres({ folder: postgresFolder(dataDir) })
  try {
    await ensureClusterRoles(server.url('postgres', 'postgres'))
    await ensureDatabase(server.url('postgres', 'postgres'), DATABASE_NAME)
    const urlOf = (user: string) => server.url(DATABASE_NAME, user)
    return await work({ ownerUrl: urlOf(OWNER_ROLE), adminUrl: urlOf('postgres') })
  } finally {
    await server.stop()
  }
}

/** Starts the folder, and answers what it then has and what was said meanwhile. */
async function start(dataDir: string) {
  const config = readConfig({
    ...{ DATA_DIR: dataDir, PUBLISHER_CENTER_DEMO: 'off', LOG_LEVEL: 'silent' },
    ...{ PORT: '0', INSIGHT_API_PORT: '0', IAM_API_PORT: '0', STATS_MEMORY_LIMIT: '256MB', STATS_THREADS: '2' },
  })
  const said: string[] = []
  const logged: { level: string; takenOver?: string[] }[] = []
  const write = (line: string) => void logged.push(JSON.parse(line))
  const log = openLog('warn', { write } as unknown as NodeJS.WritableStream)
  const server = await startServer({ config, services: ['api', 'worker'], log, onProgress: text => said.push(text) })
  try {
    return {
      figures: await figuresOf(server.dependencies.stats),
      states: await server.dependencies.database.inScope(SYSTEM, tx =>
        tx.selectFrom('ingestBatches').select(['batchId', 'state']).orderBy('batchNo').execute(),
      ),
      said,
      takenOver: logged.flatMap(line => line.takenOver ?? []),
    }
  } finally {
    await server.stop()
  }
}

const STATES = [
  { batchId: 'corrected', state: 'replaced' },
  ...['corrected', 'with-wrong-row', 'videos', 'sums'].map(batchId => ({ batchId, state: 'applied' })),
]

test('a folder of the first version: one delivery is gone and one damaged, whose rows the old file has', async () => {
  const dataDir = await folderOf('first', FIRST)
  const [corrected, , videos] = await sourcesOf(dataDir, 'corrected', 'with-wrong-row', 'videos')
  fs.rmSync(corrected!)
  fs.appendFileSync(videos!, '\n')
  const started = await start(dataDir)
  expect(started.said.at(-1)).toContain('4/4')
  expect(started.takenOver).toEqual(['corrected', 'videos'])
  expect(started.states).toEqual(STATES)
  expect(started.figures).toEqual(figures)
  expect(fs.readdirSync(path.dirname(fileOf(dataDir)))).toEqual(['stats.duckdb'])
  // The next one finds nothing to do.
  expect(await start(dataDir)).toMatchObject({ figures, said: [] })
})

test('a folder whose deliveries are gone is refused unchanged, and goes on where a fault ended it', async () => {
  const dataDir = await folderOf('with-labels', WITH_LABELS)
  const [corrected, wrong] = await sourcesOf(dataDir, 'corrected', 'with-wrong-row')
  const applied = () =>
    inPostgres(dataDir, ({ adminUrl }) =>
      withClient(adminUrl, async client => {
        const { rows } = await client.query('select name from migrations.applied_files order by name desc limit 1')
        return rows[0]!.name as string
      }),
    )
  const hash = () =>
    createHash('sha256')
      .update(fs.readFileSync(fileOf(dataDir)))
      .digest('hex')

  await changeDuckDbFile(fileOf(dataDir), ['delete from article_demo_day'])
  const before = hash()
  fs.renameSync(corrected!, `${corrected}.aside`)
  await expect(start(dataDir)).rejects.toThrow(
    /^The statistics have to be built again .* article-daily corrected \([0-9a-f]{64}\)\.\nPut these files back into .*sources/,
  )
  expect([await applied(), hash()]).toEqual([WITH_LABELS.lastMigration, before])

  // A fault after the first delivery was built.
  fs.renameSync(`${corrected}.aside`, corrected!)
  fs.renameSync(wrong!, `${wrong}.aside`)
  fs.mkdirSync(wrong!)
  await expect(start(dataDir)).rejects.toThrow('EISDIR')
  expect([await applied(), hash()]).toEqual([WITH_LABELS.lastMigration, before])

  fs.rmdirSync(wrong!)
  fs.renameSync(`${wrong}.aside`, wrong!)
  const started = await start(dataDir)
  expect(started.said.at(-1)).toContain('3/3')
  expect(started.takenOver).toEqual([])
  expect(started.figures).toEqual(figures)
  expect(await applied()).toBe(MIGRATIONS.at(-1))
})

/** The kept files of the visible batches. */
async function sourcesOf(dataDir: string, ...batchIds: string[]): Promise<string[]> {
  const rows = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('ingestBatches').select(['batchId', 'contentSha256']).where('state', '=', 'applied').execute(),
  )
  return batchIds.map(id =>
    path.join(dataDir, 'ingest/sources', rows.find(({ batchId }) => batchId === id)!.contentSha256),
  )
}
