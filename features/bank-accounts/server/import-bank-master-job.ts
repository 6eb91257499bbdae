import { defineJob, handleJob, type JobHandler } from '@pc/platform/jobs/job-kind.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { bankMasterVersion, hasBankMaster, importBankMaster, packagedBankMaster } from './import-bank-master.ts'

const IMPORT_BANKS_JOB = defineJob('import-bank-master', { onePerKey: true, timeoutSeconds: 600 })
const STATEMENT_TIMEOUT_MS = 60_000

/** At a start: a system that does not have this version's banks yet gets them in the background. */
export async function enqueueNewBankMaster(database: Database, jobs: Jobs): Promise<void> {
  const version = bankMasterVersion()
  await database.inScope(SYSTEM, async tx => {
    if (await hasBankMaster(tx, version)) return
    await jobs.enqueue(tx, IMPORT_BANKS_JOB, { version }, { singletonKey: version })
  })
}

export function importBankMasterHandler(database: Database): JobHandler {
  return handleJob(IMPORT_BANKS_JOB, async () => {
    const master = await packagedBankMaster()
    await database.inScope(
      SYSTEM,
      async tx => {
        if (!(await hasBankMaster(tx, master.version))) await importBankMaster(tx, master)
      },
      { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    )
  })
}
