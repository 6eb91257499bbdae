import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/**
 * Device cookie of a browser in which somebody has signed in before. Wrong passwords from there are counted separately,
 * so that a stranger who uses up an account's attempts does not lock out its owner (OWASP, "Slow down online guessing
 * attacks with device cookies").
 */
const cookieName = (isSecure: boolean) => (isSecure ? '__Secure-pc_device' : 'pc_device')
/** A browser without a sign-in for this long counts as unknown again. */
const VALID_FOR_DAYS = 90
const SECRET = /^[A-Za-z0-9_-]{43}$/

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

function secretIn(req: IncomingMessage, isSecure: boolean): string | undefined {
  const beginning = `${cookieName(isSecure)}=`
  const pairs = (req.headers.cookie ?? '').split(/; */)
  const value = pairs.find(pair => pair.startsWith(beginning))?.slice(beginning.length)
  return value !== undefined && SECRET.test(value) ? value : undefined
}

/**
 * The key under which this browser's attempts for the address are counted; undefined when the account has not signed in
 * here before.
 * Tested by `features/sign-in/server/sign-in-limits.test.ts`.
 */
export async function knownDevice(
  database: Database,
  req: IncomingMessage,
  email: string,
  isSecure: boolean,
): Promise<string | undefined> {
  const secret = secretIn(req, isSecure)
  if (secret === undefined) return undefined
  const found = await database.inScope(SYSTEM, tx =>
    sql`select 1 from idp_payloads d join users u on u.uid::text = d.account_id
      where d.model = 'KnownDevice' and d.id = ${hashOf(secret)} and d.expires_at > now() and u.email = ${email}`.execute(
      tx,
    ),
  )
  return found.rows.length > 0 ? hashOf(secret) : undefined
}

/** Remembers that this person signed in in this browser. The secret is new each time and replaces the old one. */
export async function rememberDevice(
  database: Database,
  req: IncomingMessage,
  res: ServerResponse,
  uid: string,
  isSecure: boolean,
): Promise<void> {
  const before = secretIn(req, isSecure)
  const secret = randomBytes(32).toString('base64url')
  await database.inScope(SYSTEM, async tx => {
    if (before) {
      await sql`delete from idp_payloads where model = 'KnownDevice' and id = ${hashOf(before)} and account_id = ${uid}`.execute(
        tx,
      )
    }
    await sql`insert into idp_payloads (model, id, payload, expires_at) values ('KnownDevice', ${hashOf(secret)},
      ${JSON.stringify({ accountId: uid })}::jsonb, now() + ${VALID_FOR_DAYS} * interval '1 day')`.execute(tx)
  })
  const attributes = `Path=/sso/api/; Max-Age=${VALID_FOR_DAYS * 86_400}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  res.appendHeader('set-cookie', `${cookieName(isSecure)}=${secret}; ${attributes}`)
}
