import { isPreferenceKey, PREFERENCE_BOUNDS } from '@pc/domain/preference/preference-key.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { sql } from 'kysely'
import { type PreferenceRow, readPreferences } from './preference-store.ts'

interface PreferenceInput {
  readonly key: string
  /** JSON; undefined: back to the default. */
  readonly value: string | undefined
  /** JSON of the value that the caller knew, null for none; undefined: not compared. */
  readonly expectedValue: string | null | undefined
}

/**
 * Stores the caller's choice under a key. If it was changed elsewhere since the caller read it, the change is refused
 * with the stored value (JSON, or an empty text), so that no choice overwrites another unnoticed.
 * Tested by `features/preferences/server/preferences.test.ts`.
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

/** The JSON in canonical spelling; undefined when it is not valid JSON or too long. */
function readJson(text: string): string | undefined {
  if (Buffer.byteLength(text) > PREFERENCE_BOUNDS.valueBytes / 2) return undefined
  // PostgreSQL's jsonb cannot store NUL.
  if (text.includes('\\u0000')) return undefined
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
