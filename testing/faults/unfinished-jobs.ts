import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** How many jobs of these kinds wait, run, or are to be tried again: the states that pg-boss's enum has before `completed`. */
export async function unfinishedJobs(database: Database, kinds: readonly { readonly name: string }[]): Promise<number> {
  const names = kinds.map(({ name }) => name)
  const { rows } = await database.inScope(SYSTEM, tx =>
    sql<{ count: number }>`select count(*)::int as count from pgboss.job
      where name = any(${names}) and state < 'completed'`.execute(tx),
  )
  return rows[0]!.count
}
