import type { Viewer } from '../session/viewer.tsx'
import type { Allow } from './define-route.ts'

/**
 * The title of a record's screen, which depends on what the person may do.
 * @param noun for example 契約
 */
export function recordTitle(noun: string, edit: Allow): (viewer: Pick<Viewer, 'can'>) => string {
  return viewer => `${noun}の${viewer.can(edit.action, edit.resource) ? '編集' : '詳細'}`
}
