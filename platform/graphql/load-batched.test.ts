import { expect, test } from 'vitest'
import type { GraphContext } from './graph.ts'
import { keepLoaded, useBatched } from './load-batched.ts'

const aContext = () => ({ permits: new Map() }) as unknown as GraphContext

test('what the list has read is used at once, everything else is read in one go', async () => {
  const context = aContext()
  const loads: (readonly bigint[])[] = []
  const load = async (ids: readonly bigint[]) => {
    loads.push(ids)
    return new Map(ids.filter(id => id < 9n).map(id => [id, `read ${id}`]))
  }
  keepLoaded(context, 'rows', new Map([[1n, 'kept 1']]))
  keepLoaded(context, 'rows', new Map([[2n, 'kept 2']]))
  const used = [1n, 2n, 3n, 4n, 9n].map(id => useBatched(context, 'rows', id, load, (value = 'none') => value))
  expect(used.slice(0, 2)).toEqual(['kept 1', 'kept 2'])
  expect(await Promise.all(used)).toEqual(['kept 1', 'kept 2', 'read 3', 'read 4', 'none'])
  expect(loads).toEqual([[3n, 4n, 9n]])
})

test('nothing that was kept is seen under another name or in another request', async () => {
  const context = aContext()
  keepLoaded(context, 'rows', new Map([[1n, 'kept']]))
  const load = async (ids: readonly bigint[]) => new Map(ids.map(id => [id, 'read']))
  const use = (value: string | undefined) => value
  expect(await useBatched(context, 'others', 1n, load, use)).toBe('read')
  expect(await useBatched(aContext(), 'rows', 1n, load, use)).toBe('read')
})
