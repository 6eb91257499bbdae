import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import type { RuntimeConfig } from './runtime-config.ts'

/** The person as the identity provider names them. */
export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly photoUrl: string | undefined
  /** A password is among the linked ways to sign in: only then can it be changed here. */
  readonly hasEmailPassAccount: boolean
}

export interface Session {
  /** Asks the identity provider who is signed in; undefined: nobody. Nothing is rendered before this resolves. */
  start(): Promise<SignedInUser | undefined>
  /** A valid ID token, renewed when it is about to end. @throws SessionExpired without a current user. */
  idToken(): Promise<string>
  /** Renews although the token still looks valid: the API refused it. @throws SessionExpired */
  renew(): Promise<string>
  /** Ends the session at the identity provider and leaves the page. */
  signOut(): Promise<void>
  /** Forgets the tokens and goes to the sign-in screen, which leads back to this address. */
  leaveToSignIn(): void
}

export class SessionExpired extends Error {
  override name = 'SessionExpired'
  constructor() {
    // Specification, section 7: with no current user, the token fetch fails with this text.
    super('session expired')
  }
}

/** /sso#/signin/{original path}: the current address without its origin, URL-encoded (specification, section 2). */
export function signInAddress(at: { pathname: string; search: string; hash: string }): string {
  return `/sso#/signin/${encodeURIComponent(at.pathname + at.search + at.hash)}`
}

export interface SessionPaths {
  /** Where a provider with screens of its own sends the browser back to: processed by {@link Session.start}. */
  readonly callback: string
  /** The page in the hidden frame. */
  readonly silentCallback: string
  readonly signedOut: string
}

type SessionConfig = Pick<RuntimeConfig, 'oidcIssuer' | 'oidcMetadata' | 'oidcClientId' | 'canChangePassword'>

/** The client of the issuer as an application of this origin is registered there. */
function makeUserManager(config: SessionConfig, paths: SessionPaths, origin = location.origin): UserManager {
  return new UserManager({
    authority: config.oidcIssuer,
    // Known from the start: no request for the discovery document.
    ...(config.oidcMetadata ? { metadata: config.oidcMetadata } : {}),
    client_id: config.oidcClientId,
    redirect_uri: origin + paths.callback,
    silent_redirect_uri: origin + paths.silentCallback,
    post_logout_redirect_uri: origin + paths.signedOut,
    response_type: 'code',
    scope: 'openid email offline_access',
    // Tokens live in this page's memory only: a stolen storage holds nothing, another tab signs in by itself.
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // Nonce and code verifier of a request under way; they must outlive a redirect, and are used once.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    filterProtocolClaims: false,
    automaticSilentRenew: false,
    monitorSession: false,
    silentRequestTimeoutInSeconds: 15,
  })
}

export function openSession(config: SessionConfig, paths: SessionPaths): Session {
  return new OidcSession(makeUserManager(config, paths), paths, config.canChangePassword)
}

/** What is asked of oidc-client-ts; tests put their own in its place. */
export type Manager = Pick<
  UserManager,
  'getUser' | 'signinSilent' | 'signinCallback' | 'removeUser' | 'signoutRedirect'
>

const RENEW_BEFORE_END_MS = 45_000
const CHANNEL = 'publisher-center-session'
const SIGNED_OUT = 'signed-out'

export class OidcSession implements Session {
  readonly #manager: Manager
  readonly #paths: SessionPaths
  readonly #hasPasswords: boolean
  readonly #leave: (address: string) => void
  readonly #tabs = new BroadcastChannel(CHANNEL)
  #renewal: Promise<User | null> | undefined
  #validUntil = 0

  constructor(
    manager: Manager,
    paths: SessionPaths,
    hasPasswords: boolean,
    leave: (address: string) => void = address => location.assign(address),
  ) {
    this.#manager = manager
    this.#leave = leave
    this.#paths = paths
    this.#hasPasswords = hasPasswords
    this.#tabs.onmessage = event => {
      if (event.data === SIGNED_OUT) this.leaveToSignIn()
    }
  }

  async start(): Promise<SignedInUser | undefined> {
    const user = location.pathname === this.#paths.callback ? await this.#finishRedirect() : await this.#renewOnce()
    return user ? personOf(user, this.#hasPasswords) : undefined
  }

  async idToken(): Promise<string> {
    const user = await this.#manager.getUser()
    if (user?.id_token && performance.now() < this.#validUntil) return user.id_token
    return this.renew()
  }

  async renew(): Promise<string> {
    const user = await this.#renewOnce()
    if (!user?.id_token) throw new SessionExpired()
    return user.id_token
  }

  async signOut(): Promise<void> {
    this.#tabs.postMessage(SIGNED_OUT)
    try {
      const user = await this.#manager.getUser()
      await this.#manager.signoutRedirect(user?.id_token ? { id_token_hint: user.id_token } : {})
    } catch {
      await this.#manager.removeUser()
      this.#leave('/sso#/signin')
    }
  }

  leaveToSignIn(): void {
    void this.#manager.removeUser()
    this.#leave(signInAddress(location))
  }

  /** Back from a provider with screens of its own: the code is used, and the address becomes the one asked for. */
  async #finishRedirect(): Promise<User | null> {
    const user = (await this.#manager.signinCallback().catch(() => undefined)) ?? null
    const wanted = user?.url_state
    const home = new URL('./', location.href).pathname
    history.replaceState(null, '', wanted?.startsWith(home) ? wanted : home)
    return this.#keep(user)
  }

  /** One renewal at a time in this page, and (by a lock of the browser) among all tabs. */
  #renewOnce(): Promise<User | null> {
    this.#renewal ??= navigator.locks
      .request(CHANNEL, () => this.#signInSilently())
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  /** By the rotating refresh token if there is one, else (or when it is used up) by the provider's own session. */
  async #signInSilently(): Promise<User | null> {
    const attempt = () => this.#manager.signinSilent({ nonce: crypto.randomUUID() }).catch(() => null)
    const before = await this.#manager.getUser()
    let user = await attempt()
    if (user === null && before !== null) {
      await this.#manager.removeUser()
      user = await attempt()
    }
    if (user === null) await this.#manager.removeUser()
    return this.#keep(user)
  }

  #keep(user: User | null): User | null {
    // Counted from the moment of receipt, so that a wrong clock of the device does no harm.
    const lifetimeMs = user ? (user.profile.exp - user.profile.iat) * 1000 : 0
    this.#validUntil = performance.now() + lifetimeMs - RENEW_BEFORE_END_MS
    return user
  }
}

function personOf({ profile }: User, hasPasswords: boolean): SignedInUser | undefined {
  // Specification, section 2: without an e-mail nobody counts as signed in.
  if (!profile.sub || !profile.email) return undefined
  return {
    id: profile.sub,
    email: profile.email,
    photoUrl: profile.picture,
    hasEmailPassAccount: hasPasswords || (Array.isArray(profile.amr) && profile.amr.includes('pwd')),
  }
}
