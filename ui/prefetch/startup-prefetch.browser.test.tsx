import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeClients } from '../data/client.ts'
import { defineRoute, type ScreenContext } from '../routing/define-route.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { PERSON_LEAVES } from '../session/session-ended.ts'
import { ViewerAgreementsDocument } from '../session/viewer-agreements.gen.ts'
import { ViewerPoliciesDocument, ViewerUserDocument } from '../session/viewer-iam.gen.ts'
import { clearPermissionCache } from './permission-cache.ts'
import { firstScreenIsDrawn } from './prefetch-cache.ts'
import { startupPrefetch } from './startup-prefetch.ts'

const USER = { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true }
const CONFIG = { insightApiOrigin: 'https://insight.example', iamApiOrigin: 'https://iam.example', clientVersion: '1' }
const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}
/** A screen whose query anybody can send; its answer is not looked at. */
const screen = defineRoute({
  path: '/here',
  title: 'ここ',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  query: { document: ViewerAgreementsDocument, variables: (_, { viewer }) => ({ userUid: `${viewer.roles}` }) },
  view: () => new Promise<never>(() => {}),
})
const POLICIES = (...resources: string[]) => ({
  __typename: 'PolicyList',
  nodes: resources.map(name => ({
    __typename: 'Policy',
    actions: ['read:list'],
    resources: [{ __typename: 'PolicyResource', name, sameConditionKey: null, sameConditionValue: null }],
  })),
})
const VIEWER = { uid: 'u1', email: 'a@example.jp' }
const USUAL: Readonly<Record<string, object>> = {
  ViewerUser: {
    data: {
      user: {
        ...{ __typename: 'User', ...VIEWER, photoURL: null, organizationId: null },
        roles: [{ __typename: 'Role', id: '1', name: 'insight:viewer' }],
      },
      viewer: { __typename: 'Viewer', ...VIEWER, actingAs: null },
    },
  },
  ViewerPolicies: { data: { policies: POLICIES('insight:summary_stats.') } },
  ViewerAgreements: {
    data: { agreements: { __typename: 'AgreementList', nodes: [{ __typename: 'Agreement', id: '7' }] } },
  },
}

let requested: string[]
beforeEach(() => {
  requested = []
  history.replaceState(null, '', '#/here')
  clearPermissionCache()
})
afterEach(() => {
  firstScreenIsDrawn()
  vi.restoreAllMocks()
})

/** A start until the application draws. @returns what the clients have then, and what else they send */
async function ask(
  answers: Readonly<Record<string, object>> = {},
  screens = [screen],
  user = USER,
  beside: Readonly<Record<string, NonNullable<typeof screen.query>>> = {},
) {
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const { operationName, variables } = JSON.parse(String(init?.body)) as { operationName: string; variables: object }
    requested.push(`${new URL(String(address)).host} ${operationName} ${JSON.stringify(variables)}`)
    return Response.json(await { ...USUAL, ...answers }[operationName])
  })
  const { send, take, fetch } = startupPrefetch({ screens, home: '/here', own: 'insight', beside })
  send(user, CONFIG as RuntimeConfig, SESSION)
  const clients = makeClients(CONFIG as RuntimeConfig, SESSION, fetch)
  await take(clients)
  return clients
}

const knows = ({ iam }: Awaited<ReturnType<typeof ask>>) => iam.readQuery({ query: ViewerPoliciesDocument }) !== null

const START = [
  'iam.example ViewerUser {"userID":"u1"}',
  'iam.example ViewerPolicies {}',
  'insight.example ViewerAgreements {"userUid":"u1"}',
]

test('asks what every start asks at once, then what the first screen asks of this person', async () => {
  const clients = await ask()
  expect(requested).toEqual([...START, 'insight.example ViewerAgreements {"userUid":"insight:viewer"}'])
  const { iam, insight } = clients
  const answers = [
    iam.query({ query: ViewerUserDocument, variables: { userID: 'u1' }, fetchPolicy: 'network-only' }),
    iam.query({ query: ViewerPoliciesDocument, fetchPolicy: 'network-only' }),
    ...['u1', 'insight:viewer'].map(userUid =>
      insight.query({ query: ViewerAgreementsDocument, variables: { userUid }, fetchPolicy: 'network-only' }),
    ),
  ]
  expect((await Promise.all(answers)).every(({ data }) => data)).toBe(true)
  expect(requested).toHaveLength(4)
  firstScreenIsDrawn()
  await iam.query({ query: ViewerPoliciesDocument, fetchPolicy: 'network-only' })
  expect(requested).toHaveLength(5)
})

test('never asks for a screen that the person may not see', async () => {
  expect(knows(await ask({ ViewerPolicies: { data: { policies: POLICIES('coupon:coupon.') } } }))).toBe(true)
  expect(requested).toEqual(START)
})

