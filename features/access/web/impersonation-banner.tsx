import { lazy } from '@pc/ui/routing/lazy.ts'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'

const ActingAsBanner = lazy(() => import('./acting-as.tsx').then(module => ({ default: module.ActingAsBanner })))

/** Said on every screen while staff sees the system as somebody else; its code comes for them alone. */
export function ViewAsBanner() {
  const { actingAs } = useViewer()
  if (!actingAs) return null
  return (
    <Suspense fallback={null}>
      <ActingAsBanner actingAs={actingAs} />
    </Suspense>
  )
}
