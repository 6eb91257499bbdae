import type { LoadedApplication } from '../routing/start-application.ts'
import type { StartupPrefetch } from './startup-prefetch.ts'

/** Sends the application's first queries as soon as the person is known, while its code is still loading. */
export async function prefetching(
  application: Promise<LoadedApplication>,
  startup: Promise<StartupPrefetch>,
): Promise<LoadedApplication> {
  // Failures are reported where they are awaited; until then they must not count as unhandled.
  application.catch(() => {})
  startup.catch(() => {})
  return {
    async renderApplication(...given) {
      // The application takes what has been sent by then, and sends other queries itself.
      await startup.then(({ send }) => send(...given)).catch(() => {})
      await (await application).renderApplication(...given)
    },
  }
}
