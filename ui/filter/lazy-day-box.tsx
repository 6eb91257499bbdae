import { Suspense } from 'react'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { DayBoxProps } from './day-box.tsx'

const DayBox = lazyPart(async () => (await import('./day-box.tsx')).DayBox)
const MonthBox = lazyPart(async () => (await import('./day-box.tsx')).MonthBox)

/** {@link DayBox}, outside of the code that a form needs for its first paint. */
export function LazyDayBox(props: DayBoxProps) {
  return (
    <Suspense fallback={<Wait className={props.className} />}>
      <DayBox {...props} />
    </Suspense>
  )
}

/** {@link MonthBox}, likewise. */
export function LazyMonthBox(props: DayBoxProps) {
  return (
    <Suspense fallback={<Wait className={props.className} />}>
      <MonthBox {...props} />
    </Suspense>
  )
}

function Wait({ className = 'control' }: Pick<DayBoxProps, 'className'>) {
  return <input className={className} disabled aria-hidden />
}
