import type { GranularAction } from '@pc/domain/access/action.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { type AddressRefusal, type PostalAddress, readPostalAddress } from '@pc/domain/text/postal-address.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { type OrganizationRow, readOrganization } from './organization-store.ts'

type OrganizationWrite = Write<GranularAction, 'iam:org.'>
type NameRefusal =
  | Refusal<'name/hidden-characters' | 'organization/name-required' | 'organization/name-taken'>
  | AddressRefusal
type OrganizationResult = Promise<
  Result<
    OrganizationRow,
    | NameRefusal
    | Refusal<'organization/not-found' | 'organization/in-use' | 'organization/has-records' | 'record/edited-by-other'>
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

const NO_ADDRESS: PostalAddress = { postalCode: '', address: '' }

/** What an organisation is saved with; what is not sent stays as it was before. */
function valuesOf(
  sent: SentOrganization,
  before: PostalAddress,
): Result<PostalAddress & { readonly name: string }, NameRefusal> {
  const name = nameOf(sent.name)
  const { postalCode, address } = before
  const where = readPostalAddress({ postalCode: sent.postalCode ?? postalCode, address: sent.address ?? address })
  if (!name.ok || !where.ok) {
    const refusals: NameRefusal[] = [...(name.ok ? [] : name.refusals), ...(where.ok ? [] : where.refusals)]
    return refused(...refusals)
  }
  return ok({ name: name.value, ...where.value })
}

/** What the log keeps of an organisation. */
const addressedName = ({ name, postalCode, address }: OrganizationRow) => ({ name, postalCode, address })

/**
 * Two organisations may have one name, but a person who gives it a second time has to say that it is meant: it is how one
 * company gets two records. Names are the same here as they are in a search (width, kana, spaces).
 */
async function sameNames(
  { tx }: OrganizationWrite,
  names: readonly { readonly name: string; readonly own: bigint | undefined }[],
): Promise<readonly (Refusal<'organization/name-taken'> | undefined)[]> {
  const { rows } = await sql<{ place: number; id: bigint; name: string }>`select n.place::integer as place, o.id, o.name
    from unnest(${names.map(one => one.name)}::text[], ${names.map(one => one.own ?? null)}::bigint[])
      with ordinality n (name, own, place)
    -- The part before the space is the normal form of the name; spaces do not count in it.
    join organizations o on split_part(o.search_text, ' ', 1) = app.search_text(n.name) and o.id is distinct from n.own
    order by o.id`.execute(tx)
  const found = Map.groupBy(rows, row => row.place)
  return names.map((_one, index) => {
    const [first, ...others] = found.get(index + 1) ?? []
    if (!first) return undefined
    const ids = [first, ...others].slice(0, 3).map(row => row.id.toString())
    return refusal('organization/name-taken', ['name'], { name: first.name, ids: ids.join('、') })
  })
}

export interface SentOrganization {
  readonly name: string
  /** Null or undefined: it stays as it is, in a new organisation empty. */
  readonly postalCode?: string | null | undefined
  readonly address?: string | null | undefined
  /** That there may be another organisation of this name. */
  readonly confirmsSameName: boolean
}

export async function createOrganization(sent: SentOrganization, write: OrganizationWrite): OrganizationResult {
  const made = await createOrganizations([sent], write)
  if (!made.ok) return refused(...outOfPlace(made.refusals))
  const after = await readOrganization(write.tx, made.value[0] ?? 0n, write.permit)
  return after ? ok(after) : refused(refusal('organization/not-found'))
}

/** All of them, or none where one is refused. */
export async function createOrganizations(
  all: readonly SentOrganization[],
  write: OrganizationWrite,
): Promise<Result<readonly bigint[], NameRefusal>> {
  const parsed = all.map(sent => valuesOf(sent, NO_ADDRESS))
  const wrong = parsed.flatMap((one, place) => (one.ok ? [] : inPlace(place, one.refusals)))
  if (wrong.length > 0) return { ok: false, refusals: wrong }
  const values = parsed.flatMap(one => (one.ok ? [one.value] : []))
  const made = await write.tx
    .insertInto('organizations')
    .values(values)
    .returning(['id', 'name', 'postalCode', 'address'])
    .execute()
  // Afterwards: each name is compared with the other new ones too.
  const own = made.map(({ id, name }) => ({ name, own: id }))
  const taken = (await sameNames(write, own)).flatMap((one, place) =>
    one && !all[place]?.confirmsSameName ? inPlace(place, [one]) : [],
  )
  if (taken.length > 0) return { ok: false, refusals: taken }
  for (const { id, ...after } of made)
    write.record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after })
  return ok(made.map(({ id }) => id))
}

interface EditedOrganization extends SentOrganization {
  /** What the editing began with; null or undefined: not checked. */
  readonly expectedRevision: number | null | undefined
}

export async function updateOrganization(
  id: bigint,
  sent: EditedOrganization,
  write: OrganizationWrite,
): OrganizationResult {
  const { tx, permit } = write
  const before = await lockOrganization(id, write)
  if (!before) return refused(refusal('organization/not-found', ['id']))
  const parsed = valuesOf(sent, before)
  if (!parsed.ok) return parsed
  const after = parsed.value
  const { name } = after
  const { revision } = before
  const edit = { resource: RESOURCE, rowId: id, revision } as const
  const stale = await editedByOther(tx, { ...edit, expectedRevision: sent.expectedRevision })
  if (stale) return refused(stale)
  const [taken] = sent.confirmsSameName || name === before.name ? [] : await sameNames(write, [{ name, own: id }])
  if (taken) return refused(taken)
  await saveEdit(write, { ...edit, before: addressedName(before), after }, () =>
    tx
      .updateTable('organizations')
      .set({ ...after, revision: revision + 1, updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute(),
  )
  return ok((await readOrganization(tx, id, permit)) ?? before)
}

/** The row's lock waits for a person who changes it too, and keeps new users and agreements out: their foreign keys need it. */
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
  write.record({ action: 'delete', resource: RESOURCE, rowId: id, before: addressedName(before), after: null })
  return ok(before)
}
