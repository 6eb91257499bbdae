import type { ReactNode } from 'react'
import type { Clients } from '../data/client.ts'
import { Toasts } from '../feedback/toasts.tsx'
import { FailedContent, LoadingScreen } from '../routing/screen-states.tsx'
import { type AskForAgreements, useLoadedViewer } from './loaded-viewer.ts'
import type { SignedInUser } from './session.ts'
import { ViewerProvider } from './viewer.tsx'

interface GateProps {
  readonly user: SignedInUser
  readonly clients: Clients
  readonly failedTitle: string
  readonly failedHint: string
  readonly askForAgreements?: AskForAgreements
  readonly children: ReactNode
}

/** Shows 読み込み中 until user, policies and agreements have arrived. */
export function ViewerGate(props: GateProps) {
  const loaded = useLoadedViewer(props.user, props.clients, props.askForAgreements)
  if (loaded.state === 'ready') return <ViewerProvider viewer={loaded.viewer}>{props.children}</ViewerProvider>
  return (
    <main>
      {loaded.state !== 'failed' ? (
        <LoadingScreen />
      ) : (
        <FailedContent title={props.failedTitle} onRetry={loaded.retry}>
          {props.failedHint}
        </FailedContent>
      )}
      <Toasts />
    </main>
  )
}
