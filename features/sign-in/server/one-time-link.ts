import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** The purpose of a link. A secret of one kind does not work for another. */
export type LinkKind =
  | 'FirstAdminLink'
  | 'EmailChangeLink'
  | 'PasswordResetLink'
  /**
   * Names a change and the address that was notified. It does not name the account, so it survives the end of its
   * sessions.
   */
  | 'AccountChangeLink'
  /** Somebody whose password was right and whose second factor is still missing. */
  | 'SecondFactorTicket'
  | 'TotpSetup'
  | 'PasskeyChallenge'
  /** The holder of a link who is signing in at the external issuer, to bind that account. */
  | 'BindingTicket'

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The key by which a link is stored; the secret cannot be computed from it. */
export const hashOfLink = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Makes a new secret of 256 bits. Only its hash is stored, together with what the link does. */
export async function makeLink(
  tx: Transaction,
  kind: LinkKind,
  payload: Readonly<Record<string, string>>,
  validForSeconds: number,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await sql`insert into idp_payloads (model, id, payload, expires_at) values (${kind}, ${hashOfLink(secret)},
    ${JSON.stringify(payload)}::jsonb, now() + ${validForSeconds} * interval '1 second')`.execute(tx)
  return secret
}

/**
 * Uses the link up and returns its purpose; undefined for a second use and after it has expired.
 * Tested by `features/sign-in/server/bind-account.test.ts`.
 */
export async function useLink(
  tx: Transaction,
  kind: LinkKind,
  secret: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  return SECRET.test(secret) ? spendLink(tx, kind, hashOfLink(secret)) : undefined
}

/** Like {@link useLink}, for a link whose hash is known. */
export async function spendLink(
  tx: Transaction,
  kind: LinkKind,
  hash: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const used = await sql<{ payload: string }>`delete from idp_payloads where model = ${kind} and id = ${hash}
    and expires_at > now() returning payload::text as payload`.execute(tx)
  return used.rows[0] && (JSON.parse(used.rows[0].payload) as Record<string, string>)
}

/** The purpose of a link, without using it up. */
export async function readLink(
  tx: Transaction,
  kind: LinkKind,
  secret: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!SECRET.test(secret)) return undefined
  const found = await sql<{ payload: string }>`select payload::text as payload from idp_payloads
    where model = ${kind} and id = ${hashOfLink(secret)} and expires_at > now()`.execute(tx)
  return found.rows[0] && (JSON.parse(found.rows[0].payload) as Record<string, string>)
}

/** Invalidates every link of a kind, or those of one account. */
export async function voidLinks(tx: Transaction, kind: LinkKind, uid?: string): Promise<void> {
  await sql`delete from idp_payloads where model = ${kind} and (${uid ?? null}::text is null or account_id = ${uid ?? null})`.execute(
    tx,
  )
}
