import { SECOND_FACTOR_ROLES } from '@pc/domain/access/second-factor.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Database, SYSTEM } from '../postgres/database.ts'
import type { VerifiedToken } from './verify-token.ts'

/**
 * SQL: until when the person of `users u` may do without the second factor that their roles require; null: none is
 * missing. At an external issuer nobody enrols here: there its tokens decide.
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
 * `amr` values (RFC 8176) that count as a second factor: several factors, a one-time password, a hardware or software
 * key (passkeys are both). SMS and phone (`sms`, `tel`) do not, because a phone number can be taken over.
 */
const SECOND_FACTORS = ['mfa', 'otp', 'hwk', 'swk']
/** `acr` values with a published meaning. Numeric levels have none: each issuer defines its own. */
const STRONG_LEVELS = [
  ...['phr', 'phrh', 'https://refeds.org/profile/mfa'],
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/**
 * What an external issuer's token says about the second factor. `unknown`: it says nothing, and the issuer's own policy
 * decides.
 */
export function secondFactorOf({ amr, acr }: Pick<VerifiedToken, 'amr' | 'acr'>): 'present' | 'missing' | 'unknown' {
  if (acr !== undefined && STRONG_LEVELS.includes(acr)) return 'present'
  if (amr.length === 0) return 'unknown'
  return amr.some(method => SECOND_FACTORS.includes(method)) ? 'present' : 'missing'
}
