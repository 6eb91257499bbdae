import { identityOf, isAlive } from '../process-identity.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { launchPostgres } from './launch-postgres.ts'
import { migrate } from './migrate.ts'
import { ensureClusterRoles, ensureDatabase, OWNER_ROLE } from './roles.ts'

export interface ThrowawayPostgres {
  url(database: string, user: string): string
  /** Stops the server and deletes its folder. The exit of the process does the same. */
  stop(): Promise<void>
}

/** A server without durability in a temporary folder, for tests and code generation. */
export async function launchThrowaway(): Promise<ThrowawayPostgres> {
  let pid = 0
  const folder = makeTemporaryFolder(() => killAndWait(pid))
  const server = await launchPostgres({ folder: folder.path, durability: 'throwaway' })
  pid = server.pid
  await ensureClusterRoles(server.url('postgres', 'postgres'))
  return {
    url: (database, user) => server.url(database, user),
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}

/** Creates and migrates a database on a throwaway server. Returns the URL of its owner. */
export async function makeMigratedDatabase(server: ThrowawayPostgres, name: string): Promise<string> {
  await ensureDatabase(server.url('postgres', 'postgres'), name)
  const ownerUrl = server.url(name, OWNER_ROLE)
  await migrate({ ownerUrl })
  return ownerUrl
}

/** For the exit handler of the process, where asynchronous work is impossible. */
function killAndWait(pid: number): void {
  const identity = pid > 0 ? identityOf(pid) : undefined
  if (!identity) return
  process.kill(pid, 'SIGQUIT')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waits = 0; waits < 200 && isAlive(identity); waits += 1) Atomics.wait(pause, 0, 0, 10)
}
