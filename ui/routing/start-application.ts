import type { StartupQueries } from '../prefetch/startup-queries.ts'
import { loadRuntimeConfig, type RuntimeConfig } from '../runtime-config.ts'
import type { SessionPaths } from '../session/identity-provider.ts'
import { openSession, type Session, type SignedInUser } from '../session/session.ts'
import type { Viewer } from '../session/viewer.tsx'

export interface LoadedApplication {
  /** @param viewer whom the answers to the startup queries describe; undefined: they have to be sent again */
  renderApplication(
    user: SignedInUser,
    config: RuntimeConfig,
    session: Session,
    viewer: Promise<Viewer | undefined>,
  ): Promise<void> | void
}

/**
 * Nothing is rendered before the session state is known.
 * @param application being loaded already: the session is looked up meanwhile
 * @param startupQueries what the application will ask in any case, in a smaller file than itself
 */
export function startApplication(
  paths: SessionPaths,
  application: Promise<LoadedApplication>,
  startupQueries?: Promise<StartupQueries>,
): void {
  // Its failure is reported where it is awaited; before that it must not count as unhandled.
  application.catch(() => {})
  startupQueries?.catch(() => {})
  start(paths, application, startupQueries).catch((error: unknown) => {
    console.error(error)
    const root = document.getElementById('root')!
    root.setAttribute('role', 'alert')
    root.textContent = '画面を開始できませんでした。時間をおいて、もう一度読み込んでください。'
  })
}

async function start(
  paths: SessionPaths,
  application: Promise<LoadedApplication>,
  startupQueries: Promise<StartupQueries> | undefined,
): Promise<void> {
  removeOldServiceWorkers()
  const config = await loadRuntimeConfig()
  const session = openSession(config, paths)
  const user = await session.start()
  if (user === undefined) return session.leaveToSignIn()
  sayLoading()
  // What fails here is asked again by the application, and said there.
  const viewer = Promise.resolve(startupQueries).then(first => first?.sendStartupQueries(user, config, session))
  await (await application).renderApplication(
    user,
    config,
    session,
    viewer.catch(() => undefined),
  )
}

/** As `LoadingScreen` draws it, before the code that draws is there. */
function sayLoading(): void {
  const text = document.createElement('div')
  Object.assign(text, { className: 'loading-screen', role: 'status', textContent: '読み込み中' })
  const screen = document.createElement('main')
  screen.append(text)
  document.getElementById('root')!.replaceChildren(screen)
}

function removeOldServiceWorkers(): void {
  void navigator.serviceWorker
    ?.getRegistrations()
    .then(found => Promise.all(found.map(registration => registration.unregister())))
    .catch(() => {})
}
