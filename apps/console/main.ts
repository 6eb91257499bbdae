import { CONSOLE_CALLBACK_PATH, CONSOLE_SILENT_CALLBACK_PATH, SSO_PATH } from '@pc/features/sign-in/links.ts'
import { prefetching } from '@pc/ui/prefetch/prefetching.ts'
import { startApplication } from '@pc/ui/routing/start-application.ts'

/** Small, so that the question who is signed in is under way while the application itself is still being loaded. */
startApplication(
  { callback: CONSOLE_CALLBACK_PATH, silentCallback: CONSOLE_SILENT_CALLBACK_PATH, signedOut: SSO_PATH },
  prefetching(import('./application.tsx'), import('./startup-prefetch.ts')),
)
