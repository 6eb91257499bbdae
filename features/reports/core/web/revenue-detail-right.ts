import type { Viewer } from '@pc/ui/session/viewer.tsx'

/** Whether the person may see the platform's own revenue. */
export function seesRevenueDetail(viewer: Pick<Viewer, 'can'>): boolean {
  return viewer.can('read:show', 'insight:revenue_detail.')
}
