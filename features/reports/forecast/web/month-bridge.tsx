import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { type ComponentProps, Suspense, useState } from 'react'
import type { MonthBridgeCard as BridgeCard } from './month-bridge-card.tsx'

const MonthBridgeCard = lazy(() =>
  import('./month-bridge-card.tsx').then(module => ({ default: module.MonthBridgeCard })),
)

/** The collapsed card 速報から確定まで. Code and figures are loaded when a person opens it. */
export function MonthBridge(props: ComponentProps<typeof BridgeCard>) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    return (
      <Suspense fallback={<Skeleton height={320} />}>
        {/* The key resets the chosen month when the range changes. */}
        <MonthBridgeCard key={props.until} {...props} />
      </Suspense>
    )
  }
  return (
    <Card
      title="速報から確定まで"
      note="速報値が確定値になるまでの増減とその理由"
      tools={<Button onClick={() => setOpen(true)}>表示する</Button>}
    >
      {null}
    </Card>
  )
}
