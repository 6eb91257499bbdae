import type { ScreenProps } from '@pc/ui/define-route.ts'
import type { BoardCondition } from '../board-condition.ts'
import { BoardList } from './board-list.tsx'
import { BoardScreen } from './board-screen.tsx'

export type BoardsScreenProps = ScreenProps<BoardCondition, unknown>

/** The list of boards, or the one that the address names. */
export function BoardsView(props: BoardsScreenProps) {
  const { board } = props.condition
  return board === undefined ? <BoardList {...props} /> : <BoardScreen key={board} id={board} {...props} />
}
