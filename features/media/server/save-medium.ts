import {
  checkMedium,
  checkMediumNumber,
  MEDIUM_BOUNDS,
  MEDIUM_FIELD_NAMES,
  type MediumFields,
  NEW_MEDIUM,
  plainMedium,
} from '@pc/domain/medium/medium.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { fieldsOf } from '@pc/domain/record/record-fields.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { findMedia, type MediumRow } from './medium-store.ts'

/** Absent fields stay unchanged. Defaults of a new medium: the next number, a code made from the number, the last position. */
export type MediumInput = Partial<MediumFields>

type Refused = Refusal<RefusalCode>
const RESOURCE = 'insight:medium.'
const PATH = ['param']

export async function createMedium(
  { number, ...input }: MediumInput & { readonly number?: bigint | undefined },
  { tx, record }: Write<'write:create', typeof RESOURCE>,
  today: Day,
): Promise<Result<MediumRow, Refused>> {
  await lockMediaTable(tx)
  const last = await tx
    .selectFrom('media')
    .select(eb => [eb.fn.max('id').as('id'), eb.fn.max('displayOrder').as('displayOrder')])
    .executeTakeFirst()
  const id = number ?? (last?.id ?? 0n) + 1n
  const displayOrder = Math.min((last?.displayOrder ?? 0) + 1, MEDIUM_BOUNDS.displayOrder)
  const given = plainMedium({ ...NEW_MEDIUM, displayOrder, ...input })
  const wrong = [...checkMediumNumber(id, [...PATH, 'id']), ...checkMedium(given, PATH)]
  if (wrong.length > 0) return refused(...wrong)
  const content = given.code === '' ? { ...given, code: `medium-${id}` } : given
  const taken = await takenByOthers(tx, id, content, true)
  if (taken.length > 0) return refused(...taken)
  await tx
    .insertInto('media')
    .values({ id, ...content })
    .execute()
  record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: { id, ...content, revision: 1 } })
  return ok(await whole(tx, id, today))
}

/** Changes the sent fields; the number (id) cannot change. An empty code is made from the number. */
export async function updateMedium(
  id: bigint,
  input: MediumInput,
  expectedRevision: number | null | undefined,
  write: Write<'write:update', typeof RESOURCE>,
  today: Day,
): Promise<Result<MediumRow, Refused>> {
  const { tx } = write
  await lockMediaTable(tx)
  const [stored] = await findMedia(tx, [id], today)
  if (!stored) return refused(refusal('record/not-found', ['id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const before = fieldsOf(MEDIUM_FIELD_NAMES, stored)
  const given = plainMedium({ ...before, ...input })
  const wrong = checkMedium(given, PATH)
  if (wrong.length > 0) return refused(...wrong)
  const after = given.code === '' ? { ...given, code: `medium-${id}` } : given
  const taken = await takenByOthers(tx, id, after, false)
  if (taken.length > 0) return refused(...taken)
  await saveEdit(write, { resource: RESOURCE, rowId: id, revision, before, after }, () =>
    tx
      .updateTable('media')
      .set(eb => ({ ...after, revision: revision + 1, updatedAt: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .execute(),
  )
  return ok(await whole(tx, id, today))
}

/**
 * Serialises changes of media, because numbers, names and codes are compared with all others. Readers do not wait, nor do
 * writers of agreements and rules, which lock only rows (`readLockedMedia`).
 */
async function lockMediaTable(tx: Transaction): Promise<void> {
  await sql`lock table media in share row exclusive mode`.execute(tx)
}

/** Refusals for a name or code that another medium has: filters list media by name, so names must be unique. */
async function takenByOthers(
  tx: Transaction,
  id: bigint,
  { name, code }: MediumFields,
  isNew: boolean,
): Promise<readonly Refused[]> {
  const sameName = sql<boolean>`lower(normalize(btrim(name), nfkc)) = lower(normalize(${name}, nfkc))`
  const rows = await tx
    .selectFrom('media')
    .select(['id', 'name', 'code', sameName.as('hasSameName')])
    .where(eb => eb.or([eb('id', '=', id), eb('code', '=', code), sameName]))
    .execute()
  const others = rows.filter(row => row.id !== id)
  const ofNumber = isNew ? rows.find(row => row.id === id) : undefined
  const ofName = others.find(row => row.hasSameName)
  const ofCode = others.find(row => row.code === code)
  return [
    ...(ofNumber
      ? [refusal('medium/number-taken', [...PATH, 'id'], { number: String(id), name: ofNumber.name } as const)]
      : []),
    ...(ofName ? [refusal('medium/name-taken', [...PATH, 'name'], { number: String(ofName.id) } as const)] : []),
    ...(ofCode ? [refusal('medium/code-taken', [...PATH, 'code'], { code, name: ofCode.name } as const)] : []),
  ]
}

async function whole(tx: Transaction, id: bigint, today: Day): Promise<MediumRow> {
  const [row] = await findMedia(tx, [id], today)
  if (!row) throw new Error('a medium that was just written is gone')
  return row
}
