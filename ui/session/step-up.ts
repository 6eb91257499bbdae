import { startAuthentication } from '@simplewebauthn/browser'
import { SESSION_ENDED } from './session-ended.ts'

type Question = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Refusals of the sign-in endpoints that concern a step-up. */
export interface StepUpRefusal {
  readonly code: string
  readonly data: Readonly<Record<string, string | number>>
}

/** The ways in which the signed-in person can do a step-up; a part of `SecurityInfo`. */
export interface StepUpWays {
  readonly email: string
  readonly hasTotp: boolean
  readonly canProveByPasskey: boolean
  readonly needsCode: boolean
}

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal?: StepUpRefusal }

async function call<T>(name: string, body?: unknown): Promise<Answer<T>> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    const response = await fetch(`/sso/api/${name}`, {
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined ? {} : post),
    })
    const answer: unknown = await response.json()
    if (response.ok) return { ok: true, value: answer as T }
    const [refusal] = (answer as { refusals?: readonly StepUpRefusal[] } | undefined)?.refusals ?? []
    return { ok: false, ...(refusal ? { refusal } : {}) }
  } catch {
    return { ok: false }
  }
}

export const readStepUpWays = () => call<StepUpWays>('security')

export const proveByPassword = (currentPassword: string, code: string) =>
  call<object>('step-up', { currentPassword, code })

/** Steps up with a passkey. */
export async function proveByPasskey(): Promise<Answer<object>> {
  const requested = await call<{ options: Question }>('step-up/passkey-options', {})
  if (!requested.ok) return requested
  try {
    return await call('step-up', { passkey: await startAuthentication({ optionsJSON: requested.value.options }) })
  } catch {
    // The browser's dialog was closed, or no passkey matched.
    return { ok: false, refusal: { code: 'sign-in/passkey-closed', data: {} } }
  }
}

/** Address of the step-up at an external issuer, which leads back to this screen. */
export const stepUpHref = (at: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  `/sso#/step-up/${encodeURIComponent(at.pathname + at.search + at.hash)}`

/** Goes to the issuer's address. Forms store unsaved input on {@link SESSION_ENDED}. */
export function leaveToStepUp(): void {
  dispatchEvent(new Event(SESSION_ENDED))
  location.assign(stepUpHref(location))
}
