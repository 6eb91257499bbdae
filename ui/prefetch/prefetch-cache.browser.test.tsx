import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeClients } from '../data/client.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { ViewerUserDocument } from '../session/viewer-iam.gen.ts'
import { nameOf } from './operation-name.ts'
import { fetchOrTakePrefetched, firstScreenIsDrawn, isPrefetched, prefetch } from './prefetch-cache.ts'

const QUESTION = {
  address: '/query',
  name: nameOf(ViewerUserDocument),
  document: ViewerUserDocument,
  variables: { userID: 'u1' },
}
const HEADERS = { 'X-Client-Version': '1', authorization: 'Bearer token' }
const USER = { __typename: 'User', uid: 'u1', email: 'a@example.jp', photoURL: null, roles: [], organizationId: null }
const DATA = { user: USER, viewer: { __typename: 'Viewer', uid: 'u1', email: 'a@example.jp', actingAs: null } }

let sent: { address: string; init: RequestInit | undefined }[]
beforeEach(() => {
  sent = []
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    sent.push({ address: String(address), init })
    return Response.json({ data: DATA })
  })
})
afterEach(() => {
  firstScreenIsDrawn()
  vi.restoreAllMocks()
})

const session = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}
const clients = () =>
  makeClients(
    { insightApiOrigin: '', iamApiOrigin: '', clientVersion: '1' } as RuntimeConfig,
    session,
    fetchOrTakePrefetched,
  )

test('asks word for word as the client would', async () => {
  await prefetch(QUESTION, HEADERS)
  firstScreenIsDrawn()
  await clients().iam.query({ query: ViewerUserDocument, variables: { userID: 'u1' } })
  const [before, later] = sent.map(({ address, init }) => ({
    address,
    method: init?.method,
    credentials: init?.credentials,
    body: init?.body,
    headers: Object.fromEntries(new Headers(init?.headers)),
  }))
  expect(before).toEqual(later)
})

test('the client takes the answer over, once, and reads all of it', async () => {
  const early = await prefetch(QUESTION, HEADERS)
  expect(await early?.json()).toEqual({ data: DATA })
  const { iam } = clients()
  const ask = () => iam.query({ query: ViewerUserDocument, variables: { userID: 'u1' }, fetchPolicy: 'network-only' })
  expect((await ask()).data).toMatchObject({ user: { email: 'a@example.jp' } })
  expect(sent).toHaveLength(1)
  await ask()
  expect(sent).toHaveLength(2)
})

test('another query, or another place to send it, is sent', async () => {
  await prefetch(QUESTION, HEADERS)
  const body = (variables: object) => ({ body: JSON.stringify({ operationName: QUESTION.name, variables, query: '' }) })
  await fetchOrTakePrefetched('/query', body({ userID: 'u2' }))
  await fetchOrTakePrefetched('https://elsewhere.example/query', body({ userID: 'u1' }))
  await fetchOrTakePrefetched('/query', { body: new FormData() })
  expect(sent).toHaveLength(4)
  expect(isPrefetched(QUESTION.name, { userID: 'u1' })).toBe(true)
  firstScreenIsDrawn()
  await fetchOrTakePrefetched('/query', body({ userID: 'u1' }))
  expect(sent).toHaveLength(5)
})

test('a failure is heard by the client as its own', async () => {
  vi.mocked(window.fetch).mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await expect(prefetch(QUESTION, HEADERS)).rejects.toThrow('Failed to fetch')
  await expect(clients().iam.query({ query: ViewerUserDocument, variables: { userID: 'u1' } })).resolves.toMatchObject({
    error: { message: 'Failed to fetch' },
  })
  expect(sent).toEqual([])
})
