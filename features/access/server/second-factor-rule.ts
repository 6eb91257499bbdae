import { MAX_GRACE_DAYS, SECOND_FACTOR_ROLES } from '@pc/domain/access/second-factor.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface SecondFactorRule {
  readonly isRequired: boolean
  readonly graceDays: number
  readonly requiredFrom: Date
  readonly revision: number
}

/** Who gives roles decides how their holders sign in. */
const RESOURCE = 'iam:user_role.'
/** The table has one row (`is_only`); the audit log knows it by this name. */
const ROW_ID = 'second-factor'
/** People listed by address; the others are only counted. */
const MAX_LISTED = 100

export async function readRule(tx: Reader | Transaction): Promise<SecondFactorRule> {
  return tx
    .selectFrom('secondFactorRule')
    .select(['isRequired', 'graceDays', 'requiredFrom', 'revision'])
    .executeTakeFirstOrThrow()
}

/**
 * People whose roles need a second factor and who have none, ordered by address. Second factors at an external issuer
 * are unknown here.
 */
export async function listPeopleWithout(tx: Transaction): Promise<{ total: number; emails: readonly string[] }> {
  const { rows } = await sql<{ email: string }>`select u.email from users u where u.enabled
      and exists (select from user_roles r where r.uid = u.uid and r.role_name = any(${SECOND_FACTOR_ROLES}::text[]))
      and not exists (select from idp_authenticators a where a.uid = u.uid)
    order by u.email`.execute(tx)
  return { total: rows.length, emails: rows.slice(0, MAX_LISTED).map(({ email }) => email) }
}

interface SentRule {
  readonly isRequired: boolean
  readonly graceDays: number
  readonly expectedRevision?: number | null | undefined
}
type RuleRefusal = Refusal<
  | 'second-factor-rule/own-missing'
  | 'second-factor-rule/not-said'
  | 'second-factor-rule/grace-out-of-range'
  | 'record/edited-by-other'
>

/**
 * Saves the rule, which is the only row of its table. The caller must have signed in with a second factor: a stricter rule
 * could lock out everybody, including the caller, and a stolen password alone must not weaken it.
 * Tested by `features/sign-in/server/second-factor-rule.test.ts`.
 */
export async function saveSecondFactorRule(
  sent: SentRule,
  write: Write<'write:update', typeof RESOURCE>,
): Promise<Result<SecondFactorRule, RuleRefusal>> {
  const { tx, permit } = write
  const { isRequired, graceDays, expectedRevision } = sent
  if (graceDays < 0 || graceDays > MAX_GRACE_DAYS)
    return refused(refusal('second-factor-rule/grace-out-of-range', ['graceDays'], { max: MAX_GRACE_DAYS }))
  await sql`select from second_factor_rule for update`.execute(tx)
  const before = await readRule(tx)
  const edit = { resource: RESOURCE, rowId: ROW_ID, revision: before.revision } as const
  const stale = await editedByOther(tx, { ...edit, expectedRevision })
  if (stale) return refused(stale)
  const { secondFactor = 'missing' } = permit.viewer
  const begins = isRequired && !before.isRequired
  const isOther = isRequired !== before.isRequired || graceDays !== before.graceDays
  if (isOther && secondFactor !== 'present') {
    const code = secondFactor === 'unknown' ? 'not-said' : 'own-missing'
    return refused(
      refusal(`second-factor-rule/${code}`, [isRequired === before.isRequired ? 'graceDays' : 'isRequired']),
    )
  }
  await saveEdit(
    write,
    {
      ...edit,
      before: { isRequired: before.isRequired, graceDays: before.graceDays },
      after: { isRequired, graceDays },
    },
    () =>
      tx
        .updateTable('secondFactorRule')
        .set({
          isRequired,
          graceDays,
          revision: before.revision + 1,
          // By the database's clock, as its default: grace periods count from it in SQL.
          ...(begins ? { requiredFrom: sql<Date>`now()` } : {}),
        })
        .execute(),
  )
  return ok(await readRule(tx))
}
