import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { launchPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { migrate } from '@pc/platform/postgres/migrate.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '@pc/platform/postgres/process-identity.ts'
import { ensureClusterRoles, ensureDatabase, OWNER_ROLE, withClient } from '@pc/platform/postgres/roles.ts'

/** The migrated database that every test database is a clone of. */
export const TEMPLATE_DATABASE = 'template_migrated'

export interface TestCluster {
  url(database: string, user: string): string
}

export interface OwnedTestCluster extends TestCluster {
  stop(): Promise<void>
}

/** Where the process that owns the cluster of this test run answers; set by the global setup, inherited by workers. */
export const CLUSTER_SOCKET_VARIABLE = 'PC_TEST_POSTGRES_SOCKET'

let shared: Promise<TestCluster> | undefined

/**
 * The test cluster of this run. Its owner starts it when the first worker asks. Without an owner (a script, another
 * test runner) this process starts one for itself, which ends with it.
 */
export function sharedTestCluster(): Promise<TestCluster> {
  const socket = process.env[CLUSTER_SOCKET_VARIABLE]
  shared ??= socket ? askOwner(socket) : startTestCluster()
  return shared
}

/** Starts a cluster in a temporary folder of its own, without durability, with the migrated template. */
export async function startTestCluster(): Promise<OwnedTestCluster> {
  removeLeftovers()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX))
  fs.writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(thisProcess()))
  const server = await launchPostgres({ folder, durability: 'throwaway' })
  const endAtOnce = () => {
    process.kill(server.pid, 'SIGQUIT')
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', endAtOnce)
  const adminUrl = server.url('postgres', 'postgres')
  await ensureClusterRoles(adminUrl)
  await ensureDatabase(adminUrl, TEMPLATE_DATABASE)
  await migrate({ ownerUrl: server.url(TEMPLATE_DATABASE, OWNER_ROLE) })
  // Nobody may connect from now on: a template in use cannot be cloned.
  await withClient(adminUrl, client => client.query(`alter database ${TEMPLATE_DATABASE} allow_connections false`))
  return {
    url: (database, user) => server.url(database, user),
    async stop() {
      process.off('exit', endAtOnce)
      await server.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

const PREFIX = 'pc-test-postgres-'
const OWNER_FILE = 'run.json'
const PLACEHOLDER = { database: '__database__', user: '__user__' }

/** Answers workers on a Unix socket with the address of the cluster; starts it at the first question. */
export async function serveTestCluster(socketFile: string): Promise<{ close(): Promise<void> }> {
  let cluster: Promise<OwnedTestCluster> | undefined
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

/** Folders of runs that were killed. Their servers ended with them. */
function removeLeftovers(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const folder = path.join(os.tmpdir(), name)
    try {
      const owner = JSON.parse(fs.readFileSync(path.join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity
      if (!isAlive(owner)) fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // Just being made, being removed by another run, or of another user.
    }
  }
}
