import { isPreferenceKey, PREFERENCE_BOUNDS } from '@pc/domain/preference/preference-key.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { sql } from 'kysely'
import { type PreferenceRow, readPreferences } from './preference-store.ts'

interface PreferenceInput {
  readonly key: string
  /** JSON; undefined: the default holds again. */
  readonly value: string | undefined
  /** JSON of what the caller knew of, null for nothing; undefined: not compared. */
  readonly expectedValue: string | null | undefined
}

/**
 * Keeps what the caller has chosen under a key. Chosen elsewhere since the caller looked: refused with what is kept now, JSON
 * or an empty text, so that no choice undoes another unseen.
 */
export async function savePreference(
  { key, value, expectedValue }: PreferenceInput,
  { tx, permit, record, recordNothing }: Write<'read:show', 'iam:user.'>,
): Promise<Result<PreferenceRow | null, Refusal<RefusalCode>>> {
  if (!isPreferenceKey(key)) return refused(refusal('preference/key-invalid', ['key']))
  const { valueBytes, preferencesOfOne } = PREFERENCE_BOUNDS
  const json = value === undefined ? null : readJson(value)
  if (json === undefined) return refused(refusal('preference/value-invalid', ['value'], { max: valueBytes }))
  const { viewer } = permit
  const [before] = await readPreferences(tx, viewer, [key], { isLocked: true })
  if ((before?.value ?? null) === json) {
    recordNothing()
    return ok(before ?? null)
  }
  if (expectedValue !== undefined && (before?.value ?? null) !== (expectedValue && readJson(expectedValue)))
    return refused(refusal('preference/changed-elsewhere', ['expectedValue'], { value: before?.value ?? '' }))
  if (json === null) {
    await tx.deleteFrom('preferences').where('uid', '=', viewer.uid).where('key', '=', key).execute()
  } else {
    if (!before) {
      const { count } = await tx
        .selectFrom('preferences')
        .select(eb => eb.fn.countAll<bigint>().as('count'))
        .where('uid', '=', viewer.uid)
        .executeTakeFirstOrThrow()
      if (count >= BigInt(preferencesOfOne))
        return refused(refusal('preference/too-many', ['key'], { max: preferencesOfOne }))
    }
    const changed = { value: sql<string>`${json}::jsonb`, updatedAt: sql<Date>`now()` }
    await tx
      .insertInto('preferences')
      .values({ uid: viewer.uid, key, ...changed })
      .onConflict(conflict => conflict.columns(['uid', 'key']).doUpdateSet(changed))
      .execute()
  }
  const [after] = await readPreferences(tx, viewer, [key])
  record({
    action: after ? (before ? 'update' : 'create') : 'delete',
    resource: 'iam:user.',
    rowId: `${viewer.uid}/preferences/${key}`,
    before: before ?? null,
    after: after ?? null,
  })
  return ok(after ?? null)
}

/** The same JSON in the one spelling that PostgreSQL keeps of lists and texts; undefined when it is none, or too long. */
function readJson(text: string): string | undefined {
  if (Buffer.byteLength(text) > PREFERENCE_BOUNDS.valueBytes / 2) return undefined
  // PostgreSQL's jsonb has no NUL.
  if (text.includes('\\u0000')) return undefined
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
