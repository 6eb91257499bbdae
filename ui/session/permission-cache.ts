import { SIGNED_OUT } from './session-ended.ts'

const STORAGE_KEY = 'pc-asked-rights'
/** Menus and the first screen have asked what they ask by then, and nothing is slowed. */
const KEEP_AFTER_MS = 2000

type Can = (action: string, resource: string) => boolean

interface Remembered {
  readonly user: string
  /** Answers of `can`, by the question. */
  readonly rights: Readonly<Record<string, boolean>>
}

const keyOf = (action: string, resource: string) => `${action} ${resource}`

/** What this page has asked so far. */
let current: Remembered | undefined

/**
 * Keeps in this browser what a person was allowed, of all that is asked in this page, so that the next start can ask for its
 * screen without waiting for the policies (docs/adr/0018). It decides nothing: the server does, and an answer to a question
 * that is not the screen's any more is not used.
 * @returns the same `can`
 */
export function rememberingCan(user: string, can: Can): Can {
  const rights: Record<string, boolean> = {}
  current = { user, rights }
  setTimeout(keep, KEEP_AFTER_MS)
  addEventListener('pagehide', keep)
  addEventListener(SIGNED_OUT, forgetRights)
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
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ user: current.user, rights } satisfies Remembered))
  } catch {
    // A browser that keeps nothing waits for the policies.
  }
}

/**
 * Whoever begins to see the system as somebody else may do less: nothing is asked that would be refused. And who signs out
 * leaves nothing behind for the next person at the same computer.
 */
export function forgetRights(): void {
  current = undefined
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing is kept.
  }
}

/** @returns `can` as it was answered the last time; it throws where that is not known */
export function rememberedCan(user: string): Can {
  const known = read()
  const isOwn = known?.user === user
  // Of somebody who did not sign out.
  if (known && !isOwn) forgetRights()
  return (action, resource) => {
    const may = isOwn ? known.rights[keyOf(action, resource)] : undefined
    if (may === undefined) throw new Error('not known yet')
    return may
  }
}

function read(): Remembered | undefined {
  try {
    const { user, rights } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Remembered>
    return user !== undefined && rights ? { user, rights } : undefined
  } catch {
    return undefined
  }
}
