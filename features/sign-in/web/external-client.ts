import { BINDING_STATE, IAM_CALLBACK_PATH } from '../links.ts'
import type { SessionInfo } from '../session-info.ts'
import { post } from './sign-in-client.ts'

export type ExternalProvider = Extract<SessionInfo['provider'], { kind: 'external' }>

/** State and code verifier lie where the console's own client looks for them (oidc-client-ts in sessionStorage). */
async function openClient(provider: ExternalProvider, target = '') {
  const { OidcClient, WebStorageStateStore } = await import('oidc-client-ts')
  return new OidcClient({
    authority: provider.issuer,
    client_id: provider.clientId,
    // Each application uses its own codes: the other one would have to ask again, which not every browser lets it do.
    redirect_uri: target.startsWith('/iam/')
      ? new URL(IAM_CALLBACK_PATH, provider.redirectUri).href
      : provider.redirectUri,
    response_type: 'code',
    scope: 'openid email offline_access',
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    filterProtocolClaims: false,
  })
}

/**
 * `sign-in-again` lets the provider ask who is there. `prove-again`, for a step-up, also wants to be told when that was
 * (`auth_time`), and the level that this installation asks for (`acr`).
 */
export type PromptKind = 'sign-in-again' | 'prove-again' | undefined

/** Starts the code flow at the company's identity provider; the application of `target` uses the code at its callback. */
export async function signInAtProvider(provider: ExternalProvider, target: string, prompt?: PromptKind): Promise<void> {
  const client = await openClient(provider, target)
  const request = await client.createSigninRequest({
    nonce: crypto.randomUUID(),
    url_state: target,
    request_type: 'si:r',
    ...(prompt ? { prompt: 'login' } : {}),
    ...(prompt === 'prove-again' ? { max_age: 0 } : {}),
    ...(prompt === 'prove-again' && provider.stepUpAcr ? { acr_values: provider.stepUpAcr } : {}),
  })
  location.assign(request.url)
}

/** What `POST …/bind` answers to the holder of a link. */
export interface BindingStart {
  readonly ticket: string
  readonly nonce: string
}

/**
 * Starts the sign-in by which an account is bound. The provider asks who it is, also where somebody is signed in there: an
 * account must not be bound because the person before has not signed out.
 */
export async function bindAtProvider(provider: ExternalProvider, { ticket, nonce }: BindingStart): Promise<void> {
  const client = await openClient(provider)
  const request = await client.createSigninRequest({
    nonce,
    state: { ticket },
    // The web listener leads the answer back to this application by it.
    url_state: BINDING_STATE,
    request_type: 'si:b',
    prompt: 'login',
  })
  location.assign(request.url)
}

/** The answer to {@link bindAtProvider}, which is in the address. */
export async function finishBinding(provider: ExternalProvider) {
  const client = await openClient(provider)
  const answer = await client.processSigninResponse(location.href)
  const { ticket } = (answer.userState ?? {}) as { readonly ticket?: unknown }
  return post<object>('bind', { ticket }, { authorization: `Bearer ${answer.id_token}` })
}
