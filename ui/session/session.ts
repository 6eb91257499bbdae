import {
  type IdentityProvider,
  OidcProvider,
  type SessionConfig,
  type SessionPaths,
  type Tokens,
} from './identity-provider.ts'
import { PERSON_LEAVES, SESSION_CHANNEL, SESSION_ENDED, SIGNED_OUT } from './session-ended.ts'

/** The person as the identity provider describes them. */
export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly photoUrl: string | undefined
  /** The person has a password here; only then can it be changed here. */
  readonly hasEmailPassAccount: boolean
}

export interface Session {
  /** Asks the identity provider who is signed in; undefined: nobody. Nothing is rendered before this resolves. */
  start(): Promise<SignedInUser | undefined>
  /**
   * A valid ID token, renewed shortly before it expires.
   * @throws SessionExpired without a current user
   */
  idToken(): Promise<string>
  /**
   * Renews a token that looks valid, because the API refused it.
   * @throws SessionExpired
   */
  renew(): Promise<string>
  /** Ends the session at the identity provider and leaves the page. */
  signOut(): Promise<void>
  /** Discards the tokens and goes to the sign-in screen, which leads back to this address. */
  leaveToSignIn(): void
}

export class SessionExpired extends Error {
  override name = 'SessionExpired'
  constructor() {
    // The text with which fetching a token fails when there is no current user.
    super('session expired')
  }
}

/** /sso#/signin/{original path}, with the current address without its origin, URL-encoded. */
export function signInAddress(at: { pathname: string; search: string; hash: string }): string {
  return `/sso#/signin/${encodeURIComponent(at.pathname + at.search + at.hash)}`
}

export function openSession(config: SessionConfig, paths: SessionPaths): Session {
  return new OidcSession(new OidcProvider(config, paths), paths, config.canChangePassword)
}

/** A token is renewed this long before it ends. */
const RENEW_BEFORE_END_MS = 45_000

export class OidcSession implements Session {
  readonly #provider: IdentityProvider
  readonly #paths: SessionPaths
  readonly #hasPasswords: boolean
  readonly #leave: (address: string) => void
  readonly #tabs = new BroadcastChannel(SESSION_CHANNEL)
  #renewal: Promise<Tokens | null> | undefined
  #validUntil = 0
  #personId: string | undefined

  constructor(
    provider: IdentityProvider,
    paths: SessionPaths,
    hasPasswords: boolean,
    leave: (address: string) => void = address => location.assign(address),
  ) {
    this.#provider = provider
    this.#leave = leave
    this.#paths = paths
    this.#hasPasswords = hasPasswords
    this.#tabs.onmessage = event => {
      if (event.data !== SIGNED_OUT) return
      dispatchEvent(new Event(PERSON_LEAVES))
      this.#goToSignIn()
    }
  }

  async start(): Promise<SignedInUser | undefined> {
    const user = location.pathname === this.#paths.callback ? await this.#finishRedirect() : await this.#renewOnce()
    this.#personId = user?.profile.sub
    return user ? personOf(user, this.#hasPasswords) : undefined
  }

  async idToken(): Promise<string> {
    const user = await this.#provider.getUser()
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
    dispatchEvent(new Event(PERSON_LEAVES))
    try {
      const user = await this.#provider.getUser()
      await this.#provider.signoutRedirect(user?.id_token ? { id_token_hint: user.id_token } : {})
    } catch {
      await this.#provider.removeUser()
      this.#leave('/sso#/signin')
    }
  }

  leaveToSignIn(): void {
    // Unsaved input is stored now; on a sign-out nothing is stored.
    dispatchEvent(new Event(SESSION_ENDED))
    this.#goToSignIn()
  }

  #goToSignIn(): void {
    void this.#provider.removeUser()
    this.#leave(signInAddress(location))
  }

  /** Loaded on demand, because only an external issuer redirects back. */
  async #finishRedirect(): Promise<Tokens | null> {
    const { finishRedirect } = await import('./finish-redirect.ts')
    return this.#keep(await finishRedirect(this.#provider, this.#leave))
  }

  /** One renewal at a time in this page and, by a browser lock, among all tabs. */
  #renewOnce(): Promise<Tokens | null> {
    this.#renewal ??= navigator.locks
      .request(SESSION_CHANNEL, () => this.#signInSilently())
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  /**
   * Signs in with the rotating refresh token if there is one; otherwise, or when it is used up, with the provider's own
   * session.
   */
  async #signInSilently(): Promise<Tokens | null> {
    const attempt = () =>
      this.#provider.signinSilent({ nonce: crypto.randomUUID() }).catch((reason: unknown) => {
        // Without a connection it is unknown whether the session is over, so the person stays.
        if (reason instanceof TypeError || !navigator.onLine) throw reason
        return null
      })
    const before = await this.#provider.getUser()
    let user = await attempt()
    if (user === null && before !== null) {
      await this.#provider.removeUser()
      user = await attempt()
    }
    // The screen belongs to one person. If somebody else has signed in meanwhile, they start with a new page.
    if (this.#personId !== undefined && user?.profile.sub !== this.#personId) user = null
    if (user === null) await this.#provider.removeUser()
    return this.#keep(user)
  }

  #keep(user: Tokens | null): Tokens | null {
    // Counted from the moment of receipt, so that a wrong device clock does no harm.
    const lifetimeMs = user ? (user.profile.exp - user.profile.iat) * 1000 : 0
    this.#validUntil = performance.now() + lifetimeMs - RENEW_BEFORE_END_MS
    return user
  }
}

function personOf({ profile }: Tokens, hasPasswords: boolean): SignedInUser {
  return {
    id: profile.sub,
    // An external issuer may send no address; the viewer then has the one of our own table (make-viewer.ts).
    email: profile.email ?? '',
    photoUrl: profile.picture,
    hasEmailPassAccount: hasPasswords || [profile.amr].flat().includes('pwd'),
  }
}
