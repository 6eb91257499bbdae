import type { Viewer } from '@pc/ui/viewer.tsx'

/** Sees what the platform earned. */
export function isStaffReader(viewer: Pick<Viewer, 'can'>): boolean {
  return viewer.can('read:show', 'insight:revenue_detail.')
}
