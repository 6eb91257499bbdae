/** Reached from the agreements and the command palette; the sidebar's items are fixed (`apps/console/menu.ts`). */
export const MEDIA_PATH = '/managements/media'
export const MEDIUM_CREATE_PATH = '/managements/media/create'

export function mediumEditPath(id: string): `/${string}` {
  return `/managements/media/edit/${id}`
}
