import { refusal } from '@pc/domain/refusal.ts'
import { bearerToken } from '@pc/platform/oidc/authenticate.ts'
import type { EmbeddedIssuer } from '@pc/platform/oidc/embedded-issuer.ts'
import { readSecondFactorDue } from '@pc/platform/oidc/second-factor-due.ts'
import { normalizedEmail, rememberSignedOut } from '@pc/platform/oidc/session-check.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { CONSOLE_CALLBACK_PATH, enrolmentHref } from '../links.ts'
import { HOME_PATH, originalPath } from '../original-path.ts'
import { PASSWORD_MAX_LENGTH } from '../refusals.ts'
import type { SecondFactorRequest, SessionInfo } from '../session-info.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'
import { forgetAttempt, reserveAttempt } from './attempt-limit.ts'
import { checkCredentials } from './check-credentials.ts'
import { hasNoUsers, makeFirstAdmin } from './first-admin.ts'
import { knownDevice, rememberDevice } from './known-device.ts'
import { makeLink, readLink, useLink } from './one-time-link.ts'
import { authenticationOptions, checkPasskey, passkeyHost } from './passkeys.ts'
import { requestPasswordReset, resetPassword } from './reset-password.ts'
import { hasAny, secondFactorsOf, spendCode } from './second-factor.ts'
import {
  type Answer,
  asking,
  atEmbedded,
  type Call,
  type Endpoint,
  noteAccountEvent,
  refuse,
  text,
} from './sign-in-call.ts'

/** How long the ticket between password and second factor is valid. */
const TICKET_SECONDS = 600

/** Cut above any valid length (a character may be two UTF-16 units), so that too long passwords are still refused as such. */
const boundedPassword = (input: Call['input'], name: string) => text(input, name).slice(0, 2 * PASSWORD_MAX_LENGTH + 1)

const signIn = atEmbedded(async (call, issuer) => {
  const { options, req, res, input } = call
  const email = text(input, 'email')
  const password = text(input, 'password')
  if (!email.trim()) return refuse(refusal('sign-in/email-required', ['email']))
  if (!password) return refuse(refusal('sign-in/password-required', ['password']))
  const target = originalPath(text(input, 'originalPath'))
  if (isContinued(target) && !(await issuer.isWaitingFor(req, res, target)))
    return refuse(refusal('sign-in/request-expired'))
  const { database, clock } = options
  const device = await knownDevice(database, req, normalizedEmail(email), isHttps(options.webOrigin))
  const checked = await checkCredentials(database, clock, { email, password, address: call.address, device })
  if (!checked.ok) {
    const [why] = checked.refusals
    if (why?.code === 'sign-in/wrong-credentials') await noteRefusedSignIn(call, normalizedEmail(email), 'password')
    return refuse(...checked.refusals)
  }
  const { uid } = checked.value
  const factors = await secondFactorsOf(database, uid)
  if (!hasAny(factors)) return finish(call, issuer, { uid, target, amr: ['pwd'] })
  const ticket = await database.inScope(SYSTEM, tx =>
    makeLink(tx, 'SecondFactorTicket', { accountId: uid, target }, TICKET_SECONDS),
  )
  const secondFactor: SecondFactorRequest = {
    ticket,
    hasTotp: factors.hasTotp,
    hasPasskey: factors.passkeys.length > 0 && passkeyHost(options.webOrigin) !== undefined,
    hasRecoveryCodes: factors.recoveryCodesLeft > 0,
  }
  return { body: { secondFactor } }
})

/** The second factor: a one-time code, a recovery code, or a passkey. Attempts are limited like passwords. */
const secondFactor = atEmbedded(async (call, issuer) => {
  const { options, input, address } = call
  const { database, clock } = options
  const ticket = text(input, 'ticket')
  const requested = await database.inScope(SYSTEM, tx => readLink(tx, 'SecondFactorTicket', ticket))
  const uid = requested?.accountId
  if (uid === undefined) return refuse(refusal('sign-in/request-expired'))
  const reservation = await reserveAttempt(database, clock.now(), [
    { limit: 'secondFactorOfAccount', by: uid },
    { limit: 'credentialsFromAddress', by: address },
  ])
  if (!reservation.isAllowed)
    return refuse(refusal('sign-in/too-many-attempts', [], { minutes: reservation.retryInMinutes }))
  const isPasskey = typeof input.passkey === 'object' && input.passkey !== null
  const given = isPasskey
    ? (await checkPasskey(database, options.webOrigin, uid, input.passkey)) === uid
      ? 'right'
      : 'wrong'
    : await spendCode(options, { uid, typed: text(input, 'code'), nowMs: clock.now() })
  if (given !== 'right') {
    await noteAccountEvent(call, {
      uid,
      action: 'sign-in-refused',
      isAuthenticated: false,
      details: { step: 'second factor' },
    })
    if (isPasskey) return refuse(refusal('sign-in/passkey-wrong'))
    return refuse(refusal(given === 'unreadable' ? 'sign-in/code-unreadable' : 'sign-in/code-wrong', ['code']))
  }
  await forgetAttempt(database, reservation.attemptIds)
  const used = await database.inScope(SYSTEM, tx => useLink(tx, 'SecondFactorTicket', ticket))
  if (!used) return refuse(refusal('sign-in/request-expired'))
  const target = originalPath(used.target)
  return finish(call, issuer, { uid, target, amr: isPasskey ? ['pwd', 'hwk', 'mfa'] : ['pwd', 'otp', 'mfa'] })
})

