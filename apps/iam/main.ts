import { IAM_CALLBACK_PATH, IAM_SILENT_CALLBACK_PATH, SSO_PATH } from '@pc/features/sign-in/links.ts'
import { startApplication, whenLoaded } from '@pc/ui/routing/start-application.ts'

// A small entry, so that the session check starts while the application is still loading.
startApplication(
  { callback: IAM_CALLBACK_PATH, silentCallback: IAM_SILENT_CALLBACK_PATH, signedOut: SSO_PATH },
  whenLoaded(import('./application.tsx')),
)
