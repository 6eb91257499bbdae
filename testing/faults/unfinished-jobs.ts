import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** Number of jobs of these kinds that wait, run or will be retried: the states before `completed` in pg-boss's enum. */
export async function unfinishedJobs(database: Database, kinds: readonly { readonly name: string }[]): Promise<number> {
  const names = kinds.map(({ name }) => name)
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ count: number }>`select count(*)::int as count from pgboss.job
      where name = any(${names}) and state < 'completed'`.execute(tx),
  )
  return rows[0]!.count
}
