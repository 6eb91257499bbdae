import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import { ScreenSkeleton } from '@pc/ui/routing/screen-states.tsx'
import { Suspense } from 'react'
import { BoardList } from './board-list.tsx'
import type { BoardsProps } from './board-words.ts'

const OpenBoard = lazyPart(async () => (await import('./open-board.tsx')).OpenBoard)

/** The list of boards, or the one that the address names. */
export function BoardsView(props: BoardsProps) {
  const { board } = props.condition
  if (board === undefined) return <BoardList {...props} />
  return (
    <Suspense fallback={<ScreenSkeleton title="ボード" />}>
      <OpenBoard key={board} id={board} {...props} />
    </Suspense>
  )
}
