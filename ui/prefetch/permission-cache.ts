import type { ClientPolicy } from '@pc/domain/access/client-policy.ts'
import { PERSON_LEAVES } from '../session/session-ended.ts'

const STORAGE_KEY = 'pc-cached-permissions'

interface CachedPermissions {
  readonly user: string
  readonly policies: readonly ClientPolicy[]
}

/**
 * Keeps the person's policies in this browser, so that the next start can send the query of its screen without waiting for
 * them (docs/adr/0126). Only the server decides; the cache only starts queries earlier.
 */
export function cachePermissions(user: string, policies: readonly ClientPolicy[]): void {
  addEventListener(PERSON_LEAVES, clearPermissionCache)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ user, policies } satisfies CachedPermissions))
  } catch {
    // Without storage the next start waits for the policies.
  }
}

/** The next person finds nothing. */
export function clearPermissionCache(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage nothing is kept.
  }
}

/** @returns the policies of the last start; undefined: not known. What an earlier version kept may have another form */
export function cachedPermissions(user: string): readonly ClientPolicy[] | undefined {
  try {
    const known = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<CachedPermissions>
    if (known.user === user) return known.policies
    // Of another person, who did not sign out.
    clearPermissionCache()
  } catch {
    // As good as nothing.
  }
  return undefined
}
