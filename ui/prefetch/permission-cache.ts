import type { ClientPolicy } from '@pc/domain/access/client-policy.ts'
import { PERSON_LEAVES } from '../session/session-ended.ts'

const STORAGE_KEY = 'pc-cached-permissions'

interface CachedPermissions {
  readonly user: string
  readonly policies: readonly ClientPolicy[]
}

/**
 * Stores the person's policies in this browser, so that the next start can send the screen's query without waiting for
 * them (docs/adr/0013). The cache decides nothing: the server checks permissions at each query.
 */
export function cachePermissions(user: string, policies: readonly ClientPolicy[]): void {
  addEventListener(PERSON_LEAVES, clearPermissionCache)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ user, policies } satisfies CachedPermissions))
  } catch {
    // Without storage the next start waits for the policies.
  }
}

/** Deletes the stored policies, so that the next person finds nothing. */
export function clearPermissionCache(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** @returns the stored policies of this user; undefined: none, or written by an earlier version in another form */
export function cachedPermissions(user: string): readonly ClientPolicy[] | undefined {
  try {
    const known = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<CachedPermissions>
    if (known.user === user) return known.policies
    // They belong to a person who did not sign out.
    clearPermissionCache()
  } catch {
    // Unreadable: treated as absent.
  }
  return undefined
}
