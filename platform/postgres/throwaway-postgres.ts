import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { launchPostgres } from './launch-postgres.ts'
import { migrate } from './migrate.ts'
import { identityOf, isAlive, type ProcessIdentity, thisProcess } from './process-identity.ts'
import { ensureClusterRoles, ensureDatabase, OWNER_ROLE } from './roles.ts'

export interface ThrowawayPostgres {
  url(database: string, user: string): string
  /** Stops the server and removes its folder. The end of the process does the same. */
  stop(): Promise<void>
}

const PREFIX = 'pc-throwaway-postgres-'
const OWNER_FILE = 'run.json'

/** A server without durability in a temporary folder of its own: for tests and for generating files. */
export async function launchThrowaway(): Promise<ThrowawayPostgres> {
  removeLeftovers()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX))
  fs.writeFileSync(path.join(folder, OWNER_FILE), JSON.stringify(thisProcess()))
  const server = await launchPostgres({ folder, durability: 'throwaway' })
  const endAtOnce = () => {
    killAndWait(server.pid)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', endAtOnce)
  await ensureClusterRoles(server.url('postgres', 'postgres'))
  return {
    url: (database, user) => server.url(database, user),
    async stop() {
      process.off('exit', endAtOnce)
      await server.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a database of a throwaway server and migrates it. Returns the URL of its owner. */
export async function makeMigratedDatabase(server: ThrowawayPostgres, name: string): Promise<string> {
  await ensureDatabase(server.url('postgres', 'postgres'), name)
  const ownerUrl = server.url(name, OWNER_ROLE)
  await migrate({ ownerUrl })
  return ownerUrl
}

/** For the end of the process, when nothing asynchronous runs any more. */
function killAndWait(pid: number): void {
  const identity = identityOf(pid)
  if (!identity) return
  process.kill(pid, 'SIGQUIT')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waits = 0; waits < 200 && isAlive(identity); waits += 1) Atomics.wait(pause, 0, 0, 10)
}

/** Folders of processes that were killed. Their servers ended with them. */
function removeLeftovers(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const folder = path.join(os.tmpdir(), name)
    try {
      if (isAbandoned(folder)) fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // Being removed by another process, or of another user.
    }
  }
}

function isAbandoned(folder: string): boolean {
  const ownerFile = path.join(folder, OWNER_FILE)
  // Without the file it is just being made, or its removal was interrupted.
  if (!fs.existsSync(ownerFile)) return fs.statSync(folder).mtimeMs < Date.now() - 600_000
  return !isAlive(JSON.parse(fs.readFileSync(ownerFile, 'utf8')) as ProcessIdentity)
}
