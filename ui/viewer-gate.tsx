import type { ReactNode } from 'react'
import type { Clients } from './client.ts'
import { FailedContent, LoadingScreen } from './screen-states.tsx'
import type { SignedInUser } from './session.ts'
import { Toasts } from './toasts.tsx'
import { useLoadedViewer, ViewerProvider } from './viewer.tsx'

/** 読み込み中 until user, policies and agreements have returned (specification, section 4). */
export function ViewerGate(props: {
  user: SignedInUser
  clients: Clients
  failedTitle: string
  failedHint: string
  children: ReactNode
}) {
  const loaded = useLoadedViewer(props.user, props.clients)
  if (loaded.state === 'ready') return <ViewerProvider viewer={loaded.viewer}>{props.children}</ViewerProvider>
  return (
    <main>
      {loaded.state === 'loading' ? (
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
