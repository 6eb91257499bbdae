import '@pc/ui/theme/tokens.css'
import './sso.css'
import { SESSION_CHANGED, SESSION_CHANNEL } from '@pc/ui/session/session-ended.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SsoRoutes } from './sso-routes.tsx'

// The console stores the colour scheme under this key; without one the system's is used.
const chosen = localStorage.getItem('mantine-color-scheme-value')
if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.mantineColorScheme = chosen
else if (matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = 'dark'

const root = document.getElementById('root')
if (root) {
  // After sign-out the provider redirects here without a fragment; the sign-in screen is a fragment route.
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
