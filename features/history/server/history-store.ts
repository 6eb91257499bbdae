import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface ChangedField {
  readonly name: string
  /** JSON; null when the field did not exist. */
  readonly before: string | null
  readonly after: string | null
}
export interface HistoryEntry {
  readonly seq: bigint
  readonly at: Date
  readonly action: string
  readonly actorUid: string | null
  readonly actorEmail: string | null
  readonly fields: readonly ChangedField[]
}

const READS = ['read-in-full', 'download']
/** Fields that every edit changes; they are not shown as changes. */
const SILENT = ['revision', 'updatedAt']

/**
 * The changes of a row, latest first. Reads of the row are left out.
 * Tested by `features/agreements/server/agreements-api.test.ts`.
 */
export async function listHistory(
  tx: Transaction,
  resource: ResourceName,
  rowId: string,
  page: Page,
): Promise<{ total: number; nodes: HistoryEntry[] }> {
  const rows = tx
    .selectFrom('auditLog as l')
    .where('l.resourceName', '=', resource)
    .where('l.rowId', '=', rowId)
    .where('l.action', 'not in', READS)
  const found = await rows
    .leftJoin('users as u', 'u.uid', 'l.actorUid')
    .select(['l.seq', 'l.at', 'l.action', 'l.actorUid', 'u.email as actorEmail', 'l.before', 'l.after'])
    .orderBy('l.seq', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  const nodes = found.map(({ before, after, ...entry }) => ({ ...entry, fields: differences(before, after) }))
  return { total: Number(counted.total), nodes }
}

function differences(before: unknown, after: unknown): ChangedField[] {
  const was = asRecord(before)
  const is = asRecord(after)
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(name => !SILENT.includes(name))
  return names
    .map(name => ({ name, before: asJson(was[name]), after: asJson(is[name]) }))
    .filter(field => field.before !== field.after)
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
