import '@pc/ui/theme/styles.ts'
import './language-keys.ts'
import { CONSOLE_CALLBACK_PATH, CONSOLE_SILENT_CALLBACK_PATH, SSO_PATH } from '@pc/features/sign-in/links.ts'
import { makeAnalytics } from '@pc/ui/analytics.ts'
import { makeClients } from '@pc/ui/client.ts'
import { loadLanguage } from '@pc/ui/language.ts'
import { loadRuntimeConfig } from '@pc/ui/runtime-config.ts'
import { preloadScreen } from '@pc/ui/screen-host.tsx'
import { openSession } from '@pc/ui/session.ts'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { NAMESPACE } from './language-keys.ts'
import { HOME, SCREENS } from './routes.ts'

/** The startup order of the specification, section 4: nothing is rendered before the session state is known. */
async function start(): Promise<void> {
  removeOldServiceWorkers()
  preloadFirstScreen()
  const config = await loadRuntimeConfig()
  const session = openSession(config, {
    callback: CONSOLE_CALLBACK_PATH,
    silentCallback: CONSOLE_SILENT_CALLBACK_PATH,
    signedOut: SSO_PATH,
  })
  const language = loadLanguage(NAMESPACE, config.clientVersion)
  const user = await session.start()
  if (user === undefined) {
    session.leaveToSignIn()
    return
  }
  await language
  const parts = { config, session, clients: makeClients(config, session), analytics: makeAnalytics(config.analytics) }
  createRoot(document.getElementById('root')!).render(<Console user={user} parts={parts} />)
}

function removeOldServiceWorkers(): void {
  void navigator.serviceWorker
    ?.getRegistrations()
    .then(found => Promise.all(found.map(registration => registration.unregister())))
    .catch(() => {})
}

/** The code of the screen that the address names comes while the session is asked for. */
function preloadFirstScreen(): void {
  const path = location.hash.slice(1)
  const screen = SCREENS.find(one => (path.length > 1 ? path.startsWith(one.path) : one.path === HOME))
  if (screen) preloadScreen(screen).catch(() => {})
}

start().catch((error: unknown) => {
  console.error(error)
  const root = document.getElementById('root')!
  root.setAttribute('role', 'alert')
  root.textContent = '画面を開始できませんでした。時間をおいて、もう一度読み込んでください。'
})
