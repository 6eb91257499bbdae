import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { type Answer, post } from './sign-in-client.ts'

type Start = Parameters<typeof startAuthentication>[0]['optionsJSON']
type Create = Parameters<typeof startRegistration>[0]['optionsJSON']

/** The browser's dialog was closed, or no passkey matched. */
const CLOSED = { ok: false, refusals: [{ code: 'sign-in/passkey-closed', path: [], data: {} }] } as const

/**
 * Asks for a passkey: with a ticket as its second factor, without one as a sign-in on its own.
 * Tested by `e2e/account-screens.test.ts`.
 */
export async function signInWithPasskey(input: {
  readonly ticket?: string
  readonly originalPath?: string
}): Promise<Answer<{ location: string }>> {
  const requested = await post<{ options: Start }>('sign-in/passkey-options', { ticket: input.ticket ?? '' })
  if (!requested.ok) return requested
  try {
    const passkey = await startAuthentication({ optionsJSON: requested.value.options })
    return input.ticket === undefined
      ? post('sign-in/passkey', { passkey, originalPath: input.originalPath })
      : post('sign-in/second-factor', { passkey, ticket: input.ticket })
  } catch {
    return CLOSED
  }
}

/**
 * Asks the browser for a passkey and registers it. The list of recovery codes is empty while the account has unused
 * ones.
 */
export async function createPasskey(label: string): Promise<Answer<{ recoveryCodes: readonly string[] }>> {
  const requested = await post<{ options: Create }>('passkeys/start', {})
  if (!requested.ok) return requested
  try {
    const passkey = await startRegistration({ optionsJSON: requested.value.options })
    return post('passkeys/confirm', { passkey, label })
  } catch {
    return { ok: false, refusals: [{ code: 'sign-in/passkey-not-added', path: [], data: {} }] }
  }
}
