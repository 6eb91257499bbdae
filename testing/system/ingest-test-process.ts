import fs from 'node:fs'
import path from 'node:path'
import { readConfig } from '@pc/platform/config.ts'
import { openLog } from '@pc/platform/log.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import pg from 'pg'
import { startServer } from '../../apps/server/start-server.ts'
import { argumentsOfWork } from '../faults/warm-process.ts'

/**
 * The system as `npm start` runs it, for tests that kill it while it receives deliveries. Arguments: its settings as
 * JSON, who signs in, and the number of the statement to PostgreSQL after its start at which it kills itself (0: none).
 * It prints one JSON object per line: `left` with the figures that the process before left behind, then `ready` with
 * its figures, port and token.
 */
// Modules that the application loads late, so that a warm process has them.
await Promise.all([import('../../apps/server/graphs.ts'), import('@pc/features/sign-in/server/identity.ts')])
const [settings = '{}', email = '', killAt = '0'] = await argumentsOfWork()
const config = readConfig(JSON.parse(settings) as Record<string, string>)
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

say({ left: await figuresOfCopy() })
const { dependencies, listeners } = await startServer({ config, services: ['web'], log: openLog('silent') })
const { body } = await dependencies.identity.mintToken(email)
const ready = {
  port: listeners[0]?.port,
  token: 'token' in body ? body.token : '',
  figures: await figures(dependencies.stats),
}

/** Ends when its parent, which would have killed it, has ended. */
setTimeout(() => process.exit(), 300_000)

let statements = 0
const { query } = pg.Client.prototype
/** The last statement may or may not reach the server. */
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  statements += 1
  const answer: unknown = Reflect.apply(query, this, given)
  if (statements === Number(killAt)) process.kill(process.pid, 'SIGKILL')
  return answer
} as typeof query
say({ ready })

/** Reads a copy: opening the store itself would already repair what the start has to. */
async function figuresOfCopy(): Promise<Record<string, string>> {
  const folder = path.join(config.dataDir, 'stats')
  const copy = fs.mkdtempSync(path.join(config.dataDir, 'copy-'))
  try {
    for (const name of fs.readdirSync(folder)) {
      if (/^stats\.duckdb(\.wal)?$/.test(name)) fs.copyFileSync(path.join(folder, name), path.join(copy, name))
    }
    const stats = await openDuckDb({ file: path.join(copy, 'stats.duckdb'), memoryLimit: '256MB', threads: 1 })
    try {
      return await figures(stats)
    } finally {
      await stats.close()
    }
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

/** The three places that store impressions must agree: article, publisher and month. */
async function figures(stats: StatsStore): Promise<Record<string, string>> {
  const rows = await stats.query(
    sql`select article_id, ${sumInt(sql`impression`)} as shown from ${table('article_day')} group by article_id order by article_id`,
  )
  const ofPublisher = await stats.query(
    sql`select coalesce(${sumInt(sql`article_impression`)}, 0) as shown from ${table('publisher_day')}`,
  )
  const ofMonth = await stats.query(
    sql`select coalesce(${sumInt(sql`impression`)}, 0) as shown from ${table('article_month')}`,
  )
  const articles = Object.fromEntries(rows.map(row => [String(row.article_id), String(row.shown)]))
  return { ...articles, publisher: String(ofPublisher[0]?.shown), month: String(ofMonth[0]?.shown) }
}
