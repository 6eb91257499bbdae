import { recordChange, systemActor } from '@pc/platform/audit/record-change.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { ExternalIssuer } from './first-admin.ts'
import { auditAccount } from './sign-in-call.ts'

const NO_ADMINISTRATOR =
  'is no enabled administrator (role admin). Everybody else is helped on the screen of users, by an administrator.'

/** The command restarts the grace period, which then has at least this many days. */
const MIN_GRACE_DAYS = 14

interface ResetAnswer {
  readonly status: 200 | 400 | 409
  readonly body: { readonly reset: string } | { readonly message: string }
}

/**
 * `npm run first-admin -- --reset-second-factor`: for an operator, when an administrator has lost every second factor
 * and nobody else can help. The password is still needed, and the rule then requires a new factor. An external issuer
 * keeps the factors itself, so instead the grace period starts again for everybody, with at least 14 days, in which the
 * rule can be switched off or the issuer corrected.
 * Tested by `features/sign-in/server/second-factor-rule.test.ts`.
 */
export async function resetFactorByCommand(
  { database, externalIssuer }: { readonly database: Database; readonly externalIssuer: ExternalIssuer },
  address: unknown,
): Promise<ResetAnswer> {
  const email = typeof address === 'string' ? mailAddress(address) : undefined
  if (!email) return { status: 400, body: { message: 'Which administrator? --email <address>' } }
  return database.inScope(SYSTEM, async tx => {
    const found = await sql<{ uid: string }>`select u.uid::text as uid from users u
      where u.email = ${email} and u.enabled
        and exists (select from user_roles r where r.uid = u.uid and r.role_name = 'admin')`.execute(tx)
    const uid = found.rows[0]?.uid
    if (uid === undefined) return { status: 409, body: { message: `${email} ${NO_ADMINISTRATOR}` } }
    if (externalIssuer !== undefined) await restartGrace(tx)
    const gone = await sql<{ count: number }>`select app.reset_second_factors_of(${uid}::uuid) as count`.execute(tx)
    await sql`select app.end_sessions_of(${uid}::uuid)`.execute(tx)
    await auditAccount(tx, 'command', {
      uid,
      action: 'reset-second-factor',
      isAuthenticated: false,
      details: { secondFactors: gone.rows[0]?.count ?? 0, by: 'command' },
    })
    return { status: 200, body: { reset: email } }
  })
}

async function restartGrace(tx: Transaction): Promise<void> {
  const rule = await sql<{ graceDays: number; revision: number }>`select grace_days, revision from second_factor_rule
    where is_required for update`.execute(tx)
  const [before] = rule.rows
  if (!before) return
  const after = { graceDays: Math.max(before.graceDays, MIN_GRACE_DAYS), revision: before.revision + 1 }
  await sql`update second_factor_rule set required_from = now(), grace_days = ${after.graceDays},
    revision = ${after.revision}`.execute(tx)
  const row = { resource: 'iam:user_role.', rowId: 'second-factor' } as const
  await recordChange(tx, systemActor('command'), { action: 'update', ...row, before, after })
}
