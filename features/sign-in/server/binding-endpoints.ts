import { ISSUER_REFUSALS } from '@pc/domain/access/issuer-refusal.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { bearerToken, type RefusedSignIn } from '@pc/platform/oidc/authenticate.ts'

import { reserveAttempt } from './attempt-limit.ts'
import { beginFirstAdmin, beginInvitation, finishBinding } from './bind-account.ts'
import { readFirstAdminLink } from './first-admin.ts'
import { type Answer, type Call, type Endpoint, refuse, text } from './sign-in-call.ts'

/** An endpoint for people of an external issuer; the embedded one gives them a password instead. Counted like passwords. */
function atExternal(work: (call: Call, issuer: string) => Promise<Answer>): Endpoint {
  return async call => {
    const { options, address } = call
    if (options.issuer) return refuse(refusal('sign-in/not-here'))
    const counted = await reserveAttempt(options.database, options.clock.now(), [
      { limit: 'credentialsFromAddress', by: address },
    ])
    if (counted.isAllowed) return work(call, options.oidcIssuer)
    return refuse(refusal('sign-in/too-many-attempts', [], { minutes: counted.retryInMinutes }))
  }
}

const showFirstAdmin = atExternal(async ({ options, input }, issuer) => {
  const link = await readFirstAdminLink(options.database, issuer, text(input, 'secret'))
  return link ? { body: link } : refuse(refusal('sign-in/link-expired'))
})

const beginWithFirstAdminLink = atExternal(async ({ options, input }, issuer) => {
  const begun = await beginFirstAdmin(options.database, issuer, {
    secret: text(input, 'secret'),
    email: text(input, 'email'),
  })
  return begun.ok ? { body: begun.value } : refuse(...begun.refusals)
})

const beginWithInvitation = atExternal(async ({ options, input }) => {
  const begun = await beginInvitation(options.database, text(input, 'secret'))
  return begun.ok ? { body: begun.value } : refuse(...begun.refusals)
})

const finish = atExternal(async call => {
  const { options, req, input, address } = call
  const { onRefused } = options
  const token = bearerToken(req.headers.authorization) ?? ''
  const verified = await options.verifyToken(token, onRefused)
  if (!verified) return refuse(refusal('sign-in/token-refused'))
  const bound = await finishBinding(options.database, verified, text(input, 'ticket'), address)
  if (bound.ok) return { body: {} }
  for (const { code } of bound.refusals) onRefused(`binding: ${code}`, verified.subject)
  return refuse(...bound.refusals)
})

/** Called by the applications after a sign-in at the issuer: answers why the person is refused, if so. */
const account: Endpoint = async ({ options, req }) => {
  let why: RefusedSignIn | undefined
  const person = await options.authenticate(req.headers.authorization, (reason, ...details) => {
    why = reason
    options.onRefused(reason, ...details)
  })
  if (person) return { body: {} }
  const reason = ISSUER_REFUSALS.find(known => known === why)
  return refuse(refusal(`sign-in/${reason ?? 'token-refused'}`))
}

/** Endpoints that bind a person to an account of the external issuer by a link, or explain a refusal. */
export const BINDING_ENDPOINTS: readonly (readonly [string, Endpoint])[] = [
  ['POST first-admin/show', showFirstAdmin],
  ['POST first-admin/bind', beginWithFirstAdminLink],
  ['POST invite/bind', beginWithInvitation],
  ['POST bind', finish],
  ['GET account', account],
]
