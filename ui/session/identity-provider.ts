import { OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts'
import type { RuntimeConfig } from '../runtime-config.ts'

export interface SessionPaths {
  /** Where a provider with screens of its own sends the browser back to: processed by the session's start. */
  readonly callback: string
  /** The page in the hidden frame. */
  readonly silentCallback: string
  readonly signedOut: string
}

export type SessionConfig = Pick<RuntimeConfig, 'oidcIssuer' | 'oidcMetadata' | 'oidcClientId' | 'canChangePassword'>

/** What the provider answered: the tokens and whom they name. */
export type Tokens = Pick<
  SigninResponse,
  'id_token' | 'refresh_token' | 'session_state' | 'scope' | 'profile' | 'url_state'
>

/** What a session asks of the identity provider; tests put their own in its place. */
export interface IdentityProvider {
  getUser(): Promise<Tokens | null>
  /** By the refresh token if there is one, else by the provider's own session. @throws when nobody is signed in */
  signinSilent(request: { nonce: string }): Promise<Tokens>
  /** At the address that the provider sent the browser back to. */
  signinCallback(): Promise<Tokens>
  removeUser(): Promise<void>
  /** Leaves the page. */
  signoutRedirect(request: { id_token_hint?: string }): Promise<void>
}

/** Kept with a request, so that the answer to one kind is not taken for that of another. */
const SILENTLY = 'si:s'
const BY_REDIRECT = 'si:r'
const ANSWER_WITHIN_SECONDS = 15

/**
 * The protocol itself (code flow with PKCE, state, nonce, refreshed tokens and their checks) is the library's. Its
 * `UserManager` is not used: the windows, monitors and stores that it brings weigh 7 KB before anything can be asked.
 * Tokens live in this object only: a stolen storage holds nothing, another tab signs in automatically.
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
      // Known from the start: no request for the discovery document.
      ...(config.oidcMetadata ? { metadata: config.oidcMetadata } : {}),
      client_id: config.oidcClientId,
      redirect_uri: origin + paths.callback,
      post_logout_redirect_uri: origin + paths.signedOut,
      response_type: 'code',
      scope: 'openid email offline_access',
      // Nonce and code verifier of a request under way; they must outlive a redirect, and are used once.
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
    // A provider that does not rotate sends none: the old one goes on.
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
 * Where the issuer on our own origin sends the browser to: its cookie comes along with any request of ours, so no document
 * has to be made, which takes a slow device a tenth of a second. Ours says it in so many words, which saves the way there;
 * with another one the redirect is followed.
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

/** Of an issuer elsewhere, whose cookie is its own. Opens the address out of sight; the page it ends at (`silent-callback.ts`) hands over where it was sent. */
function answerOfFrame(address: string): Promise<string> {
  const frame = document.createElement('iframe')
  // Not `hidden`: what has no box may be loaded later than everything else.
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
