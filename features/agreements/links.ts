export const AGREEMENTS_PATH = '/managements/agreements'
export const AGREEMENT_CREATE_PATH = '/managements/agreements/create'

export function agreementEditPath(id: string): `/${string}` {
  return `/managements/agreements/edit/${id}`
}
