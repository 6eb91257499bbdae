import { defineJob, handleJob } from '@pc/platform/jobs/job-kind.ts'
import { openJobs } from '@pc/platform/jobs/open-jobs.ts'
import { openLog } from '@pc/platform/log.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { argumentsOfWork } from './warm-process.ts'

/** A worker with a scheduled job that records each minute, until it is killed. Argument: database URL. */
const [url = ''] = await argumentsOfWork()
const database = openDatabase({ url, maxConnections: 2 })
const beat = handleJob(defineJob('beat', { cron: '* * * * *' }), async () => {
  await database.inScope(SYSTEM, tx => sql`insert into beats (pid) values (${process.pid})`.execute(tx))
})
await openJobs({ url, log: openLog('silent') }).work([beat])
process.stdout.write('ready\n')
