import { CONSOLE_CALLBACK_PATH, CONSOLE_SILENT_CALLBACK_PATH, SSO_PATH } from '@pc/features/sign-in/links.ts'
import { prefetching } from '@pc/ui/prefetch/prefetching.ts'
import { startApplication } from '@pc/ui/routing/start-application.ts'

// A small entry, so that the session check starts while the application is still loading.
startApplication(
  { callback: CONSOLE_CALLBACK_PATH, silentCallback: CONSOLE_SILENT_CALLBACK_PATH, signedOut: SSO_PATH },
  prefetching(import('./application.tsx'), import('./startup-prefetch.ts')),
)
