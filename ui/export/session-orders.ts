import type { SessionOrder } from './export-order.ts'
import { useFileExports } from './file-exports.tsx'

type SessionOrders = <T>(order: SessionOrder<T>) => Promise<T>

/** Runs work that needs the person's token and is neither a query nor a file; undefined: there is no session. */
export function useSessionOrders(): SessionOrders | undefined {
  return useFileExports() as SessionOrders | undefined
}
