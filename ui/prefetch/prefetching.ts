import type { LoadedApplication, StartApplication } from '../routing/start-application.ts'
import type { StartupPrefetch } from './startup-prefetch.ts'

/** Sends the application's first queries as soon as the person is known, while its code is still loading. */
export function prefetching(
  application: Promise<LoadedApplication>,
  startup: Promise<{ readonly startupQueries: StartupPrefetch }>,
): StartApplication {
  // Failures are reported where they are awaited; until then they must not count as unhandled.
  application.catch(() => {})
  startup.catch(() => {})
  return async (user, config, session) => {
    // Without its code, the application sends all queries itself.
    const queries = await startup.then(({ startupQueries }) => startupQueries).catch(() => undefined)
    queries?.send(user, config, session)
    const { openClients, renderApplication } = await application
    const clients = openClients(config, session, queries?.fetch)
    // Rendering before the data would render twice, which takes a slow device half a second.
    await queries?.take(clients)
    await renderApplication(user, { config, session, clients })
  }
}
