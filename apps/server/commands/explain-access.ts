import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { explainForOperator } from '@pc/features/access/server/explain-user-access.ts'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, openPostgres, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { LOGIN_ROLE } from '@pc/platform/postgres/roles.ts'

/**
 * `npm run explain-access -- <user> <action> <resource> [row]`: explains a permission in one Japanese sentence. Exit
 * status 0: allowed, 3: not allowed, 1: cannot be answered, 2: wrong usage.
 */
const USAGE = `npm run explain-access -- <e-mail of a user> <action> <resource> [id of a row]
  for example: npm run explain-access -- taro@example.jp read:show insight:agreement. 12`

const [email, action, resource, rowId] = process.argv.slice(2)
try {
  if (!email || !action || !resource) {
    console.error(USAGE)
    process.exitCode = 2
  } else await explain(email, { action, resource, rowId })
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function explain(user: string, request: { action: string; resource: string; rowId: string | undefined }) {
  const { dataDir, databaseUrl } = readConfig(process.env)
  const url = databaseUrl ?? urlOfRunningPostgres(postgresFolder(dataDir), DATABASE_NAME, LOGIN_ROLE)
  const opened = url === undefined ? await openPostgres({ dataDir, databaseUrl: undefined }) : undefined
  const database = opened?.database ?? openDatabase({ url: url ?? '', maxConnections: 1 })
  try {
    const explained = await explainForOperator(database, user, request)
    if (explained.ok) {
      console.log(explained.value.sentence)
      if (!explained.value.isAllowed) process.exitCode = 3
    } else {
      for (const refusal of explained.refusals) console.error(refusalMessageJa(refusal))
      process.exitCode = 1
    }
  } finally {
    await (opened ?? database).close()
  }
}
