import { expect, test } from 'vitest'
import type { Change } from './record-change.ts'
import { type ContentEdit, saveEdit } from './save-edit.ts'

interface Note {
  readonly text: string
  readonly publisherId: bigint | null
  readonly startAt: Date
  readonly tiles: readonly { readonly id: string; readonly width: number }[]
}
const stored: Note = {
  text: '特集',
  publisherId: 2n ** 60n,
  startAt: new Date('2026-11-20T09:00:00+09:00'),
  tiles: [{ id: 'a', width: 2 }],
}

async function editTo(after: Note) {
  const changes: Change[] = []
  let nothing = 0
  let saved: readonly (keyof Note)[] | undefined
  const edit: ContentEdit<Note> = { resource: 'insight:board.', rowId: 7n, revision: 3, before: stored, after }
  await saveEdit(
    { record: change => void changes.push(change), recordNothing: () => (nothing += 1) },
    edit,
    async names => {
      saved = names
    },
  )
  return { changes, nothing, saved }
}

test('a form that was sent as it was opened saves nothing and notes nothing', async () => {
  const same = { ...stored, startAt: new Date(stored.startAt), tiles: [{ width: 2, id: 'a' }] }
  expect(await editTo(same)).toEqual({ changes: [], nothing: 1, saved: undefined })
})

test('only the fields that differ are noted, each with both values, under the next revision', async () => {
  const { changes, nothing, saved } = await editTo({ ...stored, publisherId: null, tiles: [] })
  expect([nothing, saved]).toEqual([0, ['publisherId', 'tiles']])
  expect(changes).toEqual([
    {
      action: 'update',
      resource: 'insight:board.',
      rowId: 7n,
      before: { publisherId: 2n ** 60n, tiles: [{ id: 'a', width: 2 }], revision: 3 },
      after: { publisherId: null, tiles: [], revision: 4 },
    },
  ])
})
