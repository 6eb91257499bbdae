import { systemClock } from '@pc/platform/clock.ts'
import { openStores, type StoreOptions } from './open-stores.ts'
import type { Dependencies, Wiring } from './wire-dependencies.ts'

/**
 * Opens the stores and imports the other code meanwhile, because starting the embedded PostgreSQL takes most of the
 * start.
 */
export async function openDependencies({
  config,
  log,
  ownsDeliveries,
  onProgress,
}: Pick<Wiring, 'config' | 'log' | 'ownsDeliveries'> & Pick<StoreOptions, 'onProgress'>): Promise<Dependencies> {
  const opening = openStores({ config, log, onProgress })
  // Awaited below; without this, a failing store would be an unhandled rejection while the code still loads.
  opening.catch(() => {})
  const { wireDependencies } = await import('./wire-dependencies.ts')
  const stores = await opening
  try {
    return await wireDependencies({ config, log, clock: systemClock, stores, ownsDeliveries })
  } catch (error) {
    await stores.close()
    throw error
  }
}
