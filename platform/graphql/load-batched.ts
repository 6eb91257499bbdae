import type { GraphContext } from './graph.ts'

/** A row's key: an id, or the uid of a user. */
type Key = bigint | string

interface Batch {
  readonly ids: Set<Key>
  readonly loaded: Promise<ReadonlyMap<Key, unknown>>
}

const open = new WeakMap<GraphContext, Map<string, Batch>>()

type Load<Id extends Key, Value> = (ids: readonly Id[]) => Promise<ReadonlyMap<Id, Value>>

/**
 * DataLoader for a field of a row in a list: one `load` for the ids of all rows. `name` identifies the batch; the
 * `load` of the first caller is used for all. Undefined: nothing was found for this id.
 */
export async function loadBatched<Id extends Key, Value>(
  context: GraphContext,
  name: string,
  id: Id,
  load: Load<Id, Value>,
): Promise<Value | undefined> {
  const batches = open.get(context) ?? new Map<string, Batch>()
  open.set(context, batches)
  const batch = batches.get(name) ?? newBatch(batches, name, load)
  batch.ids.add(id)
  return (await batch.loaded).get(id) as Value | undefined
}

const kept = new WeakMap<GraphContext, Map<string, Map<Key, unknown>>>()

/** Stores what a list has already loaded for all of its rows, for {@link useBatched}. */
export function keepLoaded(context: GraphContext, name: string, loaded: ReadonlyMap<Key, unknown>): void {
  const names = kept.get(context) ?? new Map<string, Map<Key, unknown>>()
  kept.set(context, names)
  const values = names.get(name) ?? new Map<Key, unknown>()
  names.set(name, values)
  for (const [id, value] of loaded) values.set(id, value)
}

/**
 * {@link loadBatched} followed by `use`. Synchronous when the list has stored the values before, which saves each row
 * its promises.
 */
export function useBatched<Id extends Key, Value, Used>(
  context: GraphContext,
  name: string,
  id: Id,
  load: Load<Id, Value>,
  use: (value: Value | undefined) => Used,
): Used | Promise<Used> {
  const values = kept.get(context)?.get(name)
  return values?.has(id) ? use(values.get(id) as Value | undefined) : loadBatched(context, name, id, load).then(use)
}

function newBatch<Id extends Key, Value>(batches: Map<string, Batch>, name: string, load: Load<Id, Value>): Batch {
  const ids = new Set<Key>()
  // `setImmediate`: the synchronous resolvers of all rows run first, so that the batch holds all of their ids.
  const loaded = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
    batches.delete(name)
    return load([...ids] as Id[])
  })
  const batch = { ids, loaded }
  batches.set(name, batch)
  return batch
}
