import type { GraphContext } from './graph.ts'

interface Batch {
  readonly ids: Set<bigint>
  readonly loaded: Promise<ReadonlyMap<bigint, unknown>>
}

const open = new WeakMap<GraphContext, Map<string, Batch>>()

/**
 * For a field of a row in a list: the ids that the rows of one answer ask for are read in one go. `name` tells apart what
 * is loaded; `load` of the first row of a batch does it for all. Undefined: nothing was found for this id.
 */
export async function loadBatched<Value>(
  context: GraphContext,
  name: string,
  id: bigint,
  load: (ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, Value>>,
): Promise<Value | undefined> {
  const batches = open.get(context) ?? new Map<string, Batch>()
  open.set(context, batches)
  const batch = batches.get(name) ?? newBatch(batches, name, load)
  batch.ids.add(id)
  return (await batch.loaded).get(id) as Value | undefined
}

function newBatch<Value>(
  batches: Map<string, Batch>,
  name: string,
  load: (ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, Value>>,
): Batch {
  const ids = new Set<bigint>()
  // All rows of a list are resolved before anything that waits goes on.
  const loaded = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
    batches.delete(name)
    return load([...ids])
  })
  const batch = { ids, loaded }
  batches.set(name, batch)
  return batch
}
