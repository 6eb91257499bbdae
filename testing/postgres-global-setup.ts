import path from 'node:path'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'
import { CLUSTER_SOCKET_VARIABLE, serveTestCluster } from './postgres-cluster.ts'

/**
 * Global setup of Vitest: one test cluster per run, owned by the main process, started when the first test file asks
 * for a database. Nothing is started for a run that needs none. Projects of one run share it.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[CLUSTER_SOCKET_VARIABLE]) return undefined
  const folder = makeTemporaryFolder()
  const socketFile = path.join(folder.path, 'cluster.sock')
  const owner = await serveTestCluster(socketFile)
  process.env[CLUSTER_SOCKET_VARIABLE] = socketFile
  return async () => {
    delete process.env[CLUSTER_SOCKET_VARIABLE]
    await owner.close()
    folder.remove()
  }
}
