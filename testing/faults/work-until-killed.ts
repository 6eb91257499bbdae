import { openJobs } from '@pc/platform/jobs/open-jobs.ts'
import { openLog } from '@pc/platform/log.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { countedJob } from './counted-job.ts'
import { argumentsOfWork } from './warm-process.ts'

/** A worker that runs jobs until it is killed. Argument: database URL. Prints `ready` when it accepts jobs. */
const [url = ''] = await argumentsOfWork()
const jobs = openJobs({ url, log: openLog('silent') })
await jobs.work([countedJob(openDatabase({ url, maxConnections: 4 }))])
process.stdout.write('ready\n')
