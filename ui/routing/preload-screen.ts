import type { ComponentType } from 'react'
import type { Screen, ScreenProps, ScreenQuery } from './define-route.ts'
import { loadCode } from './load-code.ts'

interface LoadedScreen {
  readonly View: ComponentType<ScreenProps<object, unknown>>
  readonly query: ScreenQuery | undefined
}

const loaded = new WeakMap<Screen, Promise<LoadedScreen>>()

/** How long a failure is kept: React asks again at once and must find it instead of a new load. */
const FAILED_MS = 3_000

/** Loads a screen's code once. A failed load is tried again with a later visit. */
export function preloadScreen(screen: Screen): Promise<LoadedScreen> {
  const known = loaded.get(screen)
  if (known) return known
  const loading = loadCode(() => Promise.all([screen.load(), screen.loadQuery?.()])).then(
    ([View, query]): LoadedScreen => ({ View, query: query ?? screen.query }),
  )
  loaded.set(screen, loading)
  loading.then(
    // The form that React's `use` reads synchronously; suspending would show the fallback for 300 ms.
    value => Object.assign(loading, { status: 'fulfilled', value }),
    () => setTimeout(() => loaded.delete(screen), FAILED_MS),
  )
  return loading
}
