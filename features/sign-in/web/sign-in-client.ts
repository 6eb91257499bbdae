import type { SignInRefusal } from '../refusals.ts'
import type { SessionInfo } from '../session-info.ts'

/** The response of an endpoint under `/sso/api/`. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly SignInRefusal[] }

const FAULT: SignInRefusal = { code: 'sign-in/fault', path: [], data: {} }
const NOT_REACHED: SignInRefusal = { code: 'sign-in/not-reached', path: [], data: {} }

async function call<T>(name: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response
  try {
    response = await fetch(`/sso/api/${name}`, { credentials: 'same-origin', cache: 'no-store', ...init })
  } catch {
    return { ok: false, refusals: [NOT_REACHED] }
  }
  try {
    const body = await response.json()
    if (response.ok) return { ok: true, value: body as T }
    return { ok: false, refusals: body.refusals?.length ? body.refusals : [FAULT] }
  } catch {
    return { ok: false, refusals: [FAULT] }
  }
}

export function post<T>(
  name: string,
  input: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> {
  const type = { 'content-type': 'application/json' }
  return call(name, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(input) })
}

export function get<T>(name: string): Promise<Answer<T>> {
  return call(name, {})
}

export function readSession(): Promise<Answer<SessionInfo>> {
  return get('session')
}
