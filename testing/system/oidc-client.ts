import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import type { TestBrowser } from '../test-browser.ts'

/** An independent client of the issuer, with the console's settings. */
export function consoleClient(origin: string, redirectPath = '/gpc/callback'): OidcClient {
  return new OidcClient({
    authority: `${origin}/oidc`,
    client_id: 'console',
    redirect_uri: `${origin}${redirectPath}`,
    post_logout_redirect_uri: `${origin}/gpc/`,
    scope: 'openid email',
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  })
}

/** A client of an external issuer, as the sign-in pages create it; one for each person. */
export function externalClient(
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  origin: string,
): OidcClient {
  return new OidcClient({
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${origin}/gpc/callback`,
    scope: 'openid email offline_access',
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    filterProtocolClaims: false,
  })
}

const nonce = () => crypto.randomUUID()

/** Tokens for a browser that has a session: prompt=none, as in the console's hidden frame. */
export async function silentTokens(browser: TestBrowser, client: OidcClient) {
  const request = await client.createSigninRequest({ state: {}, nonce: nonce(), prompt: 'none' })
  const answer = await browser.visit(request.url)
  if (!answer.location) throw new Error(`no redirect: ${answer.status}`)
  return client.processSigninResponse(answer.location)
}
