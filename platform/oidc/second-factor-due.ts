import { SECOND_FACTOR_ROLES } from '@pc/domain/access/second-factor.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Database, SYSTEM } from '../postgres/database.ts'
import type { VerifiedToken } from './verify-token.ts'

/**
 * Until when the person of `users u` may go without the second factor that their roles need; null where nothing is missing.
 * At an external issuer nobody enrols here: what its tokens say decides.
 */
export function secondFactorDue(isEmbedded: boolean): RawBuilder<Date | null> {
  const hasNone = isEmbedded ? sql`not exists (select from idp_authenticators a where a.uid = u.uid)` : sql`true`
  return sql<Date | null>`(select greatest(f.required_from, min(g.given_at)) + f.grace_days * interval '1 day'
    from second_factor_rule f join user_roles g on g.uid = u.uid and g.role_name = any(${SECOND_FACTOR_ROLES}::text[])
    where f.is_required and ${hasNone} group by f.required_from, f.grace_days)`
}

export async function readSecondFactorDue(database: Database, uid: string): Promise<Date | null> {
  const [row] = await database.readSingleStatement(
    SYSTEM,
    sql<{ dueAt: Date | null }>`select ${secondFactorDue(true)} as due_at from users u where u.uid = ${uid}::uuid`,
  )
  return row?.dueAt ?? null
}

/**
 * Of RFC 8176: several factors by the issuer's word, a one-time password, a key in hardware or in software (passkeys are
 * both). Not what a telephone's owner can lose to somebody else (`sms`, `tel`), or a proof of any possession (`pop`).
 */
const SECOND_FACTORS = ['mfa', 'otp', 'hwk', 'swk']
/** Levels with a published meaning; the numbers of other issuers mean what they configured. */
const STRONG_LEVELS = [
  ...['phr', 'phrh', 'https://refeds.org/profile/mfa'],
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/** What an external issuer's token says about the second factor; `unknown`: nothing, its own policy has to see to it. */
export function secondFactorOf({ amr, acr }: Pick<VerifiedToken, 'amr' | 'acr'>): 'present' | 'missing' | 'unknown' {
  if (acr !== undefined && STRONG_LEVELS.includes(acr)) return 'present'
  if (amr.length === 0) return 'unknown'
  return amr.some(method => SECOND_FACTORS.includes(method)) ? 'present' : 'missing'
}
