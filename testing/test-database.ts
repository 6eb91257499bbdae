import { randomBytes } from 'node:crypto'
import { type Database, openDatabase } from '@pc/platform/postgres/database.ts'
import { LOGIN_ROLE, OWNER_ROLE, restrictDatabase, withClient } from '@pc/platform/postgres/roles.ts'
import { startPooler } from './pooler.ts'
import { sharedTestCluster, TEMPLATE_DATABASE } from './postgres-cluster.ts'

export interface TestDatabase {
  readonly database: Database
  /** URL of the running system's login, which can only take the role `pc_app`. */
  readonly url: string
  /** URL of the schema's owner, to whom row-level security applies too. */
  readonly ownerUrl: string
  /** URL of a superuser, who sees all rows. */
  readonly adminUrl: string
  drop(): Promise<void>
}

/**
 * An empty migrated database, cloned from a template in about 50 ms. Call it once per test file and drop it at the end.
 * With `TEST_POOLER=pgbouncer`, `url` goes through a pooler in transaction mode.
 */
export async function testDatabase(options: { maxConnections?: number } = {}): Promise<TestDatabase> {
  const cluster = await sharedTestCluster()
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  const maintenanceUrl = cluster.url('postgres', 'postgres')
  await withClient(maintenanceUrl, async client => {
    await client.query(`create database ${name} template ${TEMPLATE_DATABASE} owner ${OWNER_ROLE} strategy file_copy`)
    await restrictDatabase(client, name)
  })
  const direct = cluster.url(name, LOGIN_ROLE)
  const pooler = process.env.TEST_POOLER ? await startPooler(direct, process.env.TEST_POOLER, 8) : undefined
  const url = pooler?.through(direct) ?? direct
  const keepsStatements = pooler?.keepsStatements ?? true
  const database = openDatabase({ url, maxConnections: options.maxConnections ?? 5, keepsStatements })
  return {
    database,
    url,
    ownerUrl: cluster.url(name, OWNER_ROLE),
    adminUrl: cluster.url(name, 'postgres'),
    async drop() {
      await database.close()
      pooler?.stop()
      await withClient(maintenanceUrl, client => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}
