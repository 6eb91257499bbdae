import type { Viewer } from '../session/viewer.tsx'
import type { Allow } from './define-route.ts'

/** What the screen of a record is called: by what the person may do with it. @param noun 契約 */
export function recordTitle(noun: string, edit: Allow): (viewer: Pick<Viewer, 'can'>) => string {
  return viewer => `${noun}の${viewer.can(edit.action, edit.resource) ? '編集' : '詳細'}`
}
