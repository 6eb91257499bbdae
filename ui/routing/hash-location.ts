import { useSyncExternalStore } from 'react'

/**
 * The address inside the page: what follows `#`. Links are plain `<a href="#/…">`; this hears of every change, and
 * takes it back while a guard wants to ask first. Every entry of the browser's history carries its position, so that
 * a step can be told from a link, and be undone by as many steps.
 */
const listeners = new Set<() => void>()
let shownPath = ''
let shownIndex = 0
let isReturn = false
/** A step that this module itself made: heard of, but not to be judged. */
let expectedSteps: 'ignore' | 'accept' | undefined
/** The last one is asked: a dialog's lies above its form's. */
const guards: Guard[] = []

/** Asked before the address changes; it calls `proceed` once the person agrees, or never. */
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

/** @param read what of the path is needed: as long as that stays the same, nothing is drawn again */
export function useHashPath(read: (path: string) => string = whole): string {
  return useSyncExternalStore(subscribe, () => read(guards.length === 0 ? readPath() : shownPath))
}

const whole = (path: string) => path

/** Passes an answer on, once. It is no when the address changes first: the question was about the one before. */
export function answerHere(give: (isYes: boolean) => void): (isYes: boolean) => void {
  const from = shownPath
  const answer = (isYes: boolean) => {
    stop()
    give(isYes)
  }
  const stop = subscribe(() => shownPath === from || answer(false))
  return answer
}

/** @returns the position of the present entry, which gets `fresh` when it has none yet. */
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
    // The address goes back first: while the question stands, it names what is on the screen.
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
 * @param address as from `addressOf`, with `#`. `replace`: the way back leads past the present address.
 * `isFinal`: what the guard protects has been saved or given up.
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
    // Address and position in one step; a change of the hash would need two, each as long as drawing a small screen.
    shownIndex += 1
    isReturn = false
    history.pushState({ index: shownIndex }, '', address)
  }
  shownPath = readPath()
  notify()
}

/** Holds every change of the address, and closing the window, until the returned function is called. */
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

/** True when the browser came back to this entry of its history: it restores the scroll position itself then. */
export function isReturning(): boolean {
  return isReturn
}
