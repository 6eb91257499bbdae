import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { clientAddress } from '@pc/platform/http/client-address.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { answerJson, readJsonObject, requireSameOriginJson } from '@pc/platform/http/json-endpoint.ts'
import { withRepeatedTransactions } from '@pc/platform/postgres/repeat-transactions.ts'
import { isDatabaseUnavailable } from '@pc/platform/postgres/translate-sql-state.ts'
import { type SignInRefusalCode, signInMessage } from '../refusals.ts'
import { ACCOUNT_CHANGE_ENDPOINTS } from './account-change-endpoints.ts'
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts'
import { BINDING_ENDPOINTS } from './binding-endpoints.ts'
import type { SignInApiOptions } from './sign-in-call.ts'
import { SIGN_IN_ENDPOINTS } from './sign-in-endpoints.ts'

const PREFIX = '/sso/api/'
const MAX_BODY_BYTES = 16 * 1024

const STATUS: Partial<Record<SignInRefusalCode, number>> = {
  'sign-in/wrong-credentials': 401,
  'sign-in/code-wrong': 401,
  'sign-in/passkey-wrong': 401,
  'sign-in/not-signed-in': 401,
  'sign-in/step-up-needed': 403,
  'sign-in/account-in-use': 409,
  'sign-in/not-registered': 403,
  'sign-in/disabled': 403,
  'sign-in/signed-out': 401,
  'sign-in/second-factor-missing': 403,
  'sign-in/token-refused': 401,
  'sign-in/too-many-attempts': 429,
  'sign-in/request-expired': 410,
  'sign-in/link-expired': 410,
  'sign-in/not-here': 409,
  'sign-in/code-unreadable': 503,
  'sign-in/no-secrets-key': 503,
}

const ENDPOINTS = new Map([
  ...SIGN_IN_ENDPOINTS,
  ...BINDING_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...ACCOUNT_CHANGE_ENDPOINTS,
])

async function answer(options: SignInApiOptions, req: IncomingMessage, res: ServerResponse, name: string) {
  const reply = (status: number, body: unknown) => answerJson(res, options.webOrigin, status, body)
  const endpoint = ENDPOINTS.get(`${req.method} ${name}`)
  if (!endpoint) {
    const isKnown = [...ENDPOINTS.keys()].some(key => key.endsWith(` ${name}`))
    return reply(isKnown ? 405 : 404, { refusals: spoken([refusal('sign-in/bad-request')]) })
  }
  const address = clientAddress(req, options.trustedProxies)
  if (req.method === 'POST') requireSameOriginJson(req, options.webOrigin)
  const input = req.method === 'POST' ? await readJsonObject(req, MAX_BODY_BYTES) : {}
  const outcome = await endpoint({ options, req, res, input, address })
  if ('body' in outcome) return reply(200, outcome.body)
  const [first] = outcome.refusals
  if (first?.code === 'sign-in/too-many-attempts' && !res.headersSent)
    res.setHeader('retry-after', Number(first.data.minutes) * 60)
  return reply((first && STATUS[first.code]) ?? 400, { refusals: spoken(outcome.refusals) })
}

/** Adds the Japanese message, for programs and people who read the raw answer. The screens derive their text from the code. */
function spoken(refusals: readonly Refusal<SignInRefusalCode>[]) {
  return refusals.map(each => ({ ...each, message: signInMessage(each) }))
}

/**
 * The endpoints of the sign-in application under `/sso/api/`. They know people by the issuer's session cookie; the
 * GraphQL APIs never do. Mount before whatever serves the files of `/sso`.
 */
export function signInApi(given: SignInApiOptions): (req: IncomingMessage, res: ServerResponse) => Promise<boolean> {
  // Repeats transactions after a deadlock: links are used up before the person's row is locked, and administrators' actions
  // lock in the opposite order.
  const options = { ...given, database: withRepeatedTransactions(given.database) }
  return async (req, res) => {
    const path = (req.url ?? '').split(/[?#]/, 1)[0] ?? ''
    if (!path.startsWith(PREFIX)) return false
    try {
      await answer(options, req, res, path.slice(PREFIX.length))
    } catch (error) {
      const isBad = error instanceof HttpError
      if (!isBad) options.onFault(error)
      const code = isBad ? 'sign-in/bad-request' : 'sign-in/fault'
      // The rest of the body is not read, so the connection cannot be reused.
      if (isBad && !res.headersSent) res.setHeader('connection', 'close')
      const status = isBad ? error.status : isDatabaseUnavailable(error) ? 503 : 500
      answerJson(res, options.webOrigin, status, { refusals: spoken([refusal(code)]) })
    }
    return true
  }
}
