import { ROLES } from '@pc/domain/access/role.ts'
import { isStaff } from '@pc/domain/access/role-duties.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { PREFERENCE_BOUNDS } from '@pc/domain/preference/preference-key.ts'
import { type SavedViewContent, savedViewProblems } from '@pc/domain/preference/saved-view.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { findOwnView, type SavedViewRow } from './preference-store.ts'

export interface ViewInput extends SavedViewContent {
  /** Undefined: a new view. */
  readonly id: bigint | undefined
  readonly sharedWithRole: string | undefined
  readonly expectedRevision: number | undefined
}

type PreferenceWrite = Write<'read:show', 'iam:user.'>
type Refused = Refusal<RefusalCode>

/**
 * Saves a view under a name: a new one, or an own one with new content. Only staff can share views.
 * Tested by `features/preferences/server/preferences.test.ts`.
 */
export async function saveView(input: ViewInput, write: PreferenceWrite): Promise<Result<SavedViewRow, Refused>> {
  const { tx, permit, record } = write
  const { viewer } = permit
  const content = { ...input, name: input.name.trim() }
  const problems: Refused[] = [...savedViewProblems(content)]
  const role = content.sharedWithRole
  const isKnownRole = role === undefined || ROLES.some(one => one === role)
  if (!isKnownRole || (role !== undefined && !isStaff(viewer.roles)))
    problems.push(refusal('saved-view/sharing-not-allowed', ['input', 'sharedWithRole']))
  if (problems.length > 0) return refused(...problems)
  const { screen, name, condition } = content
  const values = {
    screen,
    name,
    condition,
    sharedWithRole: role ?? null,
    columns: content.columns === undefined ? null : [...content.columns],
  }
  const before = input.id === undefined ? undefined : await lockOwnView(tx, viewer, input.id)
  if (input.id !== undefined && !before) return refused(refusal('record/not-found', ['input', 'id']))
  if (before) {
    const { revision, id } = before
    const rowId = rowIdOf(viewer, id)
    const { expectedRevision } = input
    const stale = await editedByOther(tx, { resource: 'iam:user.', rowId, revision, expectedRevision })
    if (stale) return refused(stale)
  }
  const blocked = await nameProblem(tx, viewer, { screen, name, id: before?.id })
  if (blocked) return refused(blocked)
  const written = await unlessNameTaken(async () => {
    if (!before) return insertView(tx, viewer, values)
    const changed = { ...values, revision: before.revision + 1, updatedAt: sql<Date>`now()` }
    await tx.updateTable('savedViews').set(changed).where('id', '=', before.id).execute()
    return before.id
  })
  if (!written.ok) return written
  const id = written.value
  const saved = (await findOwnView(tx, viewer, id))!
  record({
    action: before ? 'update' : 'create',
    resource: 'iam:user.',
    rowId: rowIdOf(viewer, id),
    before: before ?? null,
    after: saved,
  })
  return ok(saved)
}

/** Deletes an own view or, after a mistake, restores it. */
export async function removeView(
  id: bigint,
  isDeleted: boolean,
  { tx, permit, record, recordNothing }: PreferenceWrite,
): Promise<Result<SavedViewRow, Refused>> {
  const { viewer } = permit
  const view = await lockOwnView(tx, viewer, id)
  if (!view) return refused(refusal('record/not-found', ['id']))
  if (view.isDeleted === isDeleted) {
    recordNothing()
    return ok(view)
  }
  if (!isDeleted) {
    const blocked = await nameProblem(tx, viewer, { screen: view.screen, name: view.name, id })
    if (blocked) return refused(blocked)
  }
  const revision = view.revision + 1
  const deletedAt = isDeleted ? sql<Date>`now()` : null
  await tx.updateTable('savedViews').set({ deletedAt, revision }).where('id', '=', id).execute()
  const after = { ...view, revision, isDeleted }
  record({
    action: isDeleted ? 'delete' : 'restore',
    resource: 'iam:user.',
    rowId: rowIdOf(viewer, id),
    before: view,
    after,
  })
  return ok(after)
}

const rowIdOf = ({ uid }: Viewer, id: bigint) => `${uid}/views/${id}`

async function lockOwnView(tx: Transaction, viewer: Viewer, id: bigint) {
  const locked = await tx
    .selectFrom('savedViews')
    .select('deletedAt')
    .where('id', '=', id)
    .where('uid', '=', viewer.uid)
    .forUpdate()
    .executeTakeFirst()
  const view = locked && (await findOwnView(tx, viewer, id))
  return view && { ...view, isDeleted: locked.deletedAt !== null }
}

async function nameProblem(
  tx: Transaction,
  { uid }: Viewer,
  { screen, name, id }: { screen: string; name: string; id: bigint | undefined },
): Promise<Refused | undefined> {
  const rows = await tx
    .selectFrom('savedViews')
    .select(['id', 'name'])
    .where('uid', '=', uid)
    .where('screen', '=', screen)
    .where('deletedAt', 'is', null)
    .execute()
  const others = rows.filter(row => row.id !== id)
  if (others.some(row => row.name === name)) return refusal('saved-view/name-taken', ['input', 'name'])
  const max = PREFERENCE_BOUNDS.viewsOfScreen
  return others.length >= max ? refusal('saved-view/too-many', ['input'], { max }) : undefined
}

/** Between check and write another request may take the name: a second click, or another tab. */
async function unlessNameTaken(write: () => Promise<bigint>): Promise<Result<bigint, Refused>> {
  try {
    return ok(await write())
  } catch (error) {
    const known = { saved_views_name: { code: 'saved-view/name-taken', path: ['input', 'name'] } } as const
    return refused(refusalOfConstraint<RefusalCode>(error, known))
  }
}

async function insertView(
  tx: Transaction,
  { uid }: Viewer,
  values: {
    readonly screen: string
    readonly name: string
    readonly condition: string
    readonly columns: string[] | null
    readonly sharedWithRole: string | null
  },
): Promise<bigint> {
  const { id } = await tx
    .insertInto('savedViews')
    .values({ uid, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
