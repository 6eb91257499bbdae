import net from 'node:net'
import { text } from 'node:stream/consumers'
import { withClient } from '@pc/platform/postgres/roles.ts'
import {
  launchThrowaway,
  makeMigratedDatabase,
  type ThrowawayPostgres,
} from '@pc/platform/postgres/throwaway-postgres.ts'

/** The migrated database of which every test database is a clone. */
export const TEMPLATE_DATABASE = 'template_migrated'

export interface TestCluster {
  url(database: string, user: string): string
}

/** The socket of the process that owns the cluster of this test run. The global setup sets it; workers inherit it. */
export const CLUSTER_SOCKET_VARIABLE = 'PC_TEST_POSTGRES_SOCKET'
const PLACEHOLDER = { database: '__database__', user: '__user__' }

let shared: Promise<TestCluster> | undefined

/**
 * The test cluster of this run, which its owner starts when the first worker asks. Without an owner (a script, another
 * test runner) this process starts one for itself, which ends with it.
 */
export function sharedTestCluster(): Promise<TestCluster> {
  const socket = process.env[CLUSTER_SOCKET_VARIABLE]
  shared ??= socket ? askOwner(socket) : startTestCluster()
  return shared
}

async function startTestCluster(): Promise<ThrowawayPostgres> {
  const server = await launchThrowaway()
  await makeMigratedDatabase(server, TEMPLATE_DATABASE)
  // Most tests close months with one person.
  await withClient(server.url(TEMPLATE_DATABASE, 'postgres'), client =>
    client.query('update payment_settings set needs_two_persons = false'),
  )
  // Forbids connections: a template in use cannot be cloned.
  await withClient(server.url('postgres', 'postgres'), client =>
    client.query(`alter database ${TEMPLATE_DATABASE} allow_connections false`),
  )
  return server
}

/** Answers workers on a Unix socket with the address of the cluster, which the first request starts. */
export async function serveTestCluster(socketFile: string): Promise<{ close(): Promise<void> }> {
  let cluster: Promise<ThrowawayPostgres> | undefined
  const server = net.createServer({ allowHalfOpen: true }, connection => {
    cluster ??= startTestCluster()
    connection.on('error', () => {})
    cluster.then(
      started => connection.end(JSON.stringify({ url: started.url(PLACEHOLDER.database, PLACEHOLDER.user) })),
      (error: unknown) =>
        connection.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) })),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketFile, resolve)
  })
  return {
    async close() {
      server.close()
      await (await cluster?.catch(() => undefined))?.stop()
    },
  }
}

async function askOwner(socketFile: string): Promise<TestCluster> {
  const answer = JSON.parse(await text(net.connect(socketFile))) as { url: string } | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  return {
    url: (database, user) =>
      answer.url.replace(PLACEHOLDER.database, () => database).replace(PLACEHOLDER.user, () => user),
  }
}