/** The challenge for a passkey: as second factor of a ticket's person, or without a ticket for a sign-in by passkey alone. */
const passkeyOptions = atEmbedded(async ({ options, input, address }) => {
  const { database, webOrigin, clock } = options
  if (passkeyHost(webOrigin) === undefined) return refuse(refusal('sign-in/passkeys-need-host'))
  const counted = await reserveAttempt(database, clock.now(), [{ limit: 'passkeyQuestionsFromAddress', by: address }])
  if (!counted.isAllowed) return refuse(refusal('sign-in/too-many-attempts', [], { minutes: counted.retryInMinutes }))
  const ticket = text(input, 'ticket')
  if (ticket === '') return { body: { options: await authenticationOptions(database, webOrigin, undefined) } }
  const requested = await database.inScope(SYSTEM, tx => readLink(tx, 'SecondFactorTicket', ticket))
  if (!requested?.accountId) return refuse(refusal('sign-in/request-expired'))
  return { body: { options: await authenticationOptions(database, webOrigin, requested.accountId) } }
})

/** Signs in by a passkey alone. It counts as two factors: the device, and the PIN or biometrics that unlock it. */
const signInByPasskey = atEmbedded(async (call, issuer) => {
  const { options, req, res, input, address } = call
  const target = originalPath(text(input, 'originalPath'))
  if (isContinued(target) && !(await issuer.isWaitingFor(req, res, target)))
    return refuse(refusal('sign-in/request-expired'))
  const { database, clock, webOrigin } = options
  if (passkeyHost(webOrigin) === undefined) return refuse(refusal('sign-in/passkeys-need-host'))
  const reservation = await reserveAttempt(database, clock.now(), [{ limit: 'credentialsFromAddress', by: address }])
  if (!reservation.isAllowed)
    return refuse(refusal('sign-in/too-many-attempts', [], { minutes: reservation.retryInMinutes }))
  const uid = await checkPasskey(database, webOrigin, undefined, input.passkey)
  if (uid === undefined) {
    await noteAccountEvent(call, {
      uid: null,
      action: 'sign-in-refused',
      isAuthenticated: false,
      details: { step: 'passkey' },
    })
    return refuse(refusal('sign-in/passkey-wrong'))
  }
  await forgetAttempt(database, reservation.attemptIds)
  return finish(call, issuer, { uid, target, amr: ['hwk', 'user', 'mfa'] })
})

const isHttps = (origin: string) => origin.startsWith('https:')
const isContinued = (target: string) => target.startsWith('/oidc/auth/')

interface Finished {
  readonly uid: string
  readonly target: string
  /** RFC 8176. */
  readonly amr: readonly string[]
}

async function finish(call: Call, issuer: EmbeddedIssuer, { uid, target, amr }: Finished): Promise<Answer> {
  const { options, req, res } = call
  await rememberDevice(options.database, req, res, uid, isHttps(options.webOrigin))
  if (!isContinued(target)) await issuer.beginSession(req, res, uid, amr)
  else if (!(await issuer.finishSignIn(req, res, target, uid, amr))) return refuse(refusal('sign-in/request-expired'))
  await noteAccountEvent(call, { uid, action: 'sign-in', isAuthenticated: true, details: { by: amr.join(' ') } })
  // An authorisation request that waits at the issuer is answered first: only it creates the session to enrol in.
  const isDue = !isContinued(target) && (await readSecondFactorDue(options.database, uid)) !== null
  return { body: { location: isDue ? enrolmentHref(target) : target } }
}

