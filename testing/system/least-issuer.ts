import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { interactionPolicy, Provider } from 'oidc-provider'
import type { TestBrowser } from '../test-browser.ts'

/** An external OpenID Connect provider that sends the least the standard allows: who it is, and nothing more. */
export interface LeastIssuer {
  readonly issuer: string
  readonly clientId: string
  close(): Promise<void>
}

const CLIENT_ID = 'center'

/**
 * Signs anybody in under the name that they type. Text after a space sets `amr`; `@700` sets a sign-in 700 seconds ago.
 * It knows only the scope `openid`, gives no refresh token, and its ID tokens contain only `iss`, `sub`, `aud`, `exp`,
 * `iat`, `nonce` and `auth_time`.
 */
export async function startLeastIssuer(webOrigin: string): Promise<LeastIssuer> {
  const server = createServer((req, res) => void handle(req, res))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const policy = interactionPolicy.base()
  policy.remove('consent')
  const provider = new Provider(issuer, {
    jwks: { keys: [privateKey.export({ format: 'jwk' }) as Record<string, string>] },
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: ['gpc', 'iam'].flatMap(app => [
          `${webOrigin}/${app}/callback`,
          `${webOrigin}/${app}/silent-callback`,
        ]),
      },
    ],
    scopes: ['openid'],
    claims: { openid: ['sub', 'amr'], sid: null, auth_time: null, acr: null },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    clientBasedCORS: () => true,
    cookies: { keys: ['of a test'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, interaction) => `/who/${interaction.uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.account?.accountId ?? '' })
      grant.addOIDCScope('openid')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!req.url?.startsWith('/who/')) return answer(req, res)
    if (req.method === 'GET') return void res.writeHead(200, { 'content-type': 'text/html' }).end(FORM)
    const login = new URLSearchParams(await text(req)).get('login') ?? ''
    const [accountId = '', ...said] = login.split(' ')
    const amr = said.filter(word => !word.startsWith('@'))
    const ago = said.find(word => word.startsWith('@'))?.slice(1)
    const ts = ago === undefined ? {} : { ts: Math.floor(Date.now() / 1_000) - Number(ago) }
    const known = { accountId, ...(amr.length > 0 ? { amr } : {}), ...ts }
    const result = login === '' ? { error: 'access_denied' } : { login: known }
    await provider.interactionFinished(req, res, result)
  }
  return {
    issuer,
    clientId: CLIENT_ID,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const FORM = `<!doctype html><title>The company</title>
<form method="post"><label>Account <input name="login"></label><button>Sign in</button></form>`

/**
 * Signs in as a person does who is redirected there.
 * @returns the address to which the provider redirects the browser
 */
export async function signInAtLeastIssuer(browser: TestBrowser, address: string, account: string): Promise<string> {
  let { location } = await browser.visit(address)
  if (location?.includes('/who/'))
    ({ location } = await browser.visit(location, { method: 'POST', body: new URLSearchParams({ login: account }) }))
  while (location !== undefined && !location.includes('/gpc/')) ({ location } = await browser.visit(location))
  if (location === undefined) throw new Error('the provider sent the browser nowhere')
  return location
}
