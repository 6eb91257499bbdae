export const PUBLISHERS_PATH = '/managements/publishers'
export const PUBLISHER_CREATE_PATH = '/managements/publishers/create'
export const PUBLISHER_FROM_STAGING_PATH = '/managements/publishers/create-from-staging'

export function publisherEditPath(id: string): `/${string}` {
  return `/managements/publishers/edit/${id}`
}
