import { isDeepStrictEqual } from 'node:util'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Change } from './record-change.ts'

export interface ContentEdit<Content extends object> {
  readonly resource: ResourceName
  readonly rowId: bigint | string
  /** Of the row as it is stored; it is saved with the next one. */
  readonly revision: number
  /** What the person may edit, as it is stored and as it was sent: the same fields on both sides. */
  readonly before: Content
  readonly after: Content
}
interface Notes {
  record(change: Change): void
  recordNothing(): void
}

/**
 * Saves an edit when it differs from what is stored, and notes the fields that do: a form that was sent as it was opened
 * raises no revision and leaves no trace. Answers what `save` answers, undefined when there was nothing to save.
 */
export async function saveEdit<Content extends object, Saved>(
  { record, recordNothing }: Notes,
  { resource, rowId, revision, before, after }: ContentEdit<Content>,
  save: (changed: readonly (keyof Content)[]) => Promise<Saved>,
): Promise<Saved | undefined> {
  const changed = (Object.keys(after) as (keyof Content)[]).filter(
    name => !isDeepStrictEqual(before[name], after[name]),
  )
  if (changed.length === 0) {
    recordNothing()
    return undefined
  }
  const saved = await save(changed)
  const only = (content: Content) => Object.fromEntries(changed.map(name => [name, content[name]]))
  record({
    action: 'update',
    resource,
    rowId,
    before: { ...only(before), revision },
    after: { ...only(after), revision: revision + 1 },
  })
  return saved
}
