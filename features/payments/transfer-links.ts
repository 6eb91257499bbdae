/** Finalised payments on their way to the payees; reached from the payments, the close board and the palette. */
export const TRANSFERS_PATH = '/adjustments/transfers'

export function transferBatchPath(id: string): `/${string}` {
  return `${TRANSFERS_PATH}/${id}`
}
