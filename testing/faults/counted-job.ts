import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** A job that takes a moment. It adds a row to `begun` at each start, and one to `done` however often it runs. */
export const COUNTED = defineJob<{ n: number; ms: number }>('counted', {
  retryLimit: 20,
  retryDelaySeconds: 1,
  concurrency: 3,
})
export const COUNTED_TABLES = `create table begun (n int not null, at timestamptz not null default clock_timestamp());
  create table done (n int primary key); grant select, insert on begun, done to pc_app`

/** Handles {@link COUNTED} with the tables of {@link COUNTED_TABLES}. */
export function countedJob(database: Database): JobHandler {
  return handleJob(COUNTED, async ({ n, ms }) => {
    await database.inScope(SYSTEM, tx => sql`insert into begun (n) values (${n})`.execute(tx))
    await new Promise(resolve => setTimeout(resolve, ms))
    await database.inScope(SYSTEM, tx => sql`insert into done values (${n}) on conflict do nothing`.execute(tx))
  })
}
