import { isDeepStrictEqual } from 'node:util'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Change } from './record-change.ts'

export interface ContentEdit<Content extends object> {
  readonly resource: ResourceName
  readonly rowId: bigint | string
  /** The stored revision; the edit is saved with the next one. */
  readonly revision: number
  /** The editable fields as stored and as sent. Both sides have the same fields. */
  readonly before: Content
  readonly after: Content
}
interface Notes {
  record(change: Change): void
  recordNothing(): void
}

/**
 * Saves an edit only if a field differs, and records just those fields in the audit log. A form that is sent unchanged
 * raises no revision. Returns what `save` returns, undefined when nothing differed.
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
