import type { SessionOrder } from './export-order.ts'
import { useFileExports } from './file-exports.tsx'

type SessionOrders = <T>(order: SessionOrder<T>) => Promise<T>

/** For what needs the person's token and is neither a query nor a file to fetch; undefined: there is no session here. */
export function useSessionOrders(): SessionOrders | undefined {
  return useFileExports() as SessionOrders | undefined
}
