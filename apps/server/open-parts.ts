import { systemClock } from '@pc/platform/clock.ts'
import type { Parts, Wiring } from './compose.ts'
import { openStores, type StoreOptions } from './open-stores.ts'

/** Opens the stores and loads the code meanwhile: the embedded PostgreSQL is another process, and needs most of the start. */
export async function openParts({
  config,
  log,
  ownsDeliveries,
  onProgress,
}: Pick<Wiring, 'config' | 'log' | 'ownsDeliveries'> & Pick<StoreOptions, 'onProgress'>): Promise<Parts> {
  const opening = openStores({ config, log, onProgress })
  // Awaited below; without this, a failing store would be an unhandled rejection while the code still loads.
  opening.catch(() => {})
  const { wireParts } = await import('./compose.ts')
  const stores = await opening
  try {
    return await wireParts({ config, log, clock: systemClock, stores, ownsDeliveries })
  } catch (error) {
    await stores.close()
    throw error
  }
}
