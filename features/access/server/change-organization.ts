import type { GranularAction } from '@pc/domain/access/action.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { type OrganizationRow, readOrganization } from './organization-store.ts'

type OrganizationWrite = Write<GranularAction, 'iam:org.'>
type OrganizationResult = Promise<
  Result<
    OrganizationRow,
    Refusal<
      | 'name/hidden-characters'
      | 'organization/name-required'
      | 'organization/name-taken'
      | 'organization/not-found'
      | 'organization/in-use'
      | 'organization/has-records'
      | 'record/edited-by-other'
    >
  >
>

const MAX_NAME_LENGTH = 200
const RESOURCE = 'iam:org.'

function nameOf(typed: string): Result<string, Refusal<'name/hidden-characters' | 'organization/name-required'>> {
  const name = typed.normalize('NFC').trim()
  if (hasHiddenCharacter(name)) return refused(refusal('name/hidden-characters', ['name']))
  if (name === '' || [...name].length > MAX_NAME_LENGTH)
    return refused(refusal('organization/name-required', ['name'], { max: MAX_NAME_LENGTH }))
  return ok(name)
}

/**
 * Two organisations may have one name, but whoever gives it a second time has to say that it is meant: it is how one
 * company gets two records. Names are the same here as they are in a search (width, kana, spaces).
 */
async function sameName(
  { tx }: OrganizationWrite,
  name: string,
  own: bigint | undefined,
): Promise<Refusal<'organization/name-taken'> | undefined> {
  const { rows } = await sql<{ id: bigint; name: string }>`select id, name from organizations
    -- The part before the space is the normal form of the name; spaces do not count in it.
    where split_part(search_text, ' ', 1) = app.search_text(${name}) and id is distinct from ${own ?? null}::bigint
    order by id limit 3`.execute(tx)
  const [first] = rows
  if (!first) return undefined
  const ids = rows.map(row => row.id.toString()).join('、')
  return refusal('organization/name-taken', ['name'], { name: first.name, ids })
}

export interface SentName {
  readonly name: string
  /** That there may be another organisation of this name. */
  readonly confirmsSameName: boolean
}

export async function createOrganization(sent: SentName, write: OrganizationWrite): OrganizationResult {
  const parsed = nameOf(sent.name)
  if (!parsed.ok) return parsed
  const name = parsed.value
  const taken = sent.confirmsSameName ? undefined : await sameName(write, name, undefined)
  if (taken) return refused(taken)
  const made = await write.tx.insertInto('organizations').values({ name }).returning('id').executeTakeFirstOrThrow()
  const after = await readOrganization(write.tx, made.id, write.permit)
  if (!after) return refused(refusal('organization/not-found'))
  write.record({ action: 'create', resource: RESOURCE, rowId: made.id, before: null, after: { name } })
  return ok(after)
}

interface EditedName extends SentName {
  /** What the editing began with; null or undefined: not checked. */
  readonly expectedRevision: number | null | undefined
}

export async function updateOrganization(id: bigint, sent: EditedName, write: OrganizationWrite): OrganizationResult {
  const { tx, permit } = write
  const parsed = nameOf(sent.name)
  if (!parsed.ok) return parsed
  const name = parsed.value
  const before = await lockOrganization(id, write)
  if (!before) return refused(refusal('organization/not-found', ['id']))
  const { revision } = before
  const edit = { resource: RESOURCE, rowId: id, revision } as const
  const stale = await editedByOther(tx, { ...edit, expectedRevision: sent.expectedRevision })
  if (stale) return refused(stale)
  const taken = sent.confirmsSameName || name === before.name ? undefined : await sameName(write, name, id)
  if (taken) return refused(taken)
  await saveEdit(write, { ...edit, before: { name: before.name }, after: { name } }, () =>
    tx
      .updateTable('organizations')
      .set({ name, revision: revision + 1, updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute(),
  )
  return ok((await readOrganization(tx, id, permit)) ?? before)
}

/** The row's lock waits for whoever changes it too, and keeps new users and agreements out: their foreign keys need it. */
async function lockOrganization(id: bigint, { tx, permit }: OrganizationWrite): Promise<OrganizationRow | undefined> {
  const locked = await tx.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return locked && readOrganization(tx, id, permit)
}

/** Only an organisation that nobody and nothing belongs to; the refusal says what still does. */
export async function deleteOrganization(id: bigint, write: OrganizationWrite): OrganizationResult {
  const { tx } = write
  const before = await lockOrganization(id, write)
  if (!before) return refused(refusal('organization/not-found', ['id']))
  const used = await sql<{ users: number; agreements: number; publishers: number }>`select
    (select count(*)::int from users where organization_id = ${id}) as users,
    (select count(*)::int from agreements where organization_id = ${id}) as agreements,
    (select count(*)::int from publishers where organization_id = ${id}) as publishers`.execute(tx)
  const counts = used.rows[0] ?? { users: 0, agreements: 0, publishers: 0 }
  if (Object.values(counts).some(count => count > 0))
    return refused(refusal('organization/in-use', ['id'], { ...counts }))
  try {
    await tx.deleteFrom('organizations').where('id', '=', id).execute()
  } catch (error) {
    // Records that are kept for good name the organisation: past payments, announcements.
    if (readSqlRefusal(error)?.kind !== 'foreign-key') throw error
    return refused(refusal('organization/has-records', ['id']))
  }
  write.record({ action: 'delete', resource: RESOURCE, rowId: id, before: { name: before.name }, after: null })
  return ok(before)
}
