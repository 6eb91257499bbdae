import { loadRuntimeConfig, type RuntimeConfig } from '../runtime-config.ts'
import type { SessionPaths } from '../session/identity-provider.ts'
import { openSession, type Session, type SignedInUser } from '../session/session.ts'

export interface LoadedApplication {
  renderApplication(user: SignedInUser, config: RuntimeConfig, session: Session): Promise<void> | void
}

/**
 * Starts an application. Nothing is rendered before the session state is known.
 * @param application is loading already; the session is looked up at the same time
 */
export function startApplication(paths: SessionPaths, application: Promise<LoadedApplication>): void {
  // The failure is reported where it is awaited; until then it must not count as unhandled.
  application.catch(() => {})
  start(paths, application).catch((error: unknown) => {
    console.error(error)
    const root = document.getElementById('root')!
    root.setAttribute('role', 'alert')
    root.textContent = '画面を開始できませんでした。時間をおいて、もう一度読み込んでください。'
  })
}

async function start(paths: SessionPaths, application: Promise<LoadedApplication>): Promise<void> {
  removeOldServiceWorkers()
  const config = await loadRuntimeConfig()
  const session = openSession(config, paths)
  const user = await session.start()
  if (user === undefined) return session.leaveToSignIn()
  sayLoading()
  await (await application).renderApplication(user, config, session)
}

/** Shows what `LoadingScreen` shows, before the code that renders is loaded. */
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
