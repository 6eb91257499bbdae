import type { LoadedApplication } from '../routing/start-application.ts'
import type { StartupPrefetch } from './startup-prefetch.ts'

/** The application, whose first queries are sent as soon as the person is known, while its code is still being loaded. */
export async function prefetching(
  application: Promise<LoadedApplication>,
  startup: Promise<StartupPrefetch>,
): Promise<LoadedApplication> {
  // Their failures are reported where they are awaited; before that they must not count as unhandled.
  application.catch(() => {})
  startup.catch(() => {})
  return {
    async renderApplication(...given) {
      // The application takes what has been sent by then: where nothing was, it sends its queries itself.
      await startup.then(({ send }) => send(...given)).catch(() => {})
      await (await application).renderApplication(...given)
    },
  }
}
