import { useSyncExternalStore } from 'react'

/** The address inside the page: what follows `#`. Links are plain `<a href="#/…">`; this hears of every change. */
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('hashchange', notify)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('hashchange', notify)
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

function readPath(): string {
  return location.hash.slice(1)
}

export function useHashPath(): string {
  return useSyncExternalStore(subscribe, readPath)
}

/** @param address as from `addressOf`, with `#`; `replace`: the way back leads past the present address. */
export function goTo(address: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = address
    return
  }
  history.replaceState(history.state, '', address)
  notify()
}

/** True when the browser came back to this entry of its history: it restores the scroll position itself then. */
export function isReturning(): boolean {
  const state: unknown = history.state
  const isKnown = typeof state === 'object' && state !== null && 'isVisited' in state
  if (!isKnown) history.replaceState({ isVisited: true }, '')
  return isKnown
}
