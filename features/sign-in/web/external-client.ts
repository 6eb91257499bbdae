import { BINDING_STATE, IAM_CALLBACK_PATH } from '../links.ts'
import type { SessionInfo } from '../session-info.ts'
import { post } from './sign-in-client.ts'

export type ExternalProvider = Extract<SessionInfo['provider'], { kind: 'external' }>

/**
 * State and code verifier are stored where the console's own client looks for them (oidc-client-ts in sessionStorage).
 */
async function openClient(provider: ExternalProvider, target = '') {
  const { OidcClient, WebStorageStateStore } = await import('oidc-client-ts')
  return new OidcClient({
    authority: provider.issuer,
    client_id: provider.clientId,
    // Each application redeems its own codes: the other one would need a further silent sign-in, which some browsers
    // block.
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
 * `sign-in-again` makes the provider ask who is there. `prove-again`, for a step-up, also requests the time of the
 * sign-in (`auth_time`) and the level that this installation requires (`acr`).
 */
export type PromptKind = 'sign-in-again' | 'prove-again' | undefined

/** Starts the code flow at the external provider. The application of `target` redeems the code at its callback. */
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

/** The response of `POST …/bind` to the holder of a link. */
export interface BindingStart {
  readonly ticket: string
  readonly nonce: string
}

/**
 * Starts the sign-in that binds an account. The provider must ask who is there even if somebody is signed in, so that
 * the account of a previous person who has not signed out is not bound.
 */
export async function bindAtProvider(provider: ExternalProvider, { ticket, nonce }: BindingStart): Promise<void> {
  const client = await openClient(provider)
  const request = await client.createSigninRequest({
    nonce,
    state: { ticket },
    // By this state the web listener redirects the response to this application.
    url_state: BINDING_STATE,
    request_type: 'si:b',
    prompt: 'login',
  })
  location.assign(request.url)
}

/** Sends the response to {@link bindAtProvider}, which is in the address, to the server. */
export async function finishBinding(provider: ExternalProvider) {
  const client = await openClient(provider)
  const answer = await client.processSigninResponse(location.href)
  const { ticket } = (answer.userState ?? {}) as { readonly ticket?: unknown }
  return post<object>('bind', { ticket }, { authorization: `Bearer ${answer.id_token}` })
}
