import { openAnchors } from '@pc/platform/audit/anchor-store.ts'
import { describeVerdict } from '@pc/platform/audit/describe-verdict.ts'
import { verifyAuditChain } from '@pc/platform/audit/verify-audit-chain.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, openPostgres, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { LOGIN_ROLE } from '@pc/platform/postgres/roles.ts'

// What it verifies is tested by `platform/audit/audit-log.test.ts`, what it refuses by `apps/server/commands/refused-usage.test.ts`.
const USAGE = `npm run audit -- verify      recomputes the audit log's chain and compares it with its anchors (DATA_DIR/audit, or the bucket)`

try {
  if (process.argv[2] === 'verify') await verify()
  else {
    console.error(USAGE)
    process.exitCode = process.argv[2] === undefined ? 0 : 2
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function verify(): Promise<void> {
  const config = readConfig(process.env)
  const { dataDir, databaseUrl } = config
  const anchors = openAnchors(config)
  // The running PostgreSQL, be it the embedded one; where none runs, the embedded one is started for this.
  const url = databaseUrl ?? urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, LOGIN_ROLE)
  const opened = url === undefined ? await openPostgres({ dataDir, databaseUrl: undefined }) : undefined
  const database = opened?.database ?? openDatabase({ url: url ?? '', maxConnections: 1 })
  try {
    const { text, exitCode } = describeVerdict(await verifyAuditChain(database, anchors), anchors.place)
    if (exitCode === 0) console.log(text)
    else console.error(text)
    process.exitCode = exitCode
  } finally {
    await (opened ?? database).close()
  }
}
