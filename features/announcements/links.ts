export const ANNOUNCEMENTS_PATH = '/announcements'
export const ANNOUNCEMENT_CREATE_PATH = '/announcements/create'

export function announcementPath(id: string): `/${string}` {
  return `/announcements/${id}`
}

export function announcementEditPath(id: string): `/${string}` {
  return `/announcements/edit/${id}`
}
