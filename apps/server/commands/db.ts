import fs from 'node:fs'
import path from 'node:path'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { importBankMaster, packagedBankMaster } from '@pc/features/bank-accounts/server/import-bank-master.ts'
import { fetchStaging, StagingError } from '@pc/features/feeds/server/fetch-staging.ts'
import { readStagingDocument } from '@pc/features/feeds/server/staging-document.ts'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { importHolidays } from '@pc/features/payments/core/server/import-holidays.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { FolderError } from '@pc/platform/folder-error.ts'
import { openLog } from '@pc/platform/log.ts'
import { forgetIssuerKeys } from '@pc/platform/oidc/signing-keys.ts'
import { type Database, openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { findPooling, MIGRATES_THROUGH_POOLER } from '@pc/platform/postgres/find-pooling.ts'
import { AlreadyRunning } from '@pc/platform/postgres/folder-claim.ts'
import { writeGeneratedSchema } from '@pc/platform/postgres/generated-schema.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { MIGRATIONS_FOLDER, MigrationError, migrate, readMigrations } from '@pc/platform/postgres/migrate.ts'
import { DATABASE_NAME, openPostgres, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { LOGIN_ROLE, OWNER_ROLE } from '@pc/platform/postgres/roles.ts'
import { openStores, type Stores } from '../open-stores.ts'

// What it refuses is tested by `apps/server/commands/refused-usage.test.ts`.
const USAGE = `npm run db -- new <name>     a new migration file, for example: npm run db -- new add_bank_accounts
npm run db -- migrate        applies new migrations to DATABASE_URL, or to the embedded database in DATA_DIR
npm run db -- dump           rewrites db/schema.sql and platform/postgres/tables.ts from the migrations
npm run db -- import-banks   brings the master of banks and branches to the state of the npm package zengin-code
npm run db -- import-staging [file.json]   brings publishers and feeds of the staging system in, from a file or,
                             without one, from STAGING_INSIGHT_API
npm run db -- import-holidays <csv>   replaces the holiday calendar by the Cabinet Office's syukujitsu.csv
npm run db -- renew-issuer-keys --yes   replaces the keys of the embedded issuer: everybody has to sign in again
npm run db -- reset --yes    deletes the embedded database in DATA_DIR with everything in it, and makes it again`

const NEW_MIGRATION = `-- Why this change. Applied files are never edited again: write another one.

-- A new table needs: alter table x enable row level security; alter table x force row level security;
-- create policy all_rows on x using ((select app.scope()) = 'all'); and one policy for each scope that may see rows.
`

/** Errors whose message is shown to the person without a stack. */
const EXPECTED = [MigrationError, AlreadyRunning, ConfigError, FolderError, StagingError]

const [command, ...rest] = process.argv.slice(2)

try {
  await run()
} catch (error) {
  const isExpected = EXPECTED.some(kind => error instanceof kind)
  console.error(isExpected && error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run(): Promise<void> {
  if (command === 'new' && rest[0] !== undefined) return makeMigration(rest[0])
  if (command === 'migrate') return migrateConfigured()
  if (command === 'dump') return dump()
  if (command === 'import-banks') return importBanks()
  if (command === 'reset') return reset()
  if (command === 'renew-issuer-keys') return renewIssuerKeys()
  if (command === 'import-holidays' && rest[0] !== undefined) return takeHolidays(rest[0])
  if (command === 'import-staging') return importStagingDocument(rest[0])
  console.error(USAGE)
  process.exitCode = command === undefined ? 0 : 2
}

function makeMigration(name: string): void {
  if (!/^[a-z0-9_]+$/.test(name)) throw new MigrationError(`${name}: only small letters, digits and _ in a name`)
  const last = readMigrations(MIGRATIONS_FOLDER).at(-1)?.name ?? '0000'
  const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
  const file = path.join(MIGRATIONS_FOLDER, `${number}_${name}.sql`)
  fs.writeFileSync(file, NEW_MIGRATION, { flag: 'wx' })
  console.log(path.relative(process.cwd(), file))
}

async function migrateConfigured(): Promise<void> {
  const { dataDir, databaseUrl } = readConfig(process.env)
  const ownerUrl = databaseUrl ?? urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, OWNER_ROLE)
  if (ownerUrl !== undefined) {
    if (databaseUrl !== undefined && (await findPooling(databaseUrl)) !== 'session')
      throw new MigrationError(MIGRATES_THROUGH_POOLER)
    const applied = await migrate({ ownerUrl, onWarning: message => console.warn(message) })
    console.log(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'nothing to do')
    return
  }
  await (await openEmbedded()).close()
  console.log(`the embedded database in ${dataDir} is up to date`)
}

async function importBanks(): Promise<void> {
  await withDatabase(async database => {
    const master = await packagedBankMaster()
    const done = await database.inScope(SYSTEM, tx => importBankMaster(tx, master), { statementTimeoutMs: 60_000 })
    console.log(
      `zengin-code ${master.version}: ${done.banks} banks, ${done.branches} branches, ${done.gone} no longer there`,
    )
  })
}

async function dump(): Promise<void> {
  const written = await writeGeneratedSchema()
  console.log(written.length > 0 ? `written: ${written.join(', ')}` : 'everything is current')
}

async function takeHolidays(file: string): Promise<void> {
  const content = fs.readFileSync(file)
  await withDatabase(async database => {
    const name = path.basename(file)
    const read = await database.inScope(SYSTEM, tx => importHolidays(tx, { name, content }, systemActor('db')))
    if (!read.ok) throw new MigrationError(read.refusals.map(refusalMessageJa).join('\n'))
    const { firstYear, lastYear, holidays } = read.value
    console.log(`${firstYear}年から${lastYear}年までの祝日 ${holidays.size} 日を取り込みました。`)
  })
}

/** After the keys were lost or may have leaked. Running processes notice the change within a minute. */
async function renewIssuerKeys(): Promise<void> {
  if (!rest.includes('--yes'))
    throw new MigrationError(
      'サインインの署名鍵を作り直すと、全員がサインインし直すことになります。実行するには：npm run db -- renew-issuer-keys --yes',
    )
  await withDatabase(database => database.inScope(SYSTEM, forgetIssuerKeys))
  console.log(
    'サインインの署名鍵を消しました。新しい鍵は次のサインインのときに作られます。全員がサインインし直します。',
  )
}

/** Opens both embedded stores, so that a data folder of an earlier version is migrated completely or not at all. */
function openEmbedded(): Promise<Stores> {
  const config = readConfig({ ...process.env, DATABASE_URL: undefined })
  return openStores({ config, log: openLog('warn'), onProgress: message => console.log(message) })
}

/** Runs work with the running database, or with the embedded one, which is started for it. */
async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = readConfig(process.env)
  const url = databaseUrl ?? urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, LOGIN_ROLE)
  const opened = url === undefined ? await openEmbedded() : undefined
  const database = opened?.database ?? openDatabase({ url: url ?? '', maxConnections: 1 })
  try {
    await work(database)
  } finally {
    await (opened ?? database).close()
  }
}

async function reset(): Promise<void> {
  const { dataDir, databaseUrl } = readConfig(process.env)
  if (databaseUrl !== undefined) throw new MigrationError('reset is for the embedded database; DATABASE_URL is set')
  const folder = postgresFolder(dataDir)
  if (urlOfRunningPostgres(folder, DATABASE_NAME, OWNER_ROLE)) {
    throw new MigrationError(`the database in ${folder} is running: stop the system first`)
  }
  if (!rest.includes('--yes')) {
    throw new MigrationError(`this deletes everything in ${folder}. To do so: npm run db -- reset --yes`)
  }
  fs.rmSync(folder, { recursive: true, force: true })
  const postgres = await openPostgres({ dataDir, databaseUrl: undefined })
  await postgres.close()
  console.log(`made again: ${folder}`)
}

async function importStagingDocument(file: string | undefined): Promise<void> {
  const { stagingInsightApi: url, stagingInsightToken: token } = readConfig(process.env)
  if (file === undefined && (url === undefined || token === undefined))
    throw new StagingError('ファイルを指定するか、STAGING_INSIGHT_API と STAGING_INSIGHT_TOKEN を設定してください。')
  const value = file === undefined ? await fetchStaging({ url: url ?? '', token: token ?? '' }) : readJson(file)
  const read = readStagingDocument(value)
  if ('problems' in read) throw new StagingError(`nothing was imported:\n  ${read.problems.join('\n  ')}`)
  const source = file === undefined ? (url ?? '') : path.basename(file)
  await withDatabase(async database => {
    const counts = await database.inScope(SYSTEM, tx => importStaging(tx, read.document, source), {
      statementTimeoutMs: 60_000,
    })
    console.log(`imported from ${source}: ${counts.publishers} publishers, ${counts.feeds} feeds`)
  })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StagingError(`${file}: ${(error as Error).message}`)
  }
}
