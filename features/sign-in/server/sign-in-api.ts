import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { clientAddress } from '@pc/platform/http/client-address.ts'
import { answerJson, BadRequest, readJsonObject, requireSameOriginJson } from '@pc/platform/http/json-endpoint.ts'
import type { SendMail } from '@pc/platform/mail/send-mail.ts'
import { bearerToken } from '@pc/platform/oidc/authenticate.ts'
import type { EmbeddedIssuer } from '@pc/platform/oidc/embedded-issuer.ts'
import { usableAccount } from '@pc/platform/oidc/issuer-account.ts'
import { normalizedEmail, rememberSignedOut } from '@pc/platform/oidc/session-check.ts'
import type { VerifyToken } from '@pc/platform/oidc/verify-token.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { CONSOLE_CALLBACK_PATH } from '../links.ts'
import { HOME_PATH, originalPath } from '../original-path.ts'
import { PASSWORD_MAX_LENGTH, type SignInRefusalCode } from '../refusals.ts'
import type { SessionInfo } from '../session-info.ts'
import { reserveAttempt } from './attempt-limit.ts'
import { confirmEmailChange, requestEmailChange } from './change-email.ts'
import { type Asking, changePassword } from './change-password.ts'
import { checkCredentials } from './check-credentials.ts'
import { makeFirstAdmin } from './first-admin.ts'
import { knownDevice, rememberDevice } from './known-device.ts'

export interface SignInApiOptions {
  readonly database: Database
  readonly clock: Clock
  readonly webOrigin: string
  readonly oidcIssuer: string
  readonly oidcClientId: string
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxies: number
  readonly isDemo: boolean
  /** Undefined with an external OIDC_ISSUER: then there are no passwords here. */
  readonly issuer: EmbeddedIssuer | undefined
  readonly verifyToken: VerifyToken
  readonly sendMail: SendMail
  readonly onFault: (error: unknown) => void
}

type SignInRefusals = readonly Refusal<SignInRefusalCode>[]

/** What an endpoint answers: a body, or why not. */
type Answer = { readonly body: unknown } | { readonly refusals: SignInRefusals }

interface Call {
  readonly options: SignInApiOptions
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly input: Readonly<Record<string, unknown>>
  readonly address: string
}

type Endpoint = (call: Call) => Promise<Answer>

const PREFIX = '/sso/api/'
const MAX_BODY_BYTES = 16 * 1024

const STATUS: Partial<Record<SignInRefusalCode, number>> = {
  'sign-in/wrong-credentials': 401,
  'sign-in/not-signed-in': 401,
  'sign-in/too-many-attempts': 429,
  'sign-in/request-expired': 410,
  'sign-in/link-expired': 410,
  'sign-in/not-here': 409,
}

const refuse = (...refusals: SignInRefusals): Answer => ({ refusals })
const text = (input: Call['input'], name: string) => (typeof input[name] === 'string' ? (input[name] as string) : '')

/** The browser's session, if its account may still be used. */
async function asking({ options, req, res, address }: Call): Promise<Asking | undefined> {
  const session = await options.issuer?.browserSession(req, res)
  if (!session) return undefined
  const account = await options.database.inScope(SYSTEM, tx => usableAccount(tx, session.uid, session.startedAt))
  return account && { uid: account.uid, email: account.email, sessionUid: session.sessionUid, address }
}

const signIn: Endpoint = async call => {
  const { options, req, res, input } = call
  const { issuer } = options
  if (!issuer) return refuse(refusal('sign-in/not-here'))
  const email = text(input, 'email')
  const password = text(input, 'password')
  if (!email.trim()) return refuse(refusal('sign-in/email-required', ['email']))
  if (!password) return refuse(refusal('sign-in/password-required', ['password']))
  const target = originalPath(text(input, 'originalPath'))
  const isContinued = target.startsWith('/oidc/auth/')
  if (isContinued && !(await issuer.isWaitingFor(req, res, target))) return refuse(refusal('sign-in/request-expired'))
  const { database, clock, webOrigin } = options
  const device = await knownDevice(database, req, normalizedEmail(email))
  const checked = await checkCredentials(database, clock, { email, password, address: call.address, device })
  if (!checked.ok) return refuse(...checked.refusals)
  await rememberDevice(database, req, res, checked.value.uid, webOrigin.startsWith('https:'))
  if (!isContinued) await issuer.beginSession(req, res, checked.value.uid)
  else if (!(await issuer.finishSignIn(req, res, target, checked.value.uid))) {
    return refuse(refusal('sign-in/request-expired'))
  }
  return { body: { location: target } }
}

const signOut: Endpoint = async ({ options, req, res }) => {
  if (options.issuer) await options.issuer.endBrowserSession(req, res)
  else {
    const token = bearerToken(req.headers.authorization)
    const verified = token && (await options.verifyToken(token))
    if (verified) await options.database.inScope(SYSTEM, tx => rememberSignedOut(tx, verified))
  }
  return { body: {} }
}

