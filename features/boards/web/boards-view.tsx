import { BoardList } from './board-list.tsx'
import type { BoardsProps } from './board-words.ts'
import { OpenBoard } from './open-board.tsx'

/** The list of boards, or the one that the address names. */
export function BoardsView(props: BoardsProps) {
  const { board } = props.condition
  return board === undefined ? <BoardList {...props} /> : <OpenBoard key={board} id={board} {...props} />
}
