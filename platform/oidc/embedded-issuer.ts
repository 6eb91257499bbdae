import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { importJWK, SignJWT } from 'jose'
import { errors, Provider } from 'oidc-provider'
import { clientAddress } from '../http/client-address.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { singleParameters } from '../http/single-parameters.ts'
import { SYSTEM } from '../postgres/database.ts'
import { type EndSessionRequest, endSessionTarget } from './end-session.ts'
import { usableAccount } from './issuer-account.ts'
import {
  alwaysIncludeSid,
  type EmbeddedIssuerOptions,
  ID_TOKEN_SECONDS,
  nowSeconds,
  providerConfiguration,
  sessionSeconds,
  TOO_MANY_PAGE,
} from './provider-configuration.ts'
import { endSession } from './session-rows.ts'
import { noteSessionUse } from './session-uses.ts'
import type { IssuerKeys, SigningKeys } from './signing-keys.ts'

/** A browser's session at the embedded issuer, identified by its cookie. */
export interface BrowserSession {
  /** The `sid` of its tokens. */
  readonly sessionUid: string
  readonly uid: string
  /** Seconds since 1970. */
  readonly startedAt: number
}

export interface EmbeddedIssuer {
  /** Answers all requests below the issuer's path; false for other paths. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>
  /** The browser's session, even when its account is disabled. */
  browserSession(req: IncomingMessage, res: ServerResponse): Promise<BrowserSession | undefined>
  /** Starts a new session in this browser (sets its cookie on `res`) and ends the previous one. */
  beginSession(req: IncomingMessage, res: ServerResponse, uid: string, amr: readonly string[]): Promise<BrowserSession>
  /** Ends the browser's session, if any, with all tokens issued in it. */
  endBrowserSession(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Whether the browser's pending authorisation request is the one that continues at `returnPath`. */
  isWaitingFor(req: IncomingMessage, res: ServerResponse, returnPath: string): Promise<boolean>
  /**
   * Completes the pending authorisation request with the signed-in person; the browser then continues at its
   * `returnPath`.
   */
  finishSignIn(
    req: IncomingMessage,
    res: ServerResponse,
    returnPath: string,
    uid: string,
    amr: readonly string[],
  ): Promise<boolean>
  /**
   * Creates a session without a browser, which lasts as long as its one ID token; undefined when the user may not sign
   * in.
   */
  mintToken(uid: string): Promise<string | undefined>
  rotateSigningKey(): Promise<void>
}

/** The entities that oidc-provider has loaded for a request. */
interface UsedEntity {
  readonly uid?: string
  readonly sessionUid?: string
  readonly accountId?: string
}

interface Running {
  readonly keys: IssuerKeys
  readonly provider: Provider
  readonly respond: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

/**
 * The OpenID Connect issuer inside this process, built on oidc-provider. All of its URLs have the configured origin,
 * whatever Host or X-Forwarded header a request carries.
 */
export function embeddedIssuer(options: EmbeddedIssuerOptions, keys: SigningKeys): EmbeddedIssuer {
  const issuerUrl = new URL(options.issuer)
  const mount = issuerUrl.pathname.replace(/\/$/, '')
  const isSecure = issuerUrl.protocol === 'https:'
  let running: Running | undefined

  async function current(): Promise<Running> {
    const now = await keys.current()
    if (running && running.keys.signing[0]?.kid === now.signing[0]?.kid) return running
    const provider = new Provider(options.issuer, providerConfiguration(options, now))
    alwaysIncludeSid(provider)
    provider.proxy = true
    provider.silent = true
    provider.on('server_error', (_ctx, error) => options.onFault(error))
    ;(provider as EventEmitter).on('error', options.onFault)
    provider.use(async (ctx, next) => {
      await next()
      // Other origins get no CORS headers, not even for public documents such as the JWKS.
      if (ctx.get('origin') && ctx.get('origin') !== issuerUrl.origin) {
        for (const name of Object.keys(ctx.response.headers)) if (/^access-control-/i.test(name)) ctx.remove(name)
      }
    })
    provider.use(async (ctx, next) => {
      // Requests with `prompt=none` show no sign-in screen and store nothing, and every page starts with one: not
      // counted.
      if (!/^\/auth(\/|$)/.test(ctx.path) || ctx.query.prompt === 'none') return next()
      const counted = await options.countSignIn(clientAddress(ctx.req, options.trustedProxies))
      if (!counted.isAllowed) {
        ctx.status = 429
        ctx.set({ 'retry-after': String(counted.retryInMinutes * 60), 'cache-control': 'no-store' })
        ctx.type = 'text/html; charset=utf-8'
        ctx.body = TOO_MANY_PAGE
        return
      }
      await next()
      if (!(ctx.oidc?.entities as { Interaction?: unknown } | undefined)?.Interaction) await counted.giveBack()
    })
    provider.use(async (ctx, next) => {
      await next()
      // With `Accept: application/json` the redirect's target comes as text: a script cannot read it from a redirect
      // without following it, which costs a round trip at the start of every page. Safe, because other origins cannot
      // read the answer and a code is useless without its PKCE verifier.
      if (ctx.status !== 303 || ctx.get('accept') !== 'application/json') return
      const location = ctx.response.get('location')
      ctx.remove('location')
      ctx.status = 200
      ctx.body = { location }
    })
    provider.use(async (ctx, next) => {
      await next()
      // Authorisation requests and token renewals count as use of the session.
      const entities = ctx.oidc?.entities as Partial<Record<string, UsedEntity>> | undefined
      const given = entities?.RefreshToken ?? entities?.AuthorizationCode
      const sessionUid = given?.sessionUid ?? entities?.Session?.uid
      const uid = given?.accountId ?? entities?.Session?.accountId
      if (sessionUid !== undefined && uid !== undefined && ctx.status < 400) await noteUse(ctx.req, sessionUid, uid)
    })
    running = { keys: now, provider, respond: provider.callback() }
    return running
  }

  async function noteUse(req: IncomingMessage, sessionUid: string, uid: string): Promise<void> {
    const userAgent = String(req.headers['user-agent'] ?? '')
    const address = clientAddress(req, options.trustedProxies)
    // A failure to record the use must not block the sign-in.
    await noteSessionUse(options.database, { sessionUid, uid, userAgent, address }).catch(options.onFault)
  }

  /**
   * Makes the request appear to come to the configured origin, so that oidc-provider ignores Host and forwarding
   * headers.
   */
  function pinOrigin(req: IncomingMessage): void {
    delete req.headers['x-forwarded-host']
    delete req.headers.forwarded
    req.headers.host = issuerUrl.host
    req.headers['x-forwarded-proto'] = isSecure ? 'https' : 'http'
  }

  async function sessionOf(req: IncomingMessage, res: ServerResponse) {
    pinOrigin(req)
    const { provider } = await current()
    const ctx = provider.createContext(req, res)
    return { provider, ctx, session: await provider.Session.get(ctx as Parameters<typeof provider.Session.get>[0]) }
  }

  async function browserSession(req: IncomingMessage, res: ServerResponse): Promise<BrowserSession | undefined> {
    const { session } = await sessionOf(req, res)
    if (!session.accountId || !session.loginTs) return undefined
    return { sessionUid: session.uid, uid: session.accountId, startedAt: session.loginTs }
  }

  async function endBrowserSession(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { provider, ctx, session } = await sessionOf(req, res)
    await options.database.inScope(SYSTEM, tx => endSession(tx, session.uid))
    ctx.cookies.set(provider.cookieName('session'), null, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      overwrite: true,
    })
  }

