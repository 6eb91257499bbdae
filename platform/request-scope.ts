import { AsyncLocalStorage } from 'node:async_hooks'

/** Values cached for one request, by owner object. */
interface RequestScope {
  readonly kept: Map<object, unknown>
  readonly endings: (() => void)[]
  isOver: boolean
}

const scopes = new AsyncLocalStorage<RequestScope>()

/** Runs a request that changes nothing. {@link keptOfRequest} returns the same values until it ends. */
export async function inRequestScope<T>(work: () => Promise<T> | T): Promise<T> {
  const scope: RequestScope = { kept: new Map(), endings: [], isOver: false }
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.isOver = true
    for (const end of scope.endings) end()
  }
}

/** Undefined outside of a request, and in work that continues after its answer. */
export function currentRequestScope(): RequestScope | undefined {
  const scope = scopes.getStore()
  return scope?.isOver ? undefined : scope
}

/** Caches a value for the current request; outside of one, `make` runs at each call. Failures are not cached. */
export async function keptOfRequest<T>(owner: object, make: () => Promise<T>): Promise<T> {
  const scope = currentRequestScope()
  if (!scope) return make()
  const made = (scope.kept.get(owner) as Promise<T> | undefined) ?? make()
  scope.kept.set(owner, made)
  try {
    return await made
  } catch (cause) {
    scope.kept.delete(owner)
    throw cause
  }
}
