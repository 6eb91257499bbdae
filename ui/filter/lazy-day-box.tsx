import { Suspense } from 'react'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { DayBoxProps } from './day-box.tsx'

const DayBox = lazyPart(async () => (await import('./day-box.tsx')).DayBox)

/** {@link DayBox}, outside of the code that a form needs for its first paint. */
export function LazyDayBox(props: DayBoxProps) {
  return (
    <Suspense fallback={<input className={props.className ?? 'control'} disabled aria-hidden />}>
      <DayBox {...props} />
    </Suspense>
  )
}
