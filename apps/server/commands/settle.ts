import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { chainViolations } from '@pc/domain/payment/books-invariants.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { previewReport } from '@pc/features/payments/month-close/server/preview-report.ts'
import { systemClock } from '@pc/platform/clock.ts'
import { type Config, ConfigError, readConfig } from '@pc/platform/config.ts'
import { type Database, openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, openPostgres, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { LOGIN_ROLE } from '@pc/platform/postgres/roles.ts'
import { openStats } from '@pc/platform/stats/open-stats.ts'

const USAGE = `npm run settle -- 2026-07 --preview   what the month would come to now, compared with what is stored; changes nothing
npm run settle -- verify              recomputes the hash chain of all finalised months from their rows`

const [command, option] = process.argv.slice(2)
const month = parseYearMonth(command ?? '')

try {
  if (command === 'verify') await verify(readConfig(process.env))
  else if (month !== undefined && option === '--preview') await preview(readConfig(process.env), month)
  else {
    console.error(USAGE)
    process.exitCode = command === undefined ? 0 : 2
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function verify(config: Config): Promise<void> {
  await withDatabase(config, async database => {
    const { months, problems } = await database.inScope(
      SYSTEM,
      async tx => {
        const media = await tx.selectFrom('monthStates').select('mediumId').distinct().orderBy('mediumId').execute()
        const finalized = await tx
          .selectFrom('monthStates')
          .select(eb => eb.fn.countAll<bigint>().as('count'))
          .where('state', 'in', ['finalized', 'paid'])
          .executeTakeFirstOrThrow()
        const found = []
        for (const { mediumId } of media) found.push(...chainViolations(await verifyMediumChain(tx, mediumId)))
        return { months: finalized.count, problems: found }
      },
      { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 120_000 },
    )
    for (const problem of problems) console.error(`${problem.row}: ${problem.detail}`)
    const state = problems.length === 0 ? '一致しました' : `一致しません（${problems.length}件）`
    console.log(`確定した月 ${months} 件のハッシュチェーンを再計算しました：${state}`)
    if (problems.length > 0) process.exitCode = 1
  })
}

async function withDatabase(config: Config, work: (database: Database, url: string) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = config
  const url = databaseUrl ?? urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, LOGIN_ROLE)
  const opened = url === undefined ? await openPostgres({ dataDir, databaseUrl: undefined }) : undefined
  const database = opened?.database ?? openDatabase({ url: url ?? '', maxConnections: 1 })
  try {
    await work(database, opened?.url ?? url ?? '')
  } finally {
    await (opened ?? database).close()
  }
}

/** The embedded statistics store belongs to one process, so a running server computes the preview. */
async function preview(config: Config, of: YearMonth): Promise<void> {
  const lines = (await askServer(config.dataDir, of)) ?? (await previewHere(config, of))
  for (const line of lines) console.log(line)
}

async function previewHere(config: Config, of: YearMonth): Promise<readonly string[]> {
  let lines: readonly string[] = []
  await withDatabase(config, async (database, url) => {
    const stats = await openStats(config, url, systemClock)
    try {
      lines = await previewReport({ database, stats }, of)
    } finally {
      await stats.close()
    }
  })
  return lines
}

async function askServer(dataDir: string, of: YearMonth): Promise<readonly string[] | undefined> {
  let socketPath: unknown
  try {
    socketPath = JSON.parse(await readFile(path.join(dataDir, 'run', 'server.json'), 'utf8')).controlSocket
  } catch {
    return undefined
  }
  if (typeof socketPath !== 'string') return undefined
  // Connection refused: the server has crashed and left its socket file.
  const text = await post(socketPath, JSON.stringify({ month: of })).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as { readonly lines: readonly string[] }).lines
}

function post(socketPath: string, payload: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
    const outgoing = request({ socketPath, path: '/settle-preview', method: 'POST', headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(text))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}