test('knows nobody when one of the answers is an error', async () => {
  expect(knows(await ask({ ViewerUser: { data: null, errors: [{ message: 'FORBIDDEN' }] } }))).toBe(false)
  expect(requested).toEqual(START)
})

test("an address without a screen is nobody's question", async () => {
  history.replaceState(null, '', '#/nowhere')
  expect(knows(await ask())).toBe(true)
  expect(requested).toEqual(START)
})

test('a query that comes with the code of its screen is sent as well, and its absence keeps nobody waiting', async () => {
  const later = (query: () => Promise<NonNullable<typeof screen.query>>) =>
    ask({}, [{ ...screen, query: undefined, loadQuery: query }])
  await later(async () => screen.query!)
  expect(requested).toEqual([...START, 'insight.example ViewerAgreements {"userUid":"insight:viewer"}'])
  firstScreenIsDrawn()
  clearPermissionCache()
  requested = []
  expect(knows(await later(() => Promise.reject(new Error('not there'))))).toBe(true)
  expect(requested).toEqual(START)
})

test('what the screen waits for beside its query is sent together with it', async () => {
  const beside = { document: screen.query!.document, variables: () => ({ userUid: 'beside' }) }
  await ask({}, [screen], USER, { [screen.path]: beside })
  expect(requested.slice(START.length)).toEqual([
    'insight.example ViewerAgreements {"userUid":"insight:viewer"}',
    'insight.example ViewerAgreements {"userUid":"beside"}',
  ])
})

describe('in a browser that remembers what the person was allowed', () => {
  const policies = (...resources: string[]) => ({ ViewerPolicies: { data: { policies: POLICIES(...resources) } } })
  const detailed = {
    ...screen,
    query: {
      document: screen.query!.document,
      variables: (_: object, { viewer }: ScreenContext) => ({
        userUid: viewer.can('read:list', 'insight:revenue_detail.') ? 'detail' : 'plain',
      }),
    },
  }
  const requested2 = (userUid: string) => `insight.example ViewerAgreements {"userUid":"${userUid}"}`
  const both = ['insight:summary_stats.', 'insight:revenue_detail.']
  const leave = () => {
    firstScreenIsDrawn()
    requested = []
  }
  const again = (answers = {}, user = USER) => {
    leave()
    return ask(answers, [detailed], user)
  }

  test('the screen is requested together with the start, and once', async () => {
    await ask(policies(...both), [detailed])
    let isStarted = () => {}
    const started = new Promise<void>(resolve => {
      isStarted = resolve
    })
    leave()
    const asking = ask({ ...policies(...both), ViewerUser: started.then(() => USUAL.ViewerUser) }, [detailed])
    await expect.poll(() => requested).toEqual([...START, requested2('detail')])
    isStarted()
    expect(knows(await asking)).toBe(true)
    expect(requested).toEqual([...START, requested2('detail')])
  })

  test('what has changed meanwhile is requested again, as it is now', async () => {
    await ask(policies(...both), [detailed])
    await again(policies('insight:summary_stats.'))
    expect(requested).toEqual([...START, requested2('detail'), requested2('plain')])
    await again(policies('insight:summary_stats.'))
    expect(requested).toEqual([...START, requested2('plain')])
  })

  test('somebody else waits for their own policies', async () => {
    await ask(policies(...both), [detailed])
    await again(policies('insight:summary_stats.'), { ...USER, id: 'u2' })
    expect(requested.map(each => each.replace('u2', 'u1'))).toEqual([...START, requested2('plain')])
  })

  test('what was known of other screens stays known', async () => {
    await ask(policies(...both), [detailed])
    leave()
    history.replaceState(null, '', '#/nowhere')
    await ask(policies(...both), [detailed])
    history.replaceState(null, '', '#/here')
    await again({ ViewerPolicies: { data: null, errors: [{ message: 'FORBIDDEN' }] } })
    expect(requested).toEqual([...START, requested2('detail')])
  })

  test('who begins to see the system as somebody else leaves nothing', async () => {
    await ask(policies(...both), [detailed])
    dispatchEvent(new Event(PERSON_LEAVES))
    await again(policies('insight:summary_stats.'))
    expect(requested).toEqual([...START, requested2('plain')])
  })

  test('what was not allowed the last time is not tried', async () => {
    await ask(policies('coupon:coupon.'), [detailed])
    await again(policies('coupon:coupon.'))
    expect(requested).toEqual(START)
  })

  test('what cannot be read is as good as nothing', async () => {
    for (const kept of ['{', 'null', '{"user":"u1"}', '[]']) {
      leave()
      localStorage.setItem('pc-cached-permissions', kept)
      await ask(policies(...both), [detailed])
      expect(requested).toEqual([...START, requested2('detail')])
    }
  })
})
