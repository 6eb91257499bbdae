import { createHash, randomInt } from 'node:crypto'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { SealError } from '@pc/platform/secrets/keyring.ts'
import type { SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import { sql } from 'kysely'
import type { AccountEmails } from './account-emails.ts'
import { stepOfCode } from './totp.ts'
import { keptSeed, openSeed } from './totp-seed.ts'

/**
 * Recovery codes are made ten at a time and work once each. They have 118 bits each, so a plain hash is enough to store
 * them (ASVS 6.5.2).
 */
const RECOVERY_CODES = 10
/** Groups of four characters in a code. `CHARACTERS` leaves out those that look alike (i, l, o, 0, 1). */
const GROUPS = 6
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export interface Passkey {
  readonly id: string
  readonly label: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface SecondFactors {
  readonly hasTotp: boolean
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodesLeft: number
}

export function hasAny(factors: SecondFactors): boolean {
  return factors.hasTotp || factors.passkeys.length > 0
}

export function secondFactorsOf(database: Database, uid: string): Promise<SecondFactors> {
  return database.inScope(SYSTEM, tx => readFactors(tx, uid))
}

export async function readFactors(tx: Transaction, uid: string): Promise<SecondFactors> {
  const kept = await sql<Passkey & { kind: string }>`select id::text as id, kind, label, created_at, last_used_at
    from idp_authenticators where uid = ${uid}::uuid order by id`.execute(tx)
  const codes = await sql<{ left: number }>`select count(*)::int as left from idp_recovery_codes
    where uid = ${uid}::uuid and used_at is null`.execute(tx)
  const passkeys = kept.rows.filter(row => row.kind === 'passkey')
  return {
    hasTotp: kept.rows.some(row => row.kind === 'totp'),
    passkeys: passkeys.map(({ id, label, createdAt, lastUsedAt }) => ({ id, label, createdAt, lastUsedAt })),
    recoveryCodesLeft: codes.rows[0]?.left ?? 0,
  }
}

interface TypedCode {
  readonly uid: string
  readonly typed: string
  readonly nowMs: number
}
/** `unreadable`: it is no recovery code, and the seed for comparing one-time codes cannot be unsealed. */
type SpentCode = 'right' | 'wrong' | 'unreadable'

interface SpendingDeps {
  readonly database: Database
  readonly atRest: SecretsAtRest
  readonly emails: AccountEmails
}

/**
 * Checks a typed text as the account's current one-time code or an unused recovery code, and uses it up. The owner is
 * notified of a used recovery code, which somebody else may have found.
 */
export function spendCode({ database, atRest, emails }: SpendingDeps, code: TypedCode): Promise<SpentCode> {
  const { uid, typed } = code
  return database.inScope(SYSTEM, async tx => {
    const byTotp = await spendTotp(tx, atRest, code)
    if (byTotp === 'right') return 'right'
    const used = await sql<{ email: string; left: number }>`with used as (update idp_recovery_codes set used_at = now()
        where uid = ${uid}::uuid and code_sha256 = ${recoveryHash(typed)} and used_at is null returning uid)
      select u.email, (select count(*)::int - 1 from idp_recovery_codes c where c.uid = u.uid and c.used_at is null) as left
      from used join users u on u.uid = used.uid`.execute(tx)
    const [owner] = used.rows
    if (!owner) return byTotp
    await emails.send(
      tx,
      factorNotice(
        owner.email,
        'リカバリーコードが使われました',
        `リカバリーコードが1個使われました。使えるコードは残り${owner.left}個です。少なくなったときは、「セキュリティ」の画面で作り直してください。`,
      ),
    )
    return 'right'
  })
}

async function spendTotp(tx: Transaction, atRest: SecretsAtRest, { uid, typed, nowMs }: TypedCode): Promise<SpentCode> {
  const { rows } = await sql<{ seed: Buffer | null; sealedSeed: string | null; lastStep: bigint | null }>`
    select totp_secret as seed, sealed_totp_secret as sealed_seed, totp_last_step as last_step from idp_authenticators
    where uid = ${uid}::uuid and kind = 'totp' for update`.execute(tx)
  const [kept] = rows
  if (!kept) return 'wrong'
  try {
    const seed = openSeed(atRest, uid, keptSeed(kept))
    const step = stepOfCode(seed, typed, nowMs, kept.lastStep === null ? null : Number(kept.lastStep))
    if (step === undefined) return 'wrong'
    await sql`update idp_authenticators set totp_last_step = ${step}, last_used_at = now()
      where uid = ${uid}::uuid and kind = 'totp'`.execute(tx)
    return 'right'
  } catch (error) {
    if (error instanceof SealError) return 'unreadable'
    throw error
  }
}

/** Replaces all recovery codes. The new ones are returned once; only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Transaction, uid: string): Promise<readonly string[]> {
  const group = () => Array.from({ length: 4 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
  const code = () => Array.from({ length: GROUPS }, group).join('-')
  const codes = Array.from({ length: RECOVERY_CODES }, code)
  await sql`delete from idp_recovery_codes where uid = ${uid}::uuid`.execute(tx)
  await sql`insert into idp_recovery_codes (uid, code_sha256)
    select ${uid}::uuid, unnest(${codes.map(recoveryHash)}::text[])`.execute(tx)
  return codes
}

function recoveryHash(typed: string): string {
  const plain = typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest('base64url')
}

/** The email to the account's owner about a change of its protection, so that nobody else makes one unnoticed. */
export function factorNotice(to: string, subject: string, what: string) {
  return renderEmail({
    to,
    subject: `【Publisher Center】${subject}`,
    paragraphs: [what, 'お心当たりがない場合は、すぐにパスワードを変更し、管理者へご連絡ください。'],
  })
}

/** Removes one factor. With the last one the recovery codes are removed as well. */
export async function removeFactor(
  tx: Transaction,
  uid: string,
  factor: 'totp' | { passkeyId: string },
): Promise<boolean> {
  const which = factor === 'totp' ? sql`kind = 'totp'` : sql`kind = 'passkey' and id::text = ${factor.passkeyId}`
  const gone = await sql`delete from idp_authenticators where uid = ${uid}::uuid and ${which} returning 1`.execute(tx)
  if (!hasAny(await readFactors(tx, uid)))
    await sql`delete from idp_recovery_codes where uid = ${uid}::uuid`.execute(tx)
  return gone.rows.length > 0
}
