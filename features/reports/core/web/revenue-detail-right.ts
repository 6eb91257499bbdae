import type { Viewer } from '@pc/ui/session/viewer.tsx'

/** Sees what the platform earned. */
export function seesRevenueDetail(viewer: Pick<Viewer, 'can'>): boolean {
  return viewer.can('read:show', 'insight:revenue_detail.')
}
