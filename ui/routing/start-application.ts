import type { Clients } from '../data/client.ts'
import { loadRuntimeConfig, type RuntimeConfig } from '../runtime-config.ts'
import type { SessionPaths } from '../session/identity-provider.ts'
import { openSession, type Session, type SignedInUser } from '../session/session.ts'

/** What the code of an application offers to its entry. */
export interface LoadedApplication {
  /** The clients of both APIs. @param send sends their requests; undefined: the browser's `fetch` */
  openClients(config: RuntimeConfig, session: Session, send?: typeof fetch): Clients
  renderApplication(user: SignedInUser, dependencies: StartedWith): Promise<void> | void
}

interface StartedWith {
  readonly config: RuntimeConfig
  readonly session: Session
  readonly clients: Clients
}

/** Renders an application that is still loading. */
export type StartApplication = (user: SignedInUser, config: RuntimeConfig, session: Session) => Promise<void>

/** Renders the application when its code has arrived. */
export function whenLoaded(application: Promise<LoadedApplication>): StartApplication {
  // The failure is reported where it is awaited; until then it must not count as unhandled.
  application.catch(() => {})
  return async (user, config, session) => {
    const { openClients, renderApplication } = await application
    await renderApplication(user, { config, session, clients: openClients(config, session) })
  }
}

/**
 * Starts an application. Nothing is rendered before the session state is known.
 * @param render its code is loading already; the session is looked up at the same time
 */
export function startApplication(paths: SessionPaths, render: StartApplication): void {
  start(paths, render).catch((error: unknown) => {
    console.error(error)
    const root = document.getElementById('root')!
    root.setAttribute('role', 'alert')
    root.textContent = '画面を開始できませんでした。時間をおいて、もう一度読み込んでください。'
  })
}

async function start(paths: SessionPaths, render: StartApplication): Promise<void> {
  removeOldServiceWorkers()
  const config = await loadRuntimeConfig()
  const session = openSession(config, paths)
  const user = await session.start()
  if (user === undefined) return session.leaveToSignIn()
  sayLoading()
  await render(user, config, session)
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