/** Records the account if there is one, but never the typed address, which may be a password in the wrong field. */
async function noteRefusedSignIn(call: Call, email: string, step: string): Promise<void> {
  const found = await call.options.database.inScope(SYSTEM, tx =>
    sql<{ uid: string }>`select uid::text as uid from users where email = ${email}`.execute(tx),
  )
  const uid = found.rows[0]?.uid ?? null
  await noteAccountEvent(call, { uid, action: 'sign-in-refused', isAuthenticated: false, details: { step } })
}

const signOut: Endpoint = async call => {
  const { options, req, res } = call
  if (options.issuer) {
    const person = await asking(call)
    await options.issuer.endBrowserSession(req, res)
    if (person) await noteAccountEvent(call, { uid: person.uid, action: 'sign-out', isAuthenticated: true })
  } else {
    const token = bearerToken(req.headers.authorization)
    const verified = token && (await options.verifyToken(token))
    if (verified) await options.database.inScope(SYSTEM, tx => rememberSignedOut(tx, verified))
  }
  return { body: {} }
}

const session: Endpoint = async call => {
  const { options } = call
  const person = await asking(call)
  const dueAt = person && (await readSecondFactorDue(options.database, person.uid))
  const mustEnrol = dueAt ? dueAt.getTime() <= options.clock.now() : false
  const info: SessionInfo = {
    user: person ? { email: person.email, mustEnrol } : null,
    provider: options.issuer
      ? { kind: 'embedded', hasPasskeys: passkeyHost(options.webOrigin) !== undefined }
      : {
          kind: 'external',
          issuer: options.oidcIssuer,
          clientId: options.oidcClientId,
          redirectUri: `${options.webOrigin}${CONSOLE_CALLBACK_PATH}`,
          ...(options.oidcStepUpAcr.length > 0 ? { stepUpAcr: options.oidcStepUpAcr.join(' ') } : {}),
        },
    isEmpty: !person && (await options.database.inScope(SYSTEM, hasNoUsers)),
    isDemo: options.isDemo,
    supportContact: options.supportContact,
  }
  return { body: info }
}

const firstAdmin = atEmbedded(async (call, issuer) => {
  const { options, req, res, input, address } = call
  const { database } = options
  const counted = await reserveAttempt(database, options.clock.now(), [
    { limit: 'credentialsFromAddress', by: address },
  ])
  if (!counted.isAllowed) return refuse(refusal('sign-in/too-many-attempts', [], { minutes: counted.retryInMinutes }))
  const made = await makeFirstAdmin(database, {
    secret: text(input, 'secret'),
    email: text(input, 'email'),
    password: boundedPassword(input, 'password'),
  })
  if (!made.ok) return refuse(...made.refusals)
  await issuer.beginSession(req, res, made.value.uid, ['pwd'])
  await noteAccountEvent(call, { uid: made.value.uid, action: 'make-first-administrator', isAuthenticated: true })
  return { body: { location: HOME_PATH } }
})

const forgotPassword = atEmbedded(async ({ options, input, address }) => {
  const requested = await requestPasswordReset(options, { email: text(input, 'email'), networkAddress: address })
  return requested.ok ? { body: {} } : refuse(...requested.refusals)
})

const setPassword = atEmbedded(async ({ options, input, address }) => {
  const changed = await resetPassword(options, {
    secret: text(input, 'secret'),
    newPassword: boundedPassword(input, 'newPassword'),
    networkAddress: address,
  })
  return changed.ok ? { body: changed.value } : refuse(...changed.refusals)
})

const showInvitation: Endpoint = async ({ options, input }) => {
  const invited = await readInvitation(options.database, text(input, 'secret'))
  if (!invited) return refuse(refusal('sign-in/link-expired'))
  const { email, organization } = invited
  return { body: { email, organization } }
}

const takeInvitation = atEmbedded(async ({ options, req, res, input, address }, issuer) => {
  const accepted = await acceptInvitation(options.database, {
    secret: text(input, 'secret'),
    password: boundedPassword(input, 'password'),
    address,
  })
  if (!accepted.ok) return refuse(...accepted.refusals)
  await issuer.beginSession(req, res, accepted.value.uid, ['pwd'])
  return { body: { location: HOME_PATH } }
})

/** Signing in and out; callable without a session. */
export const SIGN_IN_ENDPOINTS: readonly (readonly [string, Endpoint])[] = [
  ['POST sign-in', signIn],
  ['POST sign-in/second-factor', secondFactor],
  ['POST sign-in/passkey-options', passkeyOptions],
  ['POST sign-in/passkey', signInByPasskey],
  ['POST sign-out', signOut],
  ['GET session', session],
  ['POST first-admin', firstAdmin],
  ['POST forgot-pass', forgotPassword],
  ['POST reset-pass', setPassword],
  ['POST invite', showInvitation],
  ['POST invite/accept', takeInvitation],
]
