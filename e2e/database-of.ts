import { type Database, openDatabase } from '@pc/platform/postgres/database.ts'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { LOGIN_ROLE } from '@pc/platform/postgres/roles.ts'
import type { SystemAddress } from './running-system.ts'

/** The database of the running system, for what no screen can do: passing days, deliveries of other systems. */
export function databaseOf(system: Pick<SystemAddress, 'dataDir'>): Database {
  const url = urlOfRunningPostgres(postgresFolder(system.dataDir), DATABASE_NAME, LOGIN_ROLE)
  if (url === undefined) throw new Error('the system’s database does not run')
  return openDatabase({ url, maxConnections: 1 })
}
