import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { sql } from 'kysely'
import { dayAt } from '../clock.ts'
import type { Transaction } from '../postgres/database.ts'

export interface Edit {
  readonly resource: ResourceName
  readonly rowId: bigint | string
  /** The stored revision, from a row that this transaction has locked with `for update`. */
  readonly revision: number
  /** The revision that the form was opened with; null or undefined: no check. */
  readonly expectedRevision: number | null | undefined
}

/**
 * Optimistic locking: the refusal when another person saved the record since the form was opened. It says who, when
 * (Tokyo time) and which fields differ, as far as this transaction may read the audit log. Undefined: no conflict; save
 * with `revision + 1`. Tested by `platform/graphql/mutation.test.ts`.
 */
export async function editedByOther(
  tx: Transaction,
  edit: Edit,
): Promise<Refusal<'record/edited-by-other'> | undefined> {
  const { resource, rowId, revision, expectedRevision } = edit
  if (expectedRevision === null || expectedRevision === undefined || expectedRevision === revision) return undefined
  const edits = await tx
    .selectFrom('auditLog as l')
    .leftJoin('users as u', 'u.uid', 'l.actorUid')
    .select(['l.at', 'l.before', 'l.after', 'u.email'])
    .where('l.resourceName', '=', resource)
    .where('l.rowId', '=', String(rowId))
    .where(sql<boolean>`(l.after ->> 'revision')::integer > ${expectedRevision}`)
    .orderBy('l.seq')
    .execute()
  const last = edits.at(-1)
  const changed = new Set(edits.flatMap(one => changedFields(one.before, one.after)))
  changed.delete('revision')
  changed.delete('updatedAt')
  return refusal('record/edited-by-other', ['expectedRevision'], {
    revision,
    editedBy: last?.email ?? '',
    editedAt: last ? tokyoMinute(last.at) : '',
    changedFields: [...changed].sort().join(','),
  })
}

function changedFields(before: unknown, after: unknown): string[] {
  const was = asRecord(before)
  const is = asRecord(after)
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    name => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function tokyoMinute(at: Date): string {
  const time = new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(11, 16)
  return `${dayAt(at.getTime())} ${time}`
}
