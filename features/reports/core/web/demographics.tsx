import { lazy } from '@pc/ui/routing/lazy.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { type ComponentProps, Suspense } from 'react'

const HeatTable = lazy(() => import('./heat-table.tsx').then(module => ({ default: module.HeatTable })))
/** Height of the loaded card in pixels, so that nothing moves when it arrives. */
const HEIGHT = 404

/** Figures by gender and age. Its code is loaded lazily, because it is below the visible part of the screen. */
export function Demographics(props: ComponentProps<typeof HeatTable>) {
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} />}>
      <HeatTable {...props} />
    </Suspense>
  )
}
