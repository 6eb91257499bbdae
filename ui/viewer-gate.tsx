import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Clients } from './client.ts'
import { type AskForAgreements, useLoadedViewer } from './loaded-viewer.ts'
import { FailedContent, LoadingScreen } from './screen-states.tsx'
import type { SignedInUser } from './session.ts'
import { Toasts } from './toasts.tsx'
import { type Viewer, ViewerProvider } from './viewer.tsx'

/** 読み込み中 until user, policies and agreements have returned (specification, section 4). */
export function ViewerGate(props: {
  user: SignedInUser
  clients: Clients
  failedTitle: string
  failedHint: string
  askForAgreements?: AskForAgreements
  /** What has been asked before; undefined: the questions are asked here. */
  asked?: Promise<Viewer | undefined>
  /** Called once; the children are drawn for the first time when it has settled. */
  onReady?: (viewer: Viewer) => Promise<void>
  children: ReactNode
}) {
  const before = useSettled(props.asked)
  const found = useLoadedViewer(props.user, props.clients, props.askForAgreements, before === undefined)
  const loaded = typeof before === 'object' ? ({ state: 'ready', viewer: before } as const) : found
  const viewer = loaded.state === 'ready' ? loaded.viewer : undefined
  const [isAnnounced, setAnnounced] = useState(props.onReady === undefined)
  const { onReady } = props
  const isTold = useRef(false)
  useEffect(() => {
    if (isTold.current || !viewer || !onReady) return
    isTold.current = true
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

/** `waiting` until it has settled. */
function useSettled(asked: Promise<Viewer | undefined> | undefined): Viewer | 'waiting' | undefined {
  const [known, setKnown] = useState<Viewer | 'waiting' | undefined>(asked ? 'waiting' : undefined)
  useEffect(() => {
    asked?.then(setKnown, () => setKnown(undefined))
  }, [asked])
  return known
}
