import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface PreferenceRow {
  readonly key: string
  /** JSON. */
  readonly value: string
}

/** A person's preferences by key. Filters by person, because the scope of the transaction may be wider. */
export async function readPreferences(
  tx: Transaction,
  { uid }: Pick<Viewer, 'uid'>,
  keys: readonly string[],
  /** Locks the rows until the transaction ends. */
  { isLocked = false } = {},
): Promise<readonly PreferenceRow[]> {
  if (keys.length === 0) return []
  const rows = await tx
    .selectFrom('preferences')
    .select(['key', 'value'])
    .where('uid', '=', uid)
    .where('key', 'in', keys)
    .orderBy('key')
    .$if(isLocked, query => query.forUpdate())
    .execute()
  return rows.map(({ key, value }) => ({ key, value: JSON.stringify(value) }))
}

export interface SavedViewRow {
  readonly id: bigint
  readonly screen: string
  readonly name: string
  readonly condition: string
  readonly columns: readonly string[] | null
  readonly sharedWithRole: string | null
  readonly isOwn: boolean
  readonly ownerEmail: string
  readonly revision: number
}

/** The views of a screen that a person may use: own ones, and those shared with one of the person's roles. */
export async function readSavedViews(tx: Transaction, viewer: Viewer, screen: string): Promise<SavedViewRow[]> {
  const rows = await selectViews(tx)
    .where('v.screen', '=', screen)
    .where('v.deletedAt', 'is', null)
    .where(eb =>
      eb.or([
        eb('v.uid', '=', viewer.uid),
        ...(viewer.roles.length > 0 ? [eb('v.sharedWithRole', 'in', [...viewer.roles])] : []),
      ]),
    )
    .orderBy('v.name')
    .orderBy('v.id')
    .execute()
  return rows.map(row => viewOf(row, viewer))
}

/** A view that the viewer saved; undefined for other people's. */
export async function findOwnView(tx: Transaction, viewer: Viewer, id: bigint): Promise<SavedViewRow | undefined> {
  const row = await selectViews(tx).where('v.id', '=', id).where('v.uid', '=', viewer.uid).executeTakeFirst()
  return row && viewOf(row, viewer)
}

function selectViews(tx: Transaction) {
  return tx
    .selectFrom('savedViews as v')
    .leftJoin('users as u', 'u.uid', 'v.uid')
    .select(['v.id', 'v.uid', 'v.screen', 'v.name', 'v.condition', 'v.columns', 'v.sharedWithRole', 'v.revision'])
    .select('u.email as ownerEmail')
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectViews>['executeTakeFirstOrThrow']>>

function viewOf({ uid, ownerEmail, ...row }: Selected, viewer: Viewer): SavedViewRow {
  const isOwn = uid === viewer.uid
  // Only staff learn which member of staff shared it.
  const mayKnow = isOwn || viewer.scope.kind === 'all'
  return { ...row, isOwn, ownerEmail: mayKnow ? (ownerEmail ?? '') : '' }
}
