import fs from 'node:fs'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

const TICKS_PER_SECOND = 100

/** Processor time so far, in seconds, of this process and of the database's current backends. */
export async function processorSeconds(
  database: Database,
): Promise<{ readonly node: number; readonly postgres: number | undefined }> {
  const { user, system } = process.cpuUsage()
  const node = (user + system) / 1e6
  const backends = await database.readSingleStatement(
    SYSTEM,
    sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database() and usename = 'pc_login'`,
  )
  if (process.platform !== 'linux') return { node, postgres: undefined }
  const ticks = backends.map(({ pid }) => {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return { node, postgres: ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND }
}
