import '@pc/ui/theme/tokens.css'
import './sso.css'
import { SESSION_CHANGED, SESSION_CHANNEL } from '@pc/ui/session/session-ended.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SsoRoutes } from './sso-routes.tsx'

// The console keeps the choice of light and dark under this name; without one the system's choice counts.
const chosen = localStorage.getItem('mantine-color-scheme-value')
if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.mantineColorScheme = chosen
else if (matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = 'dark'

const root = document.getElementById('root')
if (root) {
  // After signing out, the provider comes back without a fragment: the sign-in screen has an address of its own.
  if (/^#?\/?$/.test(location.hash)) {
    history.replaceState(null, '', '#/signin')
    new BroadcastChannel(SESSION_CHANNEL).postMessage(SESSION_CHANGED)
  }
  createRoot(root).render(
    <StrictMode>
      <SsoRoutes />
    </StrictMode>,
  )
}
