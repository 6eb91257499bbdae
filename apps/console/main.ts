import { CONSOLE_CALLBACK_PATH, CONSOLE_SILENT_CALLBACK_PATH, SSO_PATH } from '@pc/features/sign-in/links.ts'
import { loadRuntimeConfig } from '@pc/ui/runtime-config.ts'
import { openSession } from '@pc/ui/session.ts'

/**
 * The startup order of the specification, section 4: nothing is rendered before the session state is known. This entry
 * is small, so that the question who is signed in is under way while the application itself is still being loaded.
 */
async function start(): Promise<void> {
  const application = import('./application.tsx')
  // Its failure is reported where it is awaited; before that it must not count as unhandled.
  application.catch(() => {})
  removeOldServiceWorkers()
  const config = await loadRuntimeConfig()
  const session = openSession(config, {
    callback: CONSOLE_CALLBACK_PATH,
    silentCallback: CONSOLE_SILENT_CALLBACK_PATH,
    signedOut: SSO_PATH,
  })
  const user = await session.start()
  if (user === undefined) session.leaveToSignIn()
  else await (await application).renderApplication(user, config, session)
}

function removeOldServiceWorkers(): void {
  void navigator.serviceWorker
    ?.getRegistrations()
    .then(found => Promise.all(found.map(registration => registration.unregister())))
    .catch(() => {})
}

start().catch((error: unknown) => {
  console.error(error)
  const root = document.getElementById('root')!
  root.setAttribute('role', 'alert')
  root.textContent = '画面を開始できませんでした。時間をおいて、もう一度読み込んでください。'
})
