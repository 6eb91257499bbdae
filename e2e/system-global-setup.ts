import path from 'node:path'
import { makeTemporaryFolder } from '@pc/platform/temporary-folder.ts'
import type { TestProject } from 'vitest/node'
import { buildWhenStale } from '../tools/front-end-build.ts'
import { serveSystems } from './systems-owner.ts'

/** Builds the applications and starts the owner of the systems that test files request with `ownSystem()`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildWhenStale()
  const folder = makeTemporaryFolder()
  const socketFile = path.join(folder.path, 'systems.sock')
  const owner = await serveSystems(socketFile, path.join(folder.path, 'systems'))
  project.provide('systemsSocket', socketFile)
  return async () => {
    await owner.close()
    folder.remove()
  }
}
