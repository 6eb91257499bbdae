const STORAGE_KEY = 'pc-asked-rights'

/** Answers of `Viewer.can`, by the question. */
type Rights = Readonly<Record<string, boolean>>

interface Remembered {
  readonly user: string
  readonly rights: Rights
}

type Can = (action: string, resource: string) => boolean

const keyOf = (action: string, resource: string) => `${action} ${resource}`

/** @returns `can`, and a record of what it has been asked */
export function recorded(can: Can): { readonly can: Can; readonly rights: Rights } {
  const rights: Record<string, boolean> = {}
  return {
    rights,
    can(action, resource) {
      const may = can(action, resource)
      rights[keyOf(action, resource)] = may
      return may
    },
  }
}

/**
 * Keeps in this browser what a person was allowed, so that the next start can ask for its screen without waiting for the
 * policies (docs/adr/0018). It decides nothing: the server does, and an answer to a question that is not the screen's any
 * more is not used.
 */
export function rememberRights(user: string, rights: Rights): void {
  const known = read()
  const all = known?.user === user ? { ...known.rights, ...rights } : rights
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ user, rights: all } satisfies Remembered))
  } catch {
    // A browser that keeps nothing waits for the policies.
  }
}

/** Whoever begins to see the system as somebody else may do less: nothing is asked that would be refused. */
export function forgetRights(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing is kept.
  }
}

/** @returns `can` as it was answered the last time; it throws where that is not known */
export function rememberedCan(user: string): Can {
  const known = read()
  return (action, resource) => {
    const may = known?.user === user ? known.rights[keyOf(action, resource)] : undefined
    if (may === undefined) throw new Error('not known yet')
    return may
  }
}

function read(): Remembered | undefined {
  try {
    const known = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Remembered>
    return known.user !== undefined && known.rights ? { user: known.user, rights: known.rights } : undefined
  } catch {
    return undefined
  }
}
