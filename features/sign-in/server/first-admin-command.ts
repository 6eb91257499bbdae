import { mailAddress } from '@pc/platform/mail/send-mail.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { bindAccount } from './bind-account.ts'
import { type ExternalIssuer, hasAdministrator, insertAdministrator, linkFor, lockFirstAdmin } from './first-admin.ts'
import { resetFactorByCommand } from './reset-factor-command.ts'
import { auditAccount } from './sign-in-call.ts'

export interface FirstAdminRequest {
  readonly email?: unknown
  /** The subject at the external issuer, if the operator knows it; no link is needed then. */
  readonly issuerSubject?: unknown
  /** Instead of making a link, removes the second factors of this administrator. */
  readonly resetSecondFactor?: unknown
}

/** Also the response of the control socket to `POST /first-admin`. */
export interface FirstAdminAnswer {
  readonly status: 200 | 400 | 409
  readonly body:
    | { readonly link: string }
    | { readonly bound: string }
    | { readonly reset: string }
    | { readonly message: string }
}

export interface FirstAdminDependencies {
  readonly database: Database
  readonly webOrigin: string
  /** Undefined: the embedded issuer. */
  readonly externalIssuer: ExternalIssuer
}

const HAS_ADMINISTRATOR = 'Somebody can sign in as an administrator already: administrators invite further people.'
/** The same form as the subjects of tokens in `verify-token.ts`. */
const SUBJECT = /^[^\p{Cc}\p{Z}]{1,255}$/u

const refuse = (status: 400 | 409, message: string): FirstAdminAnswer => ({ status, body: { message } })

/**
 * `npm run first-admin`: for an operator, while nobody can sign in as an administrator. A new address creates a new
 * user. The address of an administrator who cannot sign in (not yet, or not since the issuer changed) names that user.
 * Tested by `features/sign-in/server/bind-account.test.ts`.
 */
export async function firstAdminByCommand(
  dependencies: FirstAdminDependencies,
  requested: FirstAdminRequest,
): Promise<FirstAdminAnswer> {
  if (requested.resetSecondFactor === true) return resetFactorByCommand(dependencies, requested.email)
  const { database, webOrigin, externalIssuer } = dependencies
  const email = typeof requested.email === 'string' ? mailAddress(requested.email) : undefined
  if (!email) return refuse(400, 'Which person? --email <address>')
  const subject = requested.issuerSubject
  if (subject !== undefined && externalIssuer === undefined)
    return refuse(400, '--issuer-subject is for an external issuer (OIDC_ISSUER); without one, open the link.')
  if (subject !== undefined && (typeof subject !== 'string' || !SUBJECT.test(subject)))
    return refuse(400, '--issuer-subject is the `sub` of the ID token: up to 255 characters without spaces.')
  return database.inScope(SYSTEM, async tx => {
    await lockFirstAdmin(tx)
    if (await hasAdministrator(tx, externalIssuer)) return refuse(409, HAS_ADMINISTRATOR)
    const found = await findNamed(tx, email)
    if (found && (externalIssuer === undefined || !found.isAdministrator))
      return refuse(409, `${email} belongs to a user already: name another address.`)
    if (subject === undefined) {
      // The form of the embedded issuer asks for the address itself.
      const named = externalIssuer === undefined ? {} : { email, ...(found ? { uid: found.uid } : {}) }
      return { status: 200, body: { link: await linkFor(tx, webOrigin, named) } }
    }
    const uid = found?.uid ?? (await insertAdministrator(tx, email)) ?? ''
    if (!(await bindAccount(tx, { issuer: externalIssuer ?? '', subject }, uid)))
      return refuse(409, 'This account is bound to another user already.')
    await auditAccount(tx, 'command', {
      uid,
      action: 'make-first-administrator',
      isAuthenticated: false,
      details: { issuer: externalIssuer ?? '', by: 'command' },
    })
    return { status: 200, body: { bound: email } }
  })
}

async function findNamed(
  tx: Transaction,
  email: string,
): Promise<{ uid: string; isAdministrator: boolean } | undefined> {
  const found = await sql<{ uid: string; isAdministrator: boolean }>`select u.uid::text as uid,
      u.enabled and exists (select from user_roles r where r.uid = u.uid and r.role_name = 'admin') as is_administrator
    from users u where u.email = ${email}`.execute(tx)
  return found.rows[0]
}
