import { lazy } from '@pc/ui/routing/lazy.ts'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { Suspense } from 'react'

const ImpersonationNotice = lazy(() =>
  import('./impersonation-notice.tsx').then(module => ({ default: module.ImpersonationNotice })),
)

/** Shown on every screen during an impersonation; its code is loaded only then. */
export function ImpersonationBanner() {
  const { impersonation } = useViewer()
  if (!impersonation) return null
  return (
    <Suspense fallback={null}>
      <ImpersonationNotice impersonation={impersonation} />
    </Suspense>
  )
}