  async function waitingInteraction(req: IncomingMessage, res: ServerResponse, returnPath: string) {
    pinOrigin(req)
    const { provider } = await current()
    try {
      const interaction = await provider.interactionDetails(req, res)
      const isSame = new URL(interaction.returnTo).pathname === returnPath && interaction.prompt.name === 'login'
      return isSame ? interaction : undefined
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }

  async function answerEndSession(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const requested: EndSessionRequest = singleParameters(url) ?? {}
    const session = await browserSession(req, res)
    const target = await endSessionTarget(requested, session, options, (await keys.current()).signing)
    if (target.endedSessionUid !== undefined) {
      await options.database.inScope(SYSTEM, tx => endSession(tx, target.endedSessionUid ?? ''))
      await endBrowserSession(req, res)
    }
    res.writeHead(303, { location: target.location, 'cache-control': 'no-store' }).end()
  }

  return {
    async handle(req, res) {
      const target = req.url ?? '/'
      if (!target.startsWith(`${mount}/`)) return false
      const url = new URL(target, options.issuer)
      const headers = securityHeaders({ kind: 'html', webOrigin: issuerUrl.origin, frameAncestors: 'self' })
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      pinOrigin(req)
      if (url.pathname.toLowerCase().startsWith(`${mount}/session/end`)) {
        if (req.method === 'GET' && /\/session\/end\/?$/.test(url.pathname)) await answerEndSession(req, res, url)
        else res.writeHead(405, { allow: 'GET' }).end()
        return true
      }
      const { respond } = await current()
      const mounted = Object.assign(req, { originalUrl: target, url: target.slice(mount.length) })
      await respond(mounted, res)
      return true
    },

    browserSession,

    async beginSession(req, res, uid, amr) {
      await endBrowserSession(req, res)
      const { provider } = await current()
      const ctx = provider.createContext(req, res)
      const session = new provider.Session()
      const startedAt = nowSeconds()
      session.loginAccount({ accountId: uid, loginTs: startedAt, amr: [...amr] })
      const seconds = sessionSeconds(startedAt)
      const id = await session.save(seconds)
      ctx.cookies.set(provider.cookieName('session'), id, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        overwrite: true,
        maxAge: seconds * 1000,
      })
      await noteUse(req, session.uid, uid)
      return { sessionUid: session.uid, uid, startedAt }
    },

    endBrowserSession,

    isWaitingFor: async (req, res, returnPath) => (await waitingInteraction(req, res, returnPath)) !== undefined,

    async finishSignIn(req, res, returnPath, uid, amr) {
      const interaction = await waitingInteraction(req, res, returnPath)
      if (!interaction) return false
      const session = await browserSession(req, res)
      if (session && session.uid !== uid) {
        // Another person signs in in this browser: end the previous session here, without oidc-provider's confirmation
        // page.
        await endBrowserSession(req, res)
        delete interaction.session
      }
      interaction.result = { login: { accountId: uid, amr: [...amr], remember: true } }
      await interaction.save(interaction.exp - nowSeconds())
      return true
    },

    async mintToken(uid) {
      const { provider, keys: known } = await current()
      const startedAt = nowSeconds()
      const account = await usableAccount(options.database, uid, startedAt)
      const key = known.signing[0]
      if (!account || !key) return undefined
      const session = new provider.Session()
      session.loginAccount({ accountId: uid, loginTs: startedAt, amr: ['cli'] })
      await session.save(ID_TOKEN_SECONDS)
      return new SignJWT({
        sid: session.uid,
        email: account.email,
        email_verified: account.isEmailVerified,
        auth_time: startedAt,
      })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .setIssuer(options.issuer)
        .setAudience(options.clientId)
        .setSubject(uid)
        .setIssuedAt(startedAt)
        .setExpirationTime(startedAt + ID_TOKEN_SECONDS)
        .sign(await importJWK(key.privateJwk, 'RS256'))
    },

    async rotateSigningKey() {
      await keys.rotate()
      await current()
    },
  }
}
