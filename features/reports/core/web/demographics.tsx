import { lazy } from '@pc/ui/routing/lazy.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { type ComponentProps, Suspense } from 'react'

const HeatTable = lazy(() => import('./heat-table.tsx').then(module => ({ default: module.HeatTable })))
/** In pixels, of the card with the six ages: nothing moves when it arrives. */
const HEIGHT = 404

/** Figures by gender and age. Below what is seen first, so its code comes after that. */
export function Demographics(props: ComponentProps<typeof HeatTable>) {
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} />}>
      <HeatTable {...props} />
    </Suspense>
  )
}
