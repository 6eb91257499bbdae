import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { boardCondition } from '../board-condition.ts'
import { BOARDS_PATH } from '../links.ts'

export const boardsRoute = defineRoute({
  path: BOARDS_PATH,
  title: 'ボード',
  allow: { action: 'read:list', resource: 'insight:board.' },
  condition: boardCondition,
  view: () => {
    // A board's own code comes beside that of the list, which does not wait for it; a failure is told where it is drawn.
    import('./open-board.tsx').catch(() => {})
    return import('./boards-view.tsx').then(module => module.BoardsView)
  },
})
