import { constants, cpSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { confirmWarnings } from './confirm-warnings.ts'
import { type RunningSystem, type SystemAddress, startSystem } from './running-system.ts'

/**
 * Owns the systems of a test run. It starts making the demonstration data at once, a single time, and starts a system
 * on a copy for each worker that asks on the socket.
 * @param folder for the data
 */
export async function serveSystems(socketFile: string, folder: string): Promise<{ close(): Promise<void> }> {
  const template = makeTemplate(path.join(folder, 'template'))
  template.catch(() => {}) // reported to the first caller
  const systems = new Map<string, Promise<RunningSystem>>()
  const systemOf = (worker: string): Promise<RunningSystem> => {
    const system =
      systems.get(worker) ?? template.then(made => startOnCopy(made, path.join(folder, `system-${worker}`)))
    systems.set(worker, system)
    return system
  }
  const server = net.createServer({ allowHalfOpen: true }, async connection => {
    connection.on('error', () => {})
    try {
      const { stop: _stop, ...address } = await systemOf(await text(connection))
      connection.end(JSON.stringify(address satisfies SystemAddress))
    } catch (error) {
      connection.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketFile, resolve)
  })
  return {
    async close() {
      server.close()
      await template.catch(() => {})
      const started = await Promise.allSettled(systems.values())
      await Promise.all(started.map(system => (system.status === 'fulfilled' ? system.value.stop() : undefined)))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a system once to make its data, and stops it, so that the folder can be copied. */
async function makeTemplate(folder: string): Promise<string> {
  const system = await startSystem(folder)
  try {
    await confirmWarnings(system)
  } finally {
    await system.stop()
  }
  return folder
}

function startOnCopy(template: string, folder: string): Promise<RunningSystem> {
  // PostgreSQL requires folders that other users cannot read; a copy would not be one.
  const before = process.umask(0o077)
  // Copy-on-write where the file system supports it.
  cpSync(template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
  process.umask(before)
  return startSystem(folder)
}
