import type { EntityCondition } from '@pc/domain/condition/entity-filter.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { Suspense, useState } from 'react'

const OwnHistoryCard = lazy(() => import('./own-history-card.tsx').then(module => ({ default: module.OwnHistoryCard })))

/** The collapsed card 過去12か月との比較. Code and figures are loaded when a person opens it. */
export function OwnHistory(ids: EntityCondition) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) {
    return (
      <Suspense fallback={<Skeleton height={240} />}>
        <OwnHistoryCard {...ids} />
      </Suspense>
    )
  }
  return (
    <Card
      title="過去12か月との比較"
      note="今月の単価と1日あたりの数値が、過去の月の中でどの位置か"
      tools={<Button onClick={() => setOpen(true)}>表示する</Button>}
    >
      {null}
    </Card>
  )
}