const session: Endpoint = async call => {
  const { options } = call
  const person = await asking(call)
  const info: SessionInfo = {
    user: person ? { email: person.email } : null,
    provider: options.issuer
      ? { kind: 'embedded' }
      : {
          kind: 'external',
          issuer: options.oidcIssuer,
          clientId: options.oidcClientId,
          redirectUri: `${options.webOrigin}${CONSOLE_CALLBACK_PATH}`,
        },
    isDemo: options.isDemo,
  }
  return { body: info }
}

const changePass: Endpoint = async call => {
  const { options, input } = call
  const person = await asking(call)
  if (!person) return refuse(refusal(options.issuer ? 'sign-in/not-signed-in' : 'sign-in/not-here'))
  const changed = await changePassword(options.database, options.clock, person, {
    currentPassword: text(input, 'currentPassword'),
    newPassword: text(input, 'newPassword').slice(0, 2 * PASSWORD_MAX_LENGTH + 1),
  })
  return changed.ok ? { body: {} } : refuse(...changed.refusals)
}

const changeEmail: Endpoint = async call => {
  const { options, input } = call
  const person = await asking(call)
  if (!person) return refuse(refusal(options.issuer ? 'sign-in/not-signed-in' : 'sign-in/not-here'))
  const asked = await requestEmailChange(options, person, {
    email: text(input, 'email'),
    currentPassword: text(input, 'currentPassword'),
  })
  return asked.ok ? { body: {} } : refuse(...asked.refusals)
}

const confirmEmail: Endpoint = async ({ options, input }) => {
  if (!options.issuer) return refuse(refusal('sign-in/not-here'))
  const changed = await confirmEmailChange(options, text(input, 'secret'))
  return changed.ok ? { body: changed.value } : refuse(...changed.refusals)
}

const firstAdmin: Endpoint = async ({ options, req, res, input, address }) => {
  const { issuer, database } = options
  if (!issuer) return refuse(refusal('sign-in/not-here'))
  const counted = await reserveAttempt(database, options.clock.now(), [{ kind: 'address', name: address }])
  if (!counted.isAllowed) {
    return refuse(refusal('sign-in/too-many-attempts', [], { minutes: counted.retryInMinutes }))
  }
  const made = await makeFirstAdmin(database, {
    secret: text(input, 'secret'),
    email: text(input, 'email'),
    password: text(input, 'password').slice(0, 2 * PASSWORD_MAX_LENGTH + 1),
  })
  if (!made.ok) return refuse(...made.refusals)
  await issuer.beginSession(req, res, made.value.uid)
  return { body: { location: HOME_PATH } }
}

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ['POST sign-in', signIn],
  ['POST sign-out', signOut],
  ['GET session', session],
  ['POST change-pass', changePass],
  ['POST change-email', changeEmail],
  ['POST change-email/confirm', confirmEmail],
  ['POST first-admin', firstAdmin],
])

async function answer(options: SignInApiOptions, req: IncomingMessage, res: ServerResponse, name: string) {
  const reply = (status: number, body: unknown) => answerJson(res, options.webOrigin, status, body)
  const endpoint = ENDPOINTS.get(`${req.method} ${name}`)
  if (!endpoint) {
    const isKnown = [...ENDPOINTS.keys()].some(key => key.endsWith(` ${name}`))
    return reply(isKnown ? 405 : 404, { refusals: [refusal('sign-in/bad-request')] })
  }
  const address = clientAddress(req, options.trustedProxies)
  if (req.method === 'POST') requireSameOriginJson(req, options.webOrigin)
  const input = req.method === 'POST' ? await readJsonObject(req, MAX_BODY_BYTES) : {}
  const outcome = await endpoint({ options, req, res, input, address })
  if ('body' in outcome) return reply(200, outcome.body)
  const [first] = outcome.refusals
  if (first?.code === 'sign-in/too-many-attempts') res.setHeader('retry-after', Number(first.data.minutes) * 60)
  return reply((first && STATUS[first.code]) ?? 400, { refusals: outcome.refusals })
}

/**
 * The endpoints of the sign-in application under `/sso/api/`. They know people by the issuer's session cookie; the
 * GraphQL APIs never do. Mount before whatever serves the files of `/sso`.
 */
export function signInApi(options: SignInApiOptions): (req: IncomingMessage, res: ServerResponse) => Promise<boolean> {
  return async (req, res) => {
    const path = (req.url ?? '').split(/[?#]/, 1)[0] ?? ''
    if (!path.startsWith(PREFIX)) return false
    try {
      await answer(options, req, res, path.slice(PREFIX.length))
    } catch (error) {
      const isBad = error instanceof BadRequest
      if (!isBad) options.onFault(error)
      const code = isBad ? 'sign-in/bad-request' : 'sign-in/fault'
      // What is left of the body is not read: the connection cannot be used again.
      if (isBad) res.setHeader('connection', 'close')
      answerJson(res, options.webOrigin, isBad ? error.status : 500, { refusals: [refusal(code)] })
    }
    return true
  }
}
