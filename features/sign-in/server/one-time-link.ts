import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** What a link is for; the secret of one kind is nothing to another. */
export type LinkKind =
  | 'FirstAdminLink'
  | 'EmailChangeLink'
  | 'PasswordResetLink'
  /** Names a change and the side that was told; not the account, whose sessions end without ending it. */
  | 'AccountChangeLink'
  /** Somebody whose password was right and whose second factor is missing yet. */
  | 'SecondFactorTicket'
  | 'TotpSetup'
  | 'PasskeyChallenge'
  /** Somebody with a link who signs in at the external issuer now, to be known by that account. */
  | 'BindingTicket'

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** What a link is found by, and nothing that it can be opened with. */
export const hashOfLink = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** A new 256-bit secret. Only its hash is kept, with what the link will do. */
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

/** Uses the link up and says what it was for; undefined for all but the first caller, and after its time. */
export async function useLink(
  tx: Transaction,
  kind: LinkKind,
  secret: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  return SECRET.test(secret) ? spendLink(tx, kind, hashOfLink(secret)) : undefined
}

/** As {@link useLink}, for a link whose secret has been seen before. */
export async function spendLink(
  tx: Transaction,
  kind: LinkKind,
  hash: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const used = await sql<{ payload: string }>`delete from idp_payloads where model = ${kind} and id = ${hash}
    and expires_at > now() returning payload::text as payload`.execute(tx)
  return used.rows[0] && (JSON.parse(used.rows[0].payload) as Record<string, string>)
}

/** What a link is for, without using it up. */
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

/** Voids every link of a kind, or those of one account. */
export async function voidLinks(tx: Transaction, kind: LinkKind, uid?: string): Promise<void> {
  await sql`delete from idp_payloads where model = ${kind} and (${uid ?? null}::text is null or account_id = ${uid ?? null})`.execute(
    tx,
  )
}
