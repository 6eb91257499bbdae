import { hashPassword } from '@pc/platform/oidc/password-hash.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { everyNth } from '@pc/testing/sample-size.ts'
import { HOSTILE_PATH_KINDS, HOSTILE_PATHS } from '@pc/testing/system/hostile-paths.ts'
import { atItsOwnOrigin, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * Every input of the running system that takes an address, with every hostile one, in both encodings (security, figure
 * 23).
 */
const PASSWORD = 'the right words here'
let system: SystemUnderTest
let origin: string
let email: string

beforeAll(async () => {
  const env = await atItsOwnOrigin()
  system = await startSystemUnderTest(env)
  origin = env.WEB_ORIGIN
  const { uid, email: own } = system.rows.users['insight:viewer']
  email = own
  const passwordHash = await hashPassword(PASSWORD)
  await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.insertInto('idpAccounts').values({ uid, passwordHash }).execute(),
  )
})
afterAll(() => system?.close())

const encodings = (payload: string) => [payload, encodeURIComponent(payload.toWellFormed())]
const leaves = (location: string | undefined) => location !== undefined && new URL(location, origin).origin !== origin

test('there are at least 40 kinds, and 240 payloads of them', () => {
  expect(HOSTILE_PATH_KINDS.length).toBeGreaterThanOrEqual(40)
  expect(HOSTILE_PATHS.length).toBeGreaterThanOrEqual(240)
})

test('signing in leads home, whatever path was requested', async () => {
  const wrong: string[] = []
  for (const payload of everyNth(HOSTILE_PATH_KINDS, 3)) {
    for (const originalPath of encodings(payload)) {
      const { status, body } = await new TestBrowser(origin).api('sign-in', { email, password: PASSWORD, originalPath })
      if (status !== 200 || body.location !== '/gpc/') wrong.push(`${status} ${originalPath} → ${body.location}`)
    }
  }
  expect(wrong).toEqual([])
})

test('neither an authorisation request nor signing out leads out of the origin, signed in or not', async () => {
  const wrong: string[] = []
  const signedIn = new TestBrowser(origin)
  expect((await signedIn.api('sign-in', { email, password: PASSWORD })).status).toBe(200)
  for (const browser of [new TestBrowser(origin), signedIn]) {
    for (const payload of everyNth(HOSTILE_PATHS, 5)) {
      for (const value of encodings(payload)) {
        const address = new URLSearchParams({ client_id: 'console', response_type: 'code', redirect_uri: value })
        const back = new URLSearchParams({ client_id: 'console', post_logout_redirect_uri: value })
        for (const path of [`/oidc/auth?${address}`, `/oidc/session/end?${back}`]) {
          const answer = await browser.visit(path)
          if (leaves(answer.location)) wrong.push(`${path} → ${answer.location}`)
          if (answer.text.includes('evil.example')) wrong.push(`${path} is repeated in the answer`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

test('no path of the web listener redirects out of the origin', async () => {
  const wrong: string[] = []
  for (const payload of HOSTILE_PATHS) {
    for (const value of encodings(payload)) {
      const requested = `${origin}/${value.replace(/^\//, '')}`
      if (!URL.canParse(requested)) continue
      const answer = await fetch(requested, { redirect: 'manual' })
      await answer.arrayBuffer()
      if (leaves(answer.headers.get('location') ?? undefined))
        wrong.push(`${value} → ${answer.headers.get('location')}`)
    }
  }
  expect(wrong).toEqual([])
})
