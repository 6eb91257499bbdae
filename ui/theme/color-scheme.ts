import { useSyncExternalStore } from 'react'

export type ColorScheme = 'light' | 'dark'

/** Also read by `color-scheme.js` before the first paint, and by the sign-in application. */
const STORAGE_KEY = 'mantine-color-scheme-value'
const listeners = new Set<() => void>()

/** The attribute is Mantine's, so that its components and our tokens follow the same switch. */
function read(): ColorScheme {
  return document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setColorScheme(scheme: ColorScheme): void {
  document.documentElement.dataset.mantineColorScheme = scheme
  try {
    localStorage.setItem(STORAGE_KEY, scheme)
  } catch {
    // Without storage the choice lasts only as long as the page.
  }
  for (const listener of listeners) listener()
}

export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(subscribe, read)
}
