import { useSyncExternalStore } from 'react'

/**
 * The address within the page, which follows `#`. Links are plain `<a href="#/…">`. This module notices every change,
 * and reverts it while a guard asks. Every entry of the browser's history carries its position, so that a step back can
 * be told from a link and undone.
 */
const listeners = new Set<() => void>()
let shownPath = ''
let shownIndex = 0
let isReturn = false
/** The next step was made by this module and must not be guarded. */
let expectedSteps: 'ignore' | 'accept' | undefined
/** Only the last guard is asked: a dialog's guard is above its form's. */
const guards: Guard[] = []

/** Called before the address changes; it calls `proceed` once the person agrees, or never. */
export type Guard = (proceed: () => void) => void

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    shownPath = readPath()
    shownIndex = markEntry(shownIndex)
    window.addEventListener('popstate', onStep)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('popstate', onStep)
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

function readPath(): string {
  return location.hash.slice(1)
}

/** @param read the part of the path that is needed; the component renders again only when it changes */
export function useHashPath(read: (path: string) => string = whole): string {
  return useSyncExternalStore(subscribe, () => read(guards.length === 0 ? readPath() : shownPath))
}

const whole = (path: string) => path

/**
 * Passes an answer on once. A change of the address before it counts as no, because the question was about the old
 * address.
 */
export function answerHere(give: (isYes: boolean) => void): (isYes: boolean) => void {
  const from = shownPath
  const answer = (isYes: boolean) => {
    stop()
    give(isYes)
  }
  const stop = subscribe(() => shownPath === from || answer(false))
  return answer
}

/** Returns the position of the current history entry, after marking an unmarked entry with `fresh`. */
function markEntry(fresh: number): number {
  const known = indexOf(history.state)
  if (known === undefined) history.replaceState({ ...history.state, index: fresh }, '')
  return known ?? fresh
}

function indexOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'index' in state && typeof state.index === 'number'
    ? state.index
    : undefined
}

function onStep(): void {
  const isKnown = indexOf(history.state) !== undefined
  const index = markEntry(shownIndex + 1)
  const steps = index - shownIndex
  const path = readPath()
  if (expectedSteps === 'ignore') {
    expectedSteps = undefined
    return
  }
  const isAccepted = expectedSteps === 'accept'
  expectedSteps = undefined
  const guard = guards.at(-1)
  if (guard && !isAccepted && path !== shownPath && steps !== 0) {
    // The address is reverted first, so that it matches the screen while the question is open.
    expectedSteps = 'ignore'
    history.go(-steps)
    guard(() => {
      expectedSteps = 'accept'
      if (isKnown) history.go(steps)
      else location.hash = path
    })
    return
  }
  shownPath = path
  shownIndex = index
  isReturn = isKnown
  notify()
}

/**
 * Opens an address.
 * @param address from `addressOf`, with `#`. `replace`: the current history entry is replaced. `isFinal`: skips the
 * guards, because their content was saved or discarded
 */
export function goTo(address: string, { replace = false, isFinal = false } = {}): void {
  const guard = guards.at(-1)
  if (guard && !isFinal) {
    guard(() => goTo(address, { replace, isFinal: true }))
    return
  }
  if (replace) history.replaceState(history.state, '', address)
  else {
    if (address === location.hash) return
    // Sets address and position at once; changing the hash would need two steps, each as long as rendering a small
    // screen.
    shownIndex += 1
    isReturn = false
    history.pushState({ index: shownIndex }, '', address)
  }
  shownPath = readPath()
  notify()
}

/** Guards every change of the address, and closing the window, until the returned function is called. */
export function guardAddress(ask: Guard): () => void {
  guards.push(ask)
  shownPath = readPath()
  window.addEventListener('beforeunload', holdUnload)
  return () => {
    const at = guards.indexOf(ask)
    if (at >= 0) guards.splice(at, 1)
    if (guards.length === 0) window.removeEventListener('beforeunload', holdUnload)
  }
}

function holdUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Whether the browser went back or forward to this entry; it then restores the scroll position itself. */
export function isReturning(): boolean {
  return isReturn
}
