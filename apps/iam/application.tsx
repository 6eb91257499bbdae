import '@pc/ui/theme/styles.ts'
import { makeClients } from '@pc/ui/data/client.ts'
import { makeAnalytics } from '@pc/ui/routing/analytics.ts'
import { matchScreen } from '@pc/ui/routing/match-screen.ts'
import { preloadScreen } from '@pc/ui/routing/preload-screen.ts'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import type { Session, SignedInUser } from '@pc/ui/session/session.ts'
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

export function renderApplication(user: SignedInUser, config: RuntimeConfig, session: Session): void {
  const dependencies = {
    config,
    session,
    clients: makeClients(config, session),
    analytics: makeAnalytics(config.analytics),
  }
  createRoot(document.getElementById('root')!).render(<PeopleAdministration user={user} dependencies={dependencies} />)
}
