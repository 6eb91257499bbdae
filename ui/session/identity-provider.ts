import { OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts'
import type { RuntimeConfig } from '../runtime-config.ts'

export interface SessionPaths {
  /** Redirect URI of an external provider; the session's start processes it. */
  readonly callback: string
  /** The page in the hidden frame. */
  readonly silentCallback: string
  readonly signedOut: string
}

export type SessionConfig = Pick<RuntimeConfig, 'oidcIssuer' | 'oidcMetadata' | 'oidcClientId' | 'canChangePassword'>

/** The tokens of a response and the claims in them. */
export type Tokens = Pick<
  SigninResponse,
  'id_token' | 'refresh_token' | 'session_state' | 'scope' | 'profile' | 'url_state'
>

/** What a session needs of the identity provider; tests supply their own. */
export interface IdentityProvider {
  getUser(): Promise<Tokens | null>
  /**
   * Renews with the refresh token if there is one, otherwise with the provider's own session.
   * @throws when nobody is signed in
   */
  signinSilent(request: { nonce: string }): Promise<Tokens>
  /** Redeems the code at the redirect URI. */
  signinCallback(): Promise<Tokens>
  removeUser(): Promise<void>
  /** Leaves the page. */
  signoutRedirect(request: { id_token_hint?: string }): Promise<void>
}

/** Stored with a request, so that a response to one kind is not accepted for another. */
const SILENTLY = 'si:s'
const BY_REDIRECT = 'si:r'
/** Longest wait for an answer of the provider. */
const ANSWER_WITHIN_SECONDS = 15

/**
 * The library implements the protocol (code flow with PKCE, state, nonce, refresh tokens and their checks). Its
 * `UserManager` is not used, because its windows, monitors and stores add 7 KB before anything can be sent. Tokens are
 * kept in this object only, so stolen storage contains none; another tab signs in by itself.
 */
export class OidcProvider implements IdentityProvider {
  readonly #client: OidcClient
  readonly #origin: string
  readonly #silentCallback: string
  #tokens: Tokens | null = null

  constructor(config: SessionConfig, paths: SessionPaths, origin = location.origin) {
    this.#origin = origin
    this.#silentCallback = origin + paths.silentCallback
    this.#client = new OidcClient({
      authority: config.oidcIssuer,
      // Known from the start, so that no request for the discovery document is needed.
      ...(config.oidcMetadata ? { metadata: config.oidcMetadata } : {}),
      client_id: config.oidcClientId,
      redirect_uri: origin + paths.callback,
      post_logout_redirect_uri: origin + paths.signedOut,
      response_type: 'code',
      scope: 'openid email offline_access',
      // Nonce and code verifier of a pending request must survive a redirect; they are used once.
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
      filterProtocolClaims: false,
    })
  }

  async getUser(): Promise<Tokens | null> {
    return this.#tokens
  }

  async signinSilent({ nonce }: { nonce: string }): Promise<Tokens> {
    const now = this.#tokens
    this.#tokens = now?.refresh_token
      ? await this.#refresh(now, now.refresh_token)
      : await this.#askSilently(nonce, now)
    return this.#tokens
  }

  async #refresh(now: Tokens, refreshToken: string): Promise<Tokens> {
    const { id_token, session_state, scope, profile } = now
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's word, no hook
    const answer = await this.#client.useRefreshToken({
      // The state as the library's own session keeps it: the new token must name the same person as the old one.
      state: {
        refresh_token: refreshToken,
        session_state,
        profile,
        ...(id_token === undefined ? {} : { id_token }),
        ...(scope === undefined ? {} : { scope }),
      },
      timeoutInSeconds: ANSWER_WITHIN_SECONDS,
    })
    // A provider without rotation sends no new one, so the old one stays.
    answer.refresh_token ??= refreshToken
    return answer
  }

  async #askSilently(nonce: string, before: Tokens | null): Promise<Tokens> {
    const redirect_uri = this.#silentCallback
    const request = await this.#client.createSigninRequest({
      ...{ nonce, redirect_uri, prompt: 'none', request_type: SILENTLY },
    })
    const isOwn = new URL(request.url).origin === this.#origin
    const address = await (isOwn ? answerOfOwn(request.url) : answerOfFrame(request.url))
    const answer = await this.#client.processSigninResponse(address)
    if (before && before.profile.sub !== answer.profile.sub) throw new Error('another person has signed in')
    return answer
  }

  async signinCallback(): Promise<Tokens> {
    const { state } = await this.#client.readSigninResponseState(location.href)
    if (state.request_type !== BY_REDIRECT) throw new Error('the answer to another request')
    this.#tokens = await this.#client.processSigninResponse(location.href)
    return this.#tokens
  }

  async removeUser(): Promise<void> {
    this.#tokens = null
  }

  async signoutRedirect(request: { id_token_hint?: string }): Promise<void> {
    this.#tokens = null
    const { url } = await this.#client.createSignoutRequest({ ...request, request_type: 'so:r' })
    location.assign(url)
  }
}

/**
 * The address to which the issuer on our own origin redirects. Our requests carry its cookie, so no document has to be
 * created, which would take a slow device a tenth of a second. Our issuer returns the address in the body, which saves
 * the redirect; for another one the redirect is followed.
 */
async function answerOfOwn(address: string): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_SECONDS * 1000)
  const response = await fetch(address, { headers: { accept: 'application/json' }, signal })
  if (response.redirected) {
    void response.body?.cancel()
    return response.url
  }
  const { location: sentTo } = (await response.json().catch(() => ({}))) as { readonly location?: unknown }
  if (typeof sentTo !== 'string') throw new Error(`the provider did not answer: status ${response.status}`)
  return sentTo
}

/**
 * The same for an issuer on another origin, with a cookie of its own: opens the address in a hidden frame, whose last
 * page (`silent-callback.ts`) posts its address.
 */
function answerOfFrame(address: string): Promise<string> {
  const frame = document.createElement('iframe')
  // Not `hidden`: browsers may load an element without a box later than everything else.
  Object.assign(frame.style, { position: 'fixed', visibility: 'hidden', width: '0', height: '0', border: '0' })
  return new Promise<string>((resolve, reject) => {
    const onMessage = (event: MessageEvent) => {
      const { source, url } = (event.data ?? {}) as { source?: unknown; url?: unknown }
      const isAnswer = event.origin === location.origin && event.source === frame.contentWindow
      if (isAnswer && source === 'oidc-client' && typeof url === 'string') finish(() => resolve(url))
    }
    const timer = setTimeout(
      () => finish(() => reject(new Error('the provider did not answer'))),
      ANSWER_WITHIN_SECONDS * 1000,
    )
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
      frame.remove()
      settle()
    }
    addEventListener('message', onMessage)
    frame.src = address
    document.body.append(frame)
  })
}
