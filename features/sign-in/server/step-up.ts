import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { noteStepUp } from '@pc/platform/oidc/session-uses.ts'
import type { SignInRefusalCode } from '../refusals.ts'
import type { SecurityInfo } from '../session-info.ts'
import { forgetAttempt, reserveAttempt } from './attempt-limit.ts'
import { confirmPassword } from './change-password.ts'
import { authenticationOptions, checkPasskey, passkeyHost } from './passkeys.ts'
import { hasAny, type SecondFactors, secondFactorsOf, spendCode } from './second-factor.ts'
import { type Asking, type Call, forPerson, refuse, text } from './sign-in-call.ts'

type Refused = Refusal<SignInRefusalCode>

/** The ways in which this account can do a step-up; they are as strong as its sign-in. */
export function stepUpWays(
  webOrigin: string,
  factors: SecondFactors,
): Pick<SecurityInfo, 'canProveByPasskey' | 'needsCode'> {
  return {
    canProveByPasskey: factors.passkeys.length > 0 && passkeyHost(webOrigin) !== undefined,
    needsCode: hasAny(factors),
  }
}

/**
 * A step-up before changes that protect accounts or move money: by passkey, or by password, with a code when the
 * account has a second factor.
 * Tested by `features/sign-in/server/second-factor.test.ts`.
 */
export const stepUp = forPerson(async (call, person) => {
  const isPasskey = typeof call.input.passkey === 'object' && call.input.passkey !== null
  const refused = await (isPasskey ? refusePasskey(call, person) : refusePassword(call, person))
  if (refused) return refuse(refused)
  await noteStepUp(call.options.database, { ...person, address: call.address })
  return { body: {} }
})

/** The challenge for a passkey of this person, valid for a step-up only. */
export const stepUpOptions = forPerson(async ({ options: { database, webOrigin } }, { uid }) => {
  const { canProveByPasskey } = stepUpWays(webOrigin, await secondFactorsOf(database, uid))
  if (!canProveByPasskey) return refuse(refusal('sign-in/passkey-wrong'))
  return { body: { options: await authenticationOptions(database, webOrigin, uid, 'step-up') } }
})

async function refusePasskey({ options, input }: Call, { uid }: Asking): Promise<Refused | undefined> {
  const { database, webOrigin } = options
  return withAttemptCounted(options, uid, async () =>
    (await checkPasskey(database, webOrigin, uid, input.passkey, 'step-up')) === uid
      ? undefined
      : refusal('sign-in/passkey-wrong'),
  )
}

async function refusePassword({ options, input }: Call, person: Asking): Promise<Refused | undefined> {
  const { database, clock } = options
  const { needsCode } = stepUpWays(options.webOrigin, await secondFactorsOf(database, person.uid))
  const typed = text(input, 'code')
  if (needsCode && typed.trim() === '') return refusal('sign-in/code-required', ['code'])
  const wrong = await confirmPassword(database, clock, person, text(input, 'currentPassword'), ['currentPassword'])
  if (wrong || !needsCode) return wrong
  return withAttemptCounted(options, person.uid, async () => {
    const given = await spendCode(options, { uid: person.uid, typed, nowMs: clock.now() })
    if (given === 'right') return undefined
    return refusal(given === 'unreadable' ? 'sign-in/code-unreadable' : 'sign-in/code-wrong', ['code'])
  })
}

/** Counted together with the second factor of signing in, so that using both gives no additional attempts. */
async function withAttemptCounted(
  { database, clock }: Call['options'],
  uid: string,
  check: () => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const reservation = await reserveAttempt(database, clock.now(), [{ limit: 'secondFactorOfAccount', by: uid }])
  if (!reservation.isAllowed) return refusal('sign-in/too-many-attempts', [], { minutes: reservation.retryInMinutes })
  const refused = await check()
  if (!refused) await forgetAttempt(database, reservation.attemptIds)
  return refused
}
