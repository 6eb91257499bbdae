import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import type { VerifiedToken } from '@pc/platform/oidc/verify-token.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import type { SignInRefusalCode } from '../refusals.ts'
import { findOpenInvitation } from './accept-invitation.ts'
import { hasAdministrator, insertAdministrator, lockFirstAdmin } from './first-admin.ts'
import { hashOfLink, makeLink, readLink, spendLink } from './one-time-link.ts'
import { auditAccount } from './sign-in-call.ts'

/** Seconds in which the sign-in at the issuer must be finished. */
const TICKET_SECONDS = 900

type Refused = Refusal<SignInRefusalCode>

export interface BindingStart {
  /** Stays in the browser that opened the link. */
  readonly ticket: string
  /** The issuer returns it in its ID token, which ties the token to this ticket. */
  readonly nonce: string
}

async function makeTicket(tx: Transaction, payload: Readonly<Record<string, string>>): Promise<BindingStart> {
  const ticket = await makeLink(tx, 'BindingTicket', payload, TICKET_SECONDS)
  return { ticket, nonce: hashOfLink(ticket) }
}

/** Begins the binding of a first administrator. The link stays valid until the account is bound. */
export function beginFirstAdmin(
  database: Database,
  issuer: string,
  input: { readonly secret: string; readonly email: string },
): Promise<Result<BindingStart, Refused>> {
  return database.inScope(SYSTEM, async tx => {
    const link = await readLink(tx, 'FirstAdminLink', input.secret)
    if (!link || (await hasAdministrator(tx, issuer))) return refused(refusal('sign-in/link-expired'))
    const email = link.email ?? mailAddress(input.email)
    if (!email) return refused(refusal('sign-in/email-invalid', ['email']))
    const uid = link.uid ?? ''
    const taken = await sql`select 1 from users where email = ${email} and uid::text <> ${uid}`.execute(tx)
    if (taken.rows.length > 0) return refused(refusal('sign-in/email-taken', ['email']))
    return ok(await makeTicket(tx, { kind: 'first-admin', link: hashOfLink(input.secret), email, uid }))
  })
}

/** Begins the binding of an invited person. */
export function beginInvitation(database: Database, secret: string): Promise<Result<BindingStart, Refused>> {
  return database.inScope(SYSTEM, async tx => {
    if (!(await findOpenInvitation(tx, hashOfLink(secret)))) return refused(refusal('sign-in/link-expired'))
    return ok(await makeTicket(tx, { kind: 'invitation', link: hashOfLink(secret) }))
  })
}

/**
 * Binds the account that has signed in at the issuer to the person of the link. Only issuer and subject identify the
 * account. Ticket and link are used up together, and only when the binding succeeds.
 */
export async function finishBinding(
  database: Database,
  token: VerifiedToken,
  ticket: string,
  address: string,
): Promise<Result<{ uid: string }, Refused>> {
  if (token.nonce === undefined || token.nonce !== hashOfLink(ticket))
    return refused(refusal('sign-in/request-expired'))
  return database
    .inScope(SYSTEM, async tx => {
      // Serialised, because two people may open one link, and one account two links.
      await lockFirstAdmin(tx)
      const requested = await readLink(tx, 'BindingTicket', ticket)
      if (!requested?.link) return refused(refusal('sign-in/request-expired'))
      const isFirst = requested.kind === 'first-admin'
      const whose = await (isFirst ? administratorOf(tx, token.issuer, requested) : invitedOf(tx, requested.link))
      if (!whose.ok) return whose
      const { uid } = whose.value
      if (!(await bindAccount(tx, token, uid))) return rollBack('sign-in/account-in-use')
      const used = isFirst ? await spendLink(tx, 'FirstAdminLink', requested.link) : await acceptOf(tx, uid)
      if (!used || !(await spendLink(tx, 'BindingTicket', hashOfLink(ticket)))) return rollBack('sign-in/link-expired')
      const action = isFirst ? 'make-first-administrator' : 'accept-invitation'
      await auditAccount(tx, address, { uid, action, isAuthenticated: true, details: { issuer: token.issuer } })
      return ok({ uid })
    })
    .catch(refusalOfUndone)
}

/** Thrown to roll the transaction back when a later step is refused. */
class Undone extends Error {
  readonly code: SignInRefusalCode
  constructor(code: SignInRefusalCode) {
    super(code)
    this.code = code
  }
}

function rollBack(code: SignInRefusalCode): never {
  throw new Undone(code)
}

function refusalOfUndone(error: unknown): Result<never, Refused> {
  if (error instanceof Undone) return refused(refusal(error.code))
  // Undoing an account change takes another lock and may have bound the account at the same moment.
  const known = { users_oidc_issuer_oidc_subject_key: { code: 'sign-in/account-in-use' } } as const
  return refused(refusalOfConstraint(error, known))
}

async function administratorOf(
  tx: Transaction,
  issuer: string,
  requested: Readonly<Record<string, string>>,
): Promise<Result<{ uid: string }, Refused>> {
  if (await hasAdministrator(tx, issuer)) return refused(refusal('sign-in/link-expired'))
  if (requested.uid) return ok({ uid: requested.uid })
  const uid = await insertAdministrator(tx, requested.email ?? '')
  return uid === undefined ? refused(refusal('sign-in/email-taken', ['email'])) : ok({ uid })
}

async function invitedOf(tx: Transaction, link: string): Promise<Result<{ uid: string }, Refused>> {
  const open = await findOpenInvitation(tx, link)
  return open ? ok({ uid: open.uid }) : refused(refusal('sign-in/link-expired'))
}

async function acceptOf(tx: Transaction, uid: string): Promise<boolean> {
  const done = await sql`update invitations set accepted_at = now(), secret_sha256 = null
    where uid = ${uid}::uuid and accepted_at is null returning uid`.execute(tx)
  return done.rows.length > 0
}

/** Binds an account; false when it is bound to somebody else. A unique key in the database repeats this. */
export async function bindAccount(
  tx: Transaction,
  account: { readonly issuer: string; readonly subject: string },
  uid: string,
): Promise<boolean> {
  const { issuer, subject } = account
  const bound = await sql`update users
    set oidc_issuer = ${issuer}, oidc_subject = ${subject}, email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
    where uid = ${uid}::uuid and enabled and not exists (
      select from users o where o.oidc_issuer = ${issuer} and o.oidc_subject = ${subject} and o.uid <> ${uid}::uuid)
    returning uid`.execute(tx)
  return bound.rows.length > 0
}
