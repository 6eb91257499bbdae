import { useSyncExternalStore } from 'react'

/** Key of the preference that says whether a person has dismissed the guide. */
export const GUIDE_KEY = 'setup-guide'
export const PUT_AWAY = '"away"'

/**
 * `gone`: done or dismissed, so this browser need not query it. `shown`: it was visible, so its completion is
 * announced.
 */
type Remembered = 'gone' | 'shown'

const STORAGE_KEY = 'pc-setup-guide'
const listeners = new Set<() => void>()

function read(user: string): Remembered | undefined {
  try {
    const [of, state] = (localStorage.getItem(STORAGE_KEY) ?? '').split(' ')
    return of === user && (state === 'gone' || state === 'shown') ? state : undefined
  } catch {
    return undefined
  }
}

/** Stores how this user left the guide, in this browser. */
export function rememberGuide(user: string, state: Remembered): void {
  if (read(user) === state) return
  try {
    localStorage.setItem(STORAGE_KEY, `${user} ${state}`)
  } catch {
    // A browser without storage queries it each time.
  }
  for (const listener of listeners) listener()
}

/** How this user left the guide; undefined when this browser does not know. */
export function useRememberedGuide(user: string): Remembered | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(user),
  )
}
