import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OidcProvider } from './identity-provider.ts'

const PATHS = { callback: '/gpc/callback', silentCallback: '/gpc/silent-callback', signedOut: '/sso' }
const ISSUER = `${location.origin}/oidc`
const NONCE = crypto.randomUUID()

/** @param origin of the application: the issuer's or another one */
function provider(origin = 'https://console.example.jp'): OidcProvider {
  return new OidcProvider(
    {
      oidcIssuer: ISSUER,
      oidcClientId: 'console',
      canChangePassword: true,
      oidcMetadata: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/auth`,
        token_endpoint: `${ISSUER}/token`,
        end_session_endpoint: `${ISSUER}/end`,
      },
    },
    PATHS,
    origin,
  )
}

/** The token endpoint's response. The signature of a token that comes directly from the provider is not checked. */
function tokens(claims: object, more: object = {}) {
  const now = Math.floor(Date.now() / 1000)
  const payload = { iss: ISSUER, aud: 'console', sub: 'u1', nonce: NONCE, iat: now, exp: now + 600, ...claims }
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
  const idToken = `${part({ alg: 'RS256' })}.${part(payload)}.c2lnbmF0dXJl`
  return { id_token: idToken, access_token: 'a', token_type: 'Bearer', scope: 'openid email', ...more }
}

let requested: URLSearchParams[]
let answers: object[]
beforeEach(() => {
  requested = []
  answers = []
  vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    requested.push(new URLSearchParams(String(init?.body)))
    return Response.json(answers.shift())
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

/** The frame once it is loaded; messages before that would be ignored. */
async function openedFrame(): Promise<HTMLIFrameElement> {
  const frame = () => document.querySelector<HTMLIFrameElement>('iframe[src*="/oidc/auth"]')
  const whereLoaded = () =>
    frame()?.contentDocument?.readyState === 'complete' && frame()?.contentDocument?.location.pathname
  await expect.poll(whereLoaded).toBe('/oidc/auth')
  return frame()!
}

function answerOf(frame: HTMLIFrameElement, code: string) {
  const state = new URL(frame.src).searchParams.get('state')
  return { source: 'oidc-client', url: `${location.origin}${PATHS.silentCallback}?code=${code}&state=${state}` }
}

/** Posts a message as the page in the frame does. */
function say(frame: HTMLIFrameElement, message: object): void {
  const script = document.createElement('script')
  script.textContent = `parent.postMessage(${JSON.stringify(message)}, location.origin)`
  frame.contentDocument!.documentElement.append(script)
}

test('asks in a hidden frame, hears that frame alone, and exchanges the code with its verifier', async () => {
  answers = [tokens({}, { refresh_token: 'r1' })]
  const signIn = provider().signinSilent({ nonce: NONCE })
  const frame = await openedFrame()
  const request = new URL(frame.src).searchParams
  expect([request.get('prompt'), request.get('nonce'), request.get('code_challenge_method')]).toEqual([
    'none',
    NONCE,
    'S256',
  ])
  expect(frame.checkVisibility({ visibilityProperty: true })).toBe(false)
  window.postMessage(answerOf(frame, 'forged'), location.origin)
  await new Promise(resolve => window.addEventListener('message', resolve, { once: true }))
  expect(requested).toEqual([])
  say(frame, answerOf(frame, 'real'))
  expect((await signIn).profile.sub).toBe('u1')
  expect(requested.map(body => body.get('code'))).toEqual(['real'])
  expect(requested[0]!.get('code_verifier')).toMatch(/^[\w~.-]{43,}$/)
  expect(document.querySelector('iframe')).toBeNull()
})

test('refuses an answer to another question: nonce or state of somebody else', async () => {
  answers = [tokens({ nonce: 'another' })]
  const wrongNonce = provider().signinSilent({ nonce: NONCE })
  const first = await openedFrame()
  say(first, answerOf(first, 'c'))
  await expect(wrongNonce).rejects.toThrow(/nonce/)
  const wrongState = provider().signinSilent({ nonce: NONCE })
  const second = await openedFrame()
  say(second, { source: 'oidc-client', url: `${location.origin}/x?code=c&state=unknown` })
  await expect(wrongState).rejects.toThrow(/state/)
})

test('renews by the refresh token, for the same person only', async () => {
  answers = [tokens({}, { refresh_token: 'r1' }), tokens({}), tokens({ sub: 'u2' })]
  const one = provider()
  const signIn = one.signinSilent({ nonce: NONCE })
  const frame = await openedFrame()
  say(frame, answerOf(frame, 'c'))
  await signIn
  const renewed = await one.signinSilent({ nonce: NONCE })
  expect(requested[1]!.get('grant_type')).toBe('refresh_token')
  expect(renewed.refresh_token, 'a provider that does not rotate').toBe('r1')
  await expect(one.signinSilent({ nonce: NONCE })).rejects.toThrow(/sub/)
  expect((await one.getUser())?.profile.sub).toBe('u1')
})

/**
 * Fixes the address to which a request for a code is redirected: our own issuer returns it in the body, others
 * redirect.
 */
function sentOnTo(make: (request: URLSearchParams) => string | undefined, isSaid = true): URL[] {
  const requests: URL[] = []
  const toTokens = vi.mocked(window.fetch).getMockImplementation()!
  vi.mocked(window.fetch).mockImplementation(async (address, init) => {
    if (init?.method === 'POST') return toTokens(address, init)
    const request = new URL(String(address))
    requests.push(request)
    expect(new Headers(init?.headers).get('accept')).toBe('application/json')
    const url = make(request.searchParams)
    if (isSaid) return url === undefined ? new Response('<p>?</p>') : Response.json({ location: url })
    return Object.defineProperties(new Response(''), { redirected: { value: true }, url: { value: url } })
  })
  return requests
}

test.each([true, false])('asks an issuer on the own origin without a frame; it says where to: %s', async isSaid => {
  answers = [tokens({})]
  const to = (request: URLSearchParams) => `${request.get('redirect_uri')}?code=real&state=${request.get('state')}`
  const requests = sentOnTo(to, isSaid)
  const { profile } = await provider(location.origin).signinSilent({ nonce: NONCE })
  expect(profile.sub).toBe('u1')
  expect(requests.map(({ searchParams }) => searchParams.get('prompt'))).toEqual(['none'])
  expect(requested.map(body => body.get('code'))).toEqual(['real'])
  expect(document.querySelector('iframe')).toBeNull()
})

test('an issuer on the own origin: nobody signed in, an answer to another question, no answer', async () => {
  const sent = (make: (request: URLSearchParams) => string | undefined) => {
    sentOnTo(make)
    return provider(location.origin).signinSilent({ nonce: NONCE })
  }
  const back = `${location.origin}${PATHS.silentCallback}`
  await expect(sent(request => `${back}?error=login_required&state=${request.get('state')}`)).rejects.toThrow(
    'login_required',
  )
  await expect(sent(() => `${back}?code=c&state=unknown`)).rejects.toThrow(/state/)
  await expect(sent(() => undefined)).rejects.toThrow('the provider did not answer: status 200')
  expect(requested).toEqual([])
})

test('takes no answer of a frame at the address of a redirect', async () => {
  const one = provider()
  const waiting = one.signinSilent({ nonce: NONCE })
  waiting.catch(() => {})
  const frame = await openedFrame()
  const address = location.href
  history.replaceState(null, '', new URL(answerOf(frame, 'c').url).search)
  try {
    await expect(one.signinCallback()).rejects.toThrow('the answer to another request')
  } finally {
    history.replaceState(null, '', address)
    say(frame, answerOf(frame, 'c'))
  }
  expect(requested.length).toBeLessThan(2)
})
