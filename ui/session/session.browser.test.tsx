import { describe, expect, test, vi } from 'vitest'
import type { IdentityProvider, Tokens } from './identity-provider.ts'
import { OidcSession, SessionExpired, signInAddress } from './session.ts'
import { PERSON_LEAVES, SESSION_CHANNEL, SESSION_ENDED, SIGNED_OUT } from './session-ended.ts'

const PATHS = { callback: '/gpc/callback', silentCallback: '/gpc/silent-callback', signedOut: '/sso' }

function user(lifetimeSeconds: number, more: object = {}): Tokens {
  const iat = 1_000_000_000 // a device whose clock is years ahead
  return {
    id_token: `token-${Math.random()}`,
    profile: { sub: 'u1', email: 'a@example.jp', iss: '', aud: '', iat, exp: iat + lifetimeSeconds, ...more },
  } as unknown as Tokens
}

/** A provider that answers with the given users, one per attempt; null: nobody is signed in. */
function providerOf(...answers: (Tokens | null)[]) {
  let current: Tokens | null = null
  const manager = {
    getUser: vi.fn(async () => current),
    signinSilent: vi.fn(async () => {
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer === null) throw new Error('login_required')
      current = answer
      return answer
    }),
    signinCallback: vi.fn(async (): Promise<Tokens> => Promise.reject(new Error('no answer'))),
    removeUser: vi.fn(async () => {
      current = null
    }),
    signoutRedirect: vi.fn(async () => {}),
  } satisfies IdentityProvider
  return manager
}

/** A session that does not leave the test's own page. */
function open(provider: IdentityProvider, hasPasswords = true, leave: (address: string) => void = () => {}) {
  return new OidcSession(provider, PATHS, hasPasswords, leave)
}

describe('session', () => {
  test('knows nobody when the provider knows nobody', async () => {
    expect(await open(providerOf(null)).start()).toBeUndefined()
  })

  test('knows a person whose token has no e-mail: the address is the one of our own table', async () => {
    expect(await open(providerOf(user(600, { email: undefined }))).start()).toMatchObject({ id: 'u1', email: '' })
  })

  test('names the person, and whether a password can be changed here', async () => {
    expect(await open(providerOf(user(600)), false).start()).toEqual({
      id: 'u1',
      email: 'a@example.jp',
      photoUrl: undefined,
      hasEmailPassAccount: false,
    })
    const withPassword = open(providerOf(user(600, { amr: ['pwd'] })), false)
    expect((await withPassword.start())?.hasEmailPassAccount).toBe(true)
  })

  test('keeps a token as long as it lives, whatever the clock of the device says', async () => {
    const manager = providerOf(user(600))
    const session = open(manager)
    await session.start()
    await session.idToken()
    await session.idToken()
    expect(manager.signinSilent).toHaveBeenCalledOnce()
  })

  test('renews a token that is about to end, once for many calls', async () => {
    const manager = providerOf(user(30), user(600))
    const session = open(manager)
    await session.start()
    const tokens = await Promise.all([session.idToken(), session.idToken(), session.idToken()])
    expect(new Set(tokens).size).toBe(1)
    expect(manager.signinSilent).toHaveBeenCalledTimes(2)
  })

  test('sends a nonce with every attempt', async () => {
    const manager = providerOf(user(600))
    await open(manager).start()
    expect(manager.signinSilent).toHaveBeenCalledWith({ nonce: expect.stringMatching(/^[\w-]{36}$/) })
  })

  test('asks the provider itself when the refresh token is used up', async () => {
    const manager = providerOf(user(30), null, user(600))
    const session = open(manager)
    await session.start()
    await expect(session.idToken()).resolves.toMatch(/^token-/)
    expect(manager.removeUser).toHaveBeenCalledOnce()
  })

  test('fails with "session expired" when nobody is signed in any more', async () => {
    const session = open(providerOf(user(30), null))
    await session.start()
    await expect(session.idToken()).rejects.toThrow(new SessionExpired())
  })

  test('ends when somebody else has signed in meanwhile', async () => {
    const session = open(providerOf(user(30), null, user(600, { sub: 'u2' })))
    await session.start()
    await expect(session.idToken()).rejects.toThrow(new SessionExpired())
    await expect(session.idToken()).rejects.toThrow(new SessionExpired())
  })

  test('renewals of several tabs do not overlap', async () => {
    let running = 0
    let most = 0
    const slow = () => {
      const manager = providerOf(user(600))
      manager.signinSilent.mockImplementation(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(resolve => setTimeout(resolve, 20))
        running -= 1
        return user(600)
      })
      return manager
    }
    await Promise.all([1, 2, 3].map(() => open(slow()).start()))
    expect(most).toBe(1)
  })

  test('signs out at the provider with the token as a hint, and in the other tabs', async () => {
    const manager = providerOf(user(600))
    const session = open(manager)
    const leaveOther = vi.fn()
    const other = providerOf(user(600))
    open(other, true, leaveOther)
    await session.start()
    await session.signOut()
    expect(manager.signoutRedirect).toHaveBeenCalledWith({ id_token_hint: expect.stringMatching(/^token-/) })
    await expect.poll(() => leaveOther.mock.calls).toEqual([[signInAddress(location)]])
    expect(other.removeUser).toHaveBeenCalled()
  })

  test('what is kept of a person hears that they sign out, in this tab or another one', async () => {
    const heard = vi.fn()
    addEventListener(PERSON_LEAVES, heard)
    const session = open(providerOf(user(600)))
    await session.start()
    await session.signOut()
    expect(heard).toHaveBeenCalledOnce()
    new BroadcastChannel(SESSION_CHANNEL).postMessage(SIGNED_OUT)
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThan(1)
    removeEventListener(PERSON_LEAVES, heard)
  })

  test('anyone who has something unsaved hears of a session that ended, but not of signing out in another tab', async () => {
    const left: string[] = []
    const heard = vi.fn(() => expect(left).toHaveLength(heard.mock.calls.length - 1))
    addEventListener(SESSION_ENDED, heard)
    const session = open(providerOf(null), true, address => left.push(address))
    session.leaveToSignIn()
    expect(heard).toHaveBeenCalledTimes(1)
    expect(left).toHaveLength(1)
    new BroadcastChannel('publisher-center-session').postMessage('signed-out')
    await vi.waitFor(() => expect(left).toHaveLength(2))
    expect(heard).toHaveBeenCalledTimes(1)
    removeEventListener(SESSION_ENDED, heard)
  })
})

test('the sign-in address carries the original path, encoded', () => {
  const at = { pathname: '/gpc/', search: '?a=1', hash: '#/reports/dashboard/granularity=weekly&mediumId=1' }
  expect(signInAddress(at)).toBe(
    '/sso#/signin/%2Fgpc%2F%3Fa%3D1%23%2Freports%2Fdashboard%2Fgranularity%3Dweekly%26mediumId%3D1',
  )
})
