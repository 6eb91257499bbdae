import { SIGNED_OUT } from './session-ended.ts'
import type { Can } from './viewer.tsx'

const STORAGE_KEY = 'pc-asked-rights'
/** By then the menu and the first screen have asked for their permissions. */
const KEEP_AFTER_MS = 2000

interface CachedPermissions {
  readonly user: string
  /** Answers of `can`, by the question. */
  readonly rights: Readonly<Record<string, boolean>>
}

const keyOf = (action: string, resource: string) => `${action} ${resource}`

/** What this page has checked so far. */
let current: CachedPermissions | undefined

/**
 * Keeps the results of `can` in this browser, so that the next start can send the query of its screen without waiting for
 * the policies (docs/adr/0013). Only the server decides; the cache only starts queries earlier.
 * @returns the same `can`
 */
export function cachePermissions(user: string, can: Can): Can {
  const rights: Record<string, boolean> = {}
  current = { user, rights }
  setTimeout(keep, KEEP_AFTER_MS)
  addEventListener('pagehide', keep)
  addEventListener(SIGNED_OUT, clearPermissionCache)
  return (action, resource) => {
    const may = can(action, resource)
    rights[keyOf(action, resource)] = may
    return may
  }
}

function keep(): void {
  if (!current) return
  const before = read()
  const rights = before?.user === current.user ? { ...before.rights, ...current.rights } : current.rights
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ user: current.user, rights } satisfies CachedPermissions))
  } catch {
    // Without storage the next start waits for the policies.
  }
}

/** For the start of an impersonation, which may do less, and for the sign-out: the next person finds nothing. */
export function clearPermissionCache(): void {
  current = undefined
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage nothing is kept.
  }
}

/** @returns `can` with the results of the last start; it throws where the result is not known */
export function cachedPermissions(user: string): Can {
  const known = read()
  const isOwn = known?.user === user
  // Of another person, who did not sign out.
  if (known && !isOwn) clearPermissionCache()
  return (action, resource) => {
    const may = isOwn ? known.rights[keyOf(action, resource)] : undefined
    if (may === undefined) throw new Error('not known yet')
    return may
  }
}

function read(): CachedPermissions | undefined {
  try {
    const { user, rights } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<CachedPermissions>
    return user !== undefined && rights ? { user, rights } : undefined
  } catch {
    return undefined
  }
}
