import type { TestProject } from 'vitest/node'
import { confirmWarnings } from './confirm-warnings.ts'
import { type SystemAddress, startSystem } from './running-system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The running system that all test files of the e2e project share. */
    system: SystemAddress
  }
}

/** Starts one system with demonstration data for the whole run: `inject('system')` says where it is. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop: _stop, remove, ...address } = await startSystem()
  try {
    await confirmWarnings(address)
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('system', address)
  return remove
}
