import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'
import { useRememberedGuide } from './guide-memory.ts'

const SetupGuideSteps = lazyPart(async () => (await import('./requested-guide.tsx')).SetupGuideSteps)

/** The setup guide on the home screen. Once it is done or dismissed, this browser no longer queries it. */
export function SetupGuide() {
  const remembered = useRememberedGuide(useViewer().id)
  return (
    remembered !== 'gone' && (
      <Suspense fallback={null}>
        <SetupGuideSteps wasShown={remembered === 'shown'} />
      </Suspense>
    )
  )
}
