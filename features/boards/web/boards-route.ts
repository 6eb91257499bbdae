import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { boardCondition } from '../board-condition.ts'
import { BOARDS_PATH } from '../links.ts'

export const boardsRoute = defineRoute({
  path: BOARDS_PATH,
  title: 'ボード',
  help: { staff: 'admin-guide.html#2-3-ボード', publisher: 'faq.html#よく見る数値だけをまとめられますか' },
  allow: { action: 'read:list', resource: 'insight:board.' },
  condition: boardCondition,
  view: () => {
    // Starts loading a single board's code in parallel. A failure is reported when a board is rendered.
    import('./open-board.tsx').catch(() => {})
    return import('./boards-view.tsx').then(module => module.BoardsView)
  },
})
