import '@pc/ui/theme/styles.ts'
import { makeClients } from '@pc/ui/data/client.ts'
import { makeAnalytics } from '@pc/ui/routing/analytics.ts'
import { matchScreen } from '@pc/ui/routing/match-screen.ts'
import { preloadScreen } from '@pc/ui/routing/preload-screen.ts'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import type { Session, SignedInUser } from '@pc/ui/session/session.ts'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { language } from './language.ts'
import { HOME, SCREENS } from './routes.ts'
import { take } from './startup-prefetch.ts'

const texts = language.load()
// Its failure is reported where it is awaited.
texts.catch(() => {})
preloadFirstScreen()

/** The code of the screen that the address names comes while the session is asked for. */
function preloadFirstScreen(): void {
  const path = location.hash.slice(1)
  const screen = matchScreen(SCREENS, path.length > 1 ? path : HOME)?.screen
  if (screen) preloadScreen(screen).catch(() => {})
}

export async function renderApplication(user: SignedInUser, config: RuntimeConfig, session: Session): Promise<void> {
  await texts
  const clients = makeClients(config, session)
  // What would be drawn before it would be drawn again with it, and a slow device needs half a second for that.
  await take(clients)
  const dependencies = { config, session, clients, analytics: makeAnalytics(config.analytics) }
  createRoot(document.getElementById('root')!).render(<Console user={user} dependencies={dependencies} />)
}
