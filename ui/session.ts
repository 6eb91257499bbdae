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

const CALLBACK = 'silent-callback.html'
const RENEW_BEFORE_END_MS = 45_000
const SIGNED_OUT = 'signed-out'

/** @param base address of the folder of the application, for example https://example.jp/gpc/ */
export function openSession(
  config: Pick<RuntimeConfig, 'oidcIssuer' | 'oidcClientId'>,
  base: string = document.baseURI,
): Session {
  const memory = new InMemoryWebStorage()
  const callback = new URL(CALLBACK, base).href
  const manager = new UserManager({
    authority: config.oidcIssuer,
    client_id: config.oidcClientId,
    redirect_uri: callback,
    silent_redirect_uri: callback,
    post_logout_redirect_uri: new URL('/sso', base).href,
    response_type: 'code',
    scope: 'openid email profile offline_access',
    // Tokens live in this page's memory only: a stolen storage holds nothing, another tab signs in by itself.
    userStore: new WebStorageStateStore({ store: memory }),
    stateStore: new WebStorageStateStore({ store: memory }),
    filterProtocolClaims: false,
    automaticSilentRenew: false,
    monitorSession: false,
    silentRequestTimeoutInSeconds: 15,
  })
  return new OidcSession(manager)
}

/** What is asked of oidc-client-ts; tests put their own in its place. */
type Manager = Pick<UserManager, 'getUser' | 'signinSilent' | 'removeUser' | 'signoutRedirect'>

export class OidcSession implements Session {
  readonly #manager: Manager
  readonly #tabs = new BroadcastChannel('publisher-center-session')
  #renewal: Promise<User | null> | undefined
  #validUntil = 0

  constructor(manager: Manager) {
    this.#manager = manager
    this.#tabs.onmessage = event => {
      if (event.data === SIGNED_OUT) this.leaveToSignIn()
    }
  }

  async start(): Promise<SignedInUser | undefined> {
    const user = await this.#renewOnce()
    return user ? personOf(user) : undefined
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
      location.assign('/sso#/signin')
    }
  }

  leaveToSignIn(): void {
    void this.#manager.removeUser()
    location.assign(signInAddress(location))
  }

  /** One renewal at a time in this page, and (by a lock of the browser) among all tabs. */
  #renewOnce(): Promise<User | null> {
    this.#renewal ??= navigator.locks
      .request('publisher-center-session', () => this.#signInSilently())
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  /** By the rotating refresh token if there is one, else (or when it is used up) by the provider's own session. */
  async #signInSilently(): Promise<User | null> {
    const nonce = () => ({ nonce: crypto.randomUUID() })
    const before = await this.#manager.getUser()
    let user = await this.#manager.signinSilent(nonce()).catch(() => null)
    if (user === null && before !== null) {
      await this.#manager.removeUser()
      user = await this.#manager.signinSilent(nonce()).catch(() => null)
    }
    if (user === null) await this.#manager.removeUser()
    else this.#validUntil = performance.now() + lifetimeMs(user) - RENEW_BEFORE_END_MS
    return user
  }
}

/** Measured from the moment of receipt, so that a wrong clock of the device does no harm. */
function lifetimeMs(user: User): number {
  return (user.profile.exp - user.profile.iat) * 1000
}

function personOf({ profile }: User): SignedInUser | undefined {
  // Specification, section 2: without an e-mail nobody counts as signed in.
  if (!profile.sub || !profile.email) return undefined
  const methods = Array.isArray(profile.amr) ? profile.amr : []
  return {
    id: profile.sub,
    email: profile.email,
    photoUrl: profile.picture,
    hasEmailPassAccount: methods.includes('pwd'),
  }
}
