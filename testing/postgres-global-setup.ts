import path from 'node:path'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'
import { CLUSTER_SOCKET_VARIABLE, serveTestCluster } from './postgres-cluster.ts'

/**
 * Global setup of Vitest: one test cluster per run, owned by the main process and started when the first test file
 * requests a database. A run that needs none starts nothing. The projects of a run share the cluster.
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
