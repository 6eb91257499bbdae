import {
  type Account,
  type Adapter,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
} from 'oidc-provider'
import type { Database } from '../postgres/database.ts'
import { SESSION_MAX_SECONDS, usableAccount } from './issuer-account.ts'
import { ProviderAdapter } from './provider-adapter.ts'
import type { IssuerKeys } from './signing-keys.ts'

export interface EmbeddedIssuerOptions {
  readonly database: Database
  /** For example `http://127.0.0.1:4000/oidc`: web origin plus mount path. */
  readonly issuer: string
  readonly clientId: string
  /** Registered redirect paths on the web origin. */
  readonly redirectPaths: readonly string[]
  /** Paths on the web origin where the browser may go after sign-out. */
  readonly signedOutPaths: readonly string[]
  /** URL of the sign-in screen for an authorisation request that continues at `returnPath`. */
  readonly signInHref: (returnPath: string) => string
  /** URL of the screen that confirms a sign-out, for requests that do not prove whose session they mean. */
  readonly signOutHref: string
  /** Number of our reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number
  /** Counts one more sign-in request from this address (rate limit), because each is stored for an hour. */
  readonly countSignIn: (address: string) => Promise<CountedSignIn>
  /** Receives every fault; the answer to the browser does not contain it. */
  readonly onFault: (error: unknown) => void
}

export type CountedSignIn =
  | { readonly isAllowed: true; readonly giveBack: () => Promise<void> }
  | { readonly isAllowed: false; readonly retryInMinutes: number }

/** Bearer tokens live ten minutes at most (security figures, 16). */
export const ID_TOKEN_SECONDS = 600
const SESSION_IDLE_SECONDS = 12 * 3600
const ALLOWED_SCOPES = ['openid', 'email', 'offline_access']

export const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Remaining lifetime in seconds of a session that began at `startedAt` and is used now. */
export function sessionSeconds(startedAt: number | undefined): number {
  const left = (startedAt ?? nowSeconds()) + SESSION_MAX_SECONDS - nowSeconds()
  return Math.max(1, Math.min(SESSION_IDLE_SECONDS, left))
}

async function findAccount(
  database: Database,
  ctx: KoaContextWithOIDC,
  uid: string,
  token: unknown,
): Promise<Account | undefined> {
  const authTime = (token as { authTime?: number } | undefined)?.authTime
  const startedAt = authTime ?? ctx.oidc.session?.loginTs
  // Access tokens carry no sign-in time. They expire with their session, and after ten minutes at most.
  const account = await usableAccount(database, uid, startedAt ?? nowSeconds())
  return (
    account && {
      accountId: uid,
      claims: async () => ({ sub: uid, email: account.email, email_verified: account.isEmailVerified }),
    }
  )
}

/**
 * Our only client is first-party, so there is no consent screen. The session's grant is created when it is missing or
 * was revoked.
 */
async function existingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, account, params, provider } = ctx.oidc
  if (!client || !session || !account) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const found = grantId ? await provider.Grant.find(grantId) : undefined
  const grant = found ?? new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  const granted = grant.getOIDCScope()
  grant.addOIDCScope(String(params?.scope ?? 'openid'))
  // Every page starts with such a request, mostly for scopes that are already granted: saving again would be a useless
  // write.
  if (grant.getOIDCScope() !== granted) await grant.save()
  // Registers the `sid` claim of this session's tokens, by which the APIs look the session up.
  session.sidFor(client.clientId, session.uid)
  return grant
}

/** The only prompt is sign-in, also when the session's account is deleted, disabled or signed out everywhere. */
function onlySignIn() {
  const policy = interactionPolicy.base()
  policy.remove('consent')
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('account_unusable', 'the session has ended', 'login_required', ctx =>
        Boolean(ctx.oidc.session?.accountId && !ctx.oidc.account),
      ),
    )
  return policy
}

const ERROR_PAGE = `<!doctype html><html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>サインインを続けられません - Publisher Center</title>
<h1>サインインを続けられません</h1>
<p>時間が経過したか、リンクが正しくありません。お手数ですが、はじめからやり直してください。</p>
<p><a href="/gpc/">Publisher Center を開く</a></p></html>`

export const TOO_MANY_PAGE = ERROR_PAGE.replace(
  /<p>時間が.*<\/p>/,
  '<p>サインインの要求が多すぎます。しばらくしてから、もう一度お試しください。</p>',
)

export function providerConfiguration(options: EmbeddedIssuerOptions, keys: IssuerKeys): Configuration {
  const { origin, protocol } = new URL(options.issuer)
  const isSecure = protocol === 'https:'
  const at = (path: string) => `${origin}${path}`
  return {
    adapter: (model: string) => new ProviderAdapter(options.database, model) as Adapter,
    jwks: { keys: keys.signing.map(key => key.privateJwk as Record<string, string>) },
    clients: [
      {
        client_id: options.clientId,
        application_type: 'web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        response_modes: ['query'],
        redirect_uris: options.redirectPaths.map(at),
        post_logout_redirect_uris: options.signedOutPaths.map(at),
        id_token_signed_response_alg: 'RS256',
      },
    ],
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: ALLOWED_SCOPES,
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The APIs receive the ID token, so it contains the claims of the requested scopes.
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: ['RS256'], userinfoSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    subjectTypes: ['public'],
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async () => true,
    clientBasedCORS: (_ctx, requestOrigin) => requestOrigin === origin,
    ttl: {
      IdToken: ID_TOKEN_SECONDS,
      AccessToken: ID_TOKEN_SECONDS,
      AuthorizationCode: 60,
      RefreshToken: SESSION_IDLE_SECONDS,
      Interaction: 3600,
      Session: (_ctx, session) => sessionSeconds(session.loginTs),
      Grant: SESSION_MAX_SECONDS,
    },
    cookies: {
      keys: [...keys.cookies],
      names: {
        session: isSecure ? '__Host-pc_session' : 'pc_session',
        // These cookies have the path of one request, which the prefix `__Host-` does not allow.
        interaction: isSecure ? '__Secure-pc_interaction' : 'pc_interaction',
        resume: isSecure ? '__Secure-pc_resume' : 'pc_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure, signed: true, overwrite: true },
      short: { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true, overwrite: true },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      // Only advertised here; `end-session.ts` handles the request.
      rpInitiatedLogout: { enabled: true },
      userinfo: { enabled: true },
    },
    routes: { end_session: '/session/end' },
    interactions: {
      policy: onlySignIn(),
      url: (_ctx, interaction) => options.signInHref(new URL(interaction.returnTo).pathname),
    },
    loadExistingGrant: existingGrant,
    findAccount: (ctx, uid, token) => findAccount(options.database, ctx, uid, token),
    renderError: async ctx => {
      ctx.type = 'html'
      ctx.body = ERROR_PAGE
    },
  }
}

/** Every ID token carries `sid`. oidc-provider otherwise adds it only for clients with back-channel logout. */
export function alwaysIncludeSid(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'includeSid', { value: () => true })
}
