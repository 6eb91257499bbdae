import { AsyncLocalStorage } from 'node:async_hooks'

/** What one request keeps until its answer is complete, by owner. */
interface RequestScope {
  readonly kept: Map<object, unknown>
  readonly endings: (() => void)[]
  isOver: boolean
}

const scopes = new AsyncLocalStorage<RequestScope>()

/** All that `work` reads through {@link keptOfRequest} stays the same until it ends. For requests that change nothing. */
export async function inRequestScope<T>(work: () => Promise<T> | T): Promise<T> {
  const scope: RequestScope = { kept: new Map(), endings: [], isOver: false }
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.isOver = true
    for (const end of scope.endings) end()
  }
}

/** Undefined outside of a request, and in what goes on after its answer. */
export function currentRequestScope(): RequestScope | undefined {
  const scope = scopes.getStore()
  return scope?.isOver ? undefined : scope
}

/** The same value at every call of one request; each time another one outside of a request. A failure is not kept. */
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
