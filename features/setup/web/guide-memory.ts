import { useSyncExternalStore } from 'react'

/** Where the server keeps that a person has put the guide away. */
export const GUIDE_KEY = 'setup-guide'
export const PUT_AWAY = '"away"'

/** `gone`: done or put away, so that this browser need not ask; `shown`: was seen, so that its end is said. */
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

export function rememberGuide(user: string, state: Remembered): void {
  if (read(user) === state) return
  try {
    localStorage.setItem(STORAGE_KEY, `${user} ${state}`)
  } catch {
    // A browser that keeps nothing asks each time.
  }
  for (const listener of listeners) listener()
}

export function useRememberedGuide(user: string): Remembered | undefined {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(user),
  )
}
