import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineRoute, type ScreenContext } from '../routing/define-route.ts'
import type { RuntimeConfig } from '../runtime-config.ts'
import { clearPermissionCache } from '../session/permission-cache.ts'
import { ViewerAgreementsDocument } from '../session/viewer-agreements.gen.ts'
import { clearPrefetched } from './prefetch-cache.ts'
import { startupQueries } from './startup-queries.ts'

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
const POLICIES = (resource: string) => ({ nodes: [{ actions: ['read:list'], resources: [{ name: resource }] }] })
const USUAL: Readonly<Record<string, object>> = {
  ViewerUser: {
    data: {
      user: { roles: [{ name: 'insight:viewer' }] },
      viewer: { uid: 'u1', email: 'a@example.jp', actingAs: null },
    },
  },
  ViewerPolicies: { data: { policies: POLICIES('insight:summary_stats.') } },
  ViewerAgreements: { data: { agreements: { nodes: [{ id: '7' }] } } },
}

let requested: string[]
beforeEach(() => {
  requested = []
  history.replaceState(null, '', '#/here')
  clearPermissionCache()
})
afterEach(() => {
  clearPrefetched()
  vi.restoreAllMocks()
})

function ask(answers: Readonly<Record<string, object>> = {}, screens = [screen], user = USER) {
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const { operationName, variables } = JSON.parse(String(init?.body)) as { operationName: string; variables: object }
    requested.push(`${new URL(String(address)).host} ${operationName} ${JSON.stringify(variables)}`)
    return Response.json(await { ...USUAL, ...answers }[operationName])
  })
  const { sendStartupQueries } = startupQueries({ screens, home: '/here', own: 'insight' })
  return sendStartupQueries(user, CONFIG as RuntimeConfig, SESSION)
}

const START = [
  'iam.example ViewerUser {"userID":"u1"}',
  'iam.example ViewerPolicies {}',
  'insight.example ViewerAgreements {"userUid":"u1"}',
]

test('asks what every start asks at once, then what the first screen asks of this person', async () => {
  const viewer = await ask()
  expect(viewer).toMatchObject({ ...USER, roles: ['insight:viewer'], agreementIds: ['7'], isStateReady: true })
  expect(viewer?.can('read:list', 'insight:summary_stats.')).toBe(true)
  expect(requested).toEqual([...START, 'insight.example ViewerAgreements {"userUid":"insight:viewer"}'])
})

test('never asks for a screen that the person may not see', async () => {
  const viewer = await ask({ ViewerPolicies: { data: { policies: POLICIES('coupon:coupon.') } } })
  expect(viewer?.can('read:list', 'insight:summary_stats.')).toBe(false)
  expect(requested).toEqual(START)
})

test('knows nobody when one of the answers is an error', async () => {
  expect(await ask({ ViewerPolicies: { data: null, errors: [{ message: 'FORBIDDEN' }] } })).toBeUndefined()
  expect(requested).toEqual(START)
})

test("an address without a screen is nobody's question", async () => {
  history.replaceState(null, '', '#/nowhere')
  expect(await ask()).toMatchObject(USER)
  expect(requested).toEqual(START)
})

test('a query that comes with the code of its screen is sent as well, and its absence keeps nobody waiting', async () => {
  const later = (query: () => Promise<NonNullable<typeof screen.query>>) =>
    ask({}, [{ ...screen, query: undefined, loadQuery: query }])
  await later(async () => screen.query!)
  expect(requested).toEqual([...START, 'insight.example ViewerAgreements {"userUid":"insight:viewer"}'])
  requested = []
  expect(await later(() => Promise.reject(new Error('not there')))).toMatchObject(USER)
  expect(requested).toEqual(START)
})

test('what the screen waits for beside its query is sent together with it', async () => {
  const beside = { document: screen.query!.document, variables: () => ({ userUid: 'beside' }) }
  await ask({}, [{ ...screen, query: { ...screen.query!, beside: [beside] } }])
  expect(requested.slice(START.length)).toEqual([
    'insight.example ViewerAgreements {"userUid":"insight:viewer"}',
    'insight.example ViewerAgreements {"userUid":"beside"}',
  ])
})

describe('in a browser that remembers what the person was allowed', () => {
  const policies = (...resources: string[]) => ({
    ViewerPolicies: { data: { policies: { nodes: resources.flatMap(resource => POLICIES(resource).nodes) } } },
  })
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
    dispatchEvent(new Event('pagehide'))
    clearPrefetched()
    requested = []
  }
  const again = (answers = {}, user = USER) => {
    leave()
    return ask(answers, [detailed], user)
  }

  test('the screen is requested together with the start, and once', async () => {
    const before = await ask(policies(...both), [detailed])
    expect(before).toBeDefined()
    let isStarted = () => {}
    const started = new Promise<void>(resolve => {
      isStarted = resolve
    })
    leave()
    const asking = ask({ ...policies(...both), ViewerUser: started.then(() => USUAL.ViewerUser) }, [detailed])
    await expect.poll(() => requested).toEqual([...START, requested2('detail')])
    isStarted()
    expect(await asking).toMatchObject(USER)
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
    clearPermissionCache()
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
      localStorage.setItem('pc-asked-rights', kept)
      await ask(policies(...both), [detailed])
      expect(requested).toEqual([...START, requested2('detail')])
    }
  })
})
