import '@pc/ui/theme/styles.ts'
import { makeClients } from '@pc/ui/data/client.ts'
import { makeAnalytics } from '@pc/ui/routing/analytics.ts'
import { matchScreen } from '@pc/ui/routing/match-screen.ts'
import { preloadScreen } from '@pc/ui/routing/preload-screen.ts'
import type { LoadedApplication } from '@pc/ui/routing/start-application.ts'
import { createRoot } from 'react-dom/client'
import { PeopleAdministration } from './people-administration.tsx'
import { HOME, SCREENS } from './routes.ts'

preloadFirstScreen()

/** Starts loading the code of the addressed screen while the session is being checked. */
function preloadFirstScreen(): void {
  const path = location.hash.slice(1)
  const screen = matchScreen(SCREENS, path.length > 1 ? path : HOME)?.screen
  if (screen) preloadScreen(screen).catch(() => {})
}

export const openClients: LoadedApplication['openClients'] = (...given) => makeClients(...given)

export const renderApplication: LoadedApplication['renderApplication'] = (user, started) => {
  const dependencies = { ...started, analytics: makeAnalytics(started.config.analytics) }
  createRoot(document.getElementById('root')!).render(<PeopleAdministration user={user} dependencies={dependencies} />)
}
