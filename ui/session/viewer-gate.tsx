import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Clients } from '../data/client.ts'
import { Toasts } from '../feedback/toasts.tsx'
import { FailedContent, LoadingScreen } from '../routing/screen-states.tsx'
import { type AskForAgreements, useLoadedViewer } from './loaded-viewer.ts'
import type { SignedInUser } from './session.ts'
import { type Viewer, ViewerProvider } from './viewer.tsx'

interface GateProps {
  readonly user: SignedInUser
  readonly clients: Clients
  readonly failedTitle: string
  readonly failedHint: string
  readonly askForAgreements?: AskForAgreements
  /** Called once; the children are drawn for the first time when it has settled. */
  onReady?(viewer: Viewer): Promise<void>
  readonly children: ReactNode
}

/**
 * 読み込み中 until user, policies and agreements have returned.
 * @param known who is here, where that has been asked before: then nothing is asked
 */
export function ViewerGate({ known, ...props }: GateProps & { readonly known?: Viewer | undefined }) {
  if (known) return <ViewerProvider viewer={known}>{props.children}</ViewerProvider>
  return <AskingGate {...props} />
}

function AskingGate(props: GateProps) {
  const loaded = useLoadedViewer(props.user, props.clients, props.askForAgreements)
  const viewer = loaded.state === 'ready' ? loaded.viewer : undefined
  const [isAnnounced, setAnnounced] = useState(props.onReady === undefined)
  const { onReady } = props
  const isShown = useRef(false)
  useEffect(() => {
    if (isShown.current || !viewer || !onReady) return
    isShown.current = true
    const draw = () => setAnnounced(true)
    onReady(viewer).then(draw, draw)
  }, [viewer, onReady])
  if (loaded.state === 'ready' && isAnnounced)
    return <ViewerProvider viewer={loaded.viewer}>{props.children}</ViewerProvider>
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
