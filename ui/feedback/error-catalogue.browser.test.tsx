import '../theme/styles.ts'
import { HttpLink } from '@apollo/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { makeClient } from '../data/client.ts'
import { AgreementOptionsDocument } from '../data/entity-options.gen.ts'
import { NoteDownloadDocument } from '../data/note-download.gen.ts'
import { expectAccessible } from '../expect-accessible.ts'
import { refusalsOf } from '../form/refused-fields.ts'
import { type Session, SessionExpired } from '../session/session.ts'
import { ViewerPoliciesDocument } from '../session/viewer-iam.gen.ts'
import { dismissAllToasts, Toasts } from './toasts.tsx'

type Answer = { status?: number; type?: string; body: string; retryAfter?: string }

const graphqlError = (code: string, message = '理由', data: unknown = null): Answer => ({
  body: JSON.stringify({ data, errors: [{ message, extensions: { code } }] }),
})

function sessionThat(more: Partial<Session> = {}) {
  return {
    start: vi.fn(async () => undefined),
    idToken: vi.fn(async () => 'token-1'),
    renew: vi.fn(async () => 'token-2'),
    signOut: vi.fn(async () => {}),
    leaveToSignIn: vi.fn(),
    ...more,
  } satisfies Session
}

/** One call through the real client and transport; only the network's responses are fixed. */
async function call(
  answers: Answer | Answer[] | Error,
  { session = sessionThat(), asPolicies = false }: { session?: Session; asPolicies?: boolean } = {},
) {
  const queue = Array.isArray(answers) ? [...answers] : answers instanceof Error ? [] : [answers]
  const requests: RequestInit[] = []
  const fetch = async (_input: RequestInfo | URL, init?: RequestInit) => {
    requests.push(init!)
    if (answers instanceof Error) throw answers
    const answer = queue.length > 1 ? queue.shift()! : queue[0]!
    return new Response(answer.body, {
      status: answer.status ?? 200,
      headers: {
        'content-type': answer.type ?? 'application/json',
        ...(answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter }),
      },
    })
  }
  const client = makeClient(new HttpLink({ uri: 'http://api.test/query', fetch, credentials: 'include' }), session)
  await render(<Toasts />)
  if (asPolicies) await client.query({ query: ViewerPoliciesDocument })
  const query = { query: AgreementOptionsDocument, variables: {} }
  const result = asPolicies ? { data: undefined, error: undefined } : await client.query(query)
  return { result, requests, session }
}

afterEach(() => {
  dismissAllToasts()
  vi.restoreAllMocks()
})

describe('error catalogue', () => {
  test('BAD_REQUEST: warning with the server message', async () => {
    const { result } = await call(graphqlError('BAD_REQUEST', '期間が長すぎます'))
    await expect.element(page.getByRole('status')).toHaveTextContent('リクエストが不正です: 期間が長すぎます')
    expect(result.error).toBeDefined()
    await expectAccessible()
  })

  test("BAD_REQUEST because others were quicker: their change in the server's words, nothing of a wrong request", async () => {
    const message = '佐藤さんがこの内容を変更しました。最新の内容を読み込んでください。'
    const body = JSON.stringify({
      data: null,
      errors: [{ message, extensions: { code: 'BAD_REQUEST', isConflict: true } }],
    })
    await call({ body })
    await expect.element(page.getByRole('status').getByText(message, { exact: true })).toBeVisible()
    expect(page.getByText(/リクエストが不正です/).elements()).toHaveLength(0)
  })

  test('INTERNAL_SERVER_ERROR: console error, and error toast with the server message', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await call(graphqlError('INTERNAL_SERVER_ERROR', '受付番号 a1'))
    await expect.element(page.getByRole('alert')).toHaveTextContent('サーバーエラーが発生しました: 受付番号 a1')
    expect(log).toHaveBeenCalled()
  })

  test.each(['FORBIDDEN', 'forbidden', 'Forbidden'])('%s on the policy query: alert, sign out', async code => {
    const alert = vi.spyOn(window, 'alert').mockImplementation(() => {})
    const { session } = await call(graphqlError(code), { asPolicies: true })
    expect(alert).toHaveBeenCalledWith('権限がありません')
    expect(session.signOut).toHaveBeenCalledOnce()
    expect(page.getByRole('status').elements()).toHaveLength(0)
  })

  test('FORBIDDEN elsewhere: warning, logged, raised again, and partial data is kept', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const data = {
      agreements: {
        __typename: 'AgreementList',
        nodes: [{ __typename: 'Agreement', id: '1', name: '契約', code: 'A', mediumId: '1' }],
      },
    }
    const { result } = await call(graphqlError('FORBIDDEN', '契約は表示できません', data))
    await expect.element(page.getByRole('status')).toHaveTextContent('権限がありません: 契約は表示できません')
    expect(log).toHaveBeenCalled()
    expect(result.error).toBeDefined()
    expect(result.data?.agreements?.nodes?.[0]?.id).toBe('1')
  })

  test('network error: warning 通信エラー', async () => {
    await call(new TypeError('Failed to fetch'))
    await expect.element(page.getByRole('status')).toHaveTextContent('通信エラー')
  })

  test('status 300 or higher: server error with the status', async () => {
    const { result } = await call({ status: 502, body: '<html>', type: 'text/html' })
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent('通信エラーResponse not successful: Received status code 502')
    expect(result.error?.message).toBe('Response not successful: Received status code 502')
  })

  test('what is too large is said so, with the limit, also to who sent it', async () => {
    const { result } = await call({ status: 413, body: '{}', type: 'application/problem+json' })
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent('送信する内容が大きすぎます（2MBまで）。文章やファイルを小さくしてください。')
    expect(refusalsOf(result.error)).toMatchObject([{ code: 'http/too-large', path: [] }])
  })

  test('a body that is not JSON: parse error', async () => {
    const { result } = await call({ body: '<!doctype html>' })
    await expect.element(page.getByRole('status')).toHaveTextContent('通信エラーサーバーの応答を読み取れませんでした')
    expect(result.error?.name).toBe('ServerParseError')
  })

  test('a body without data and errors', async () => {
    const { result } = await call({ body: '{"message":"ok"}' })
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent("通信エラーServer response was missing for query 'AgreementOptions'.")
    expect(result.error?.message).toContain('Server response was missing for query')
  })

  test('another code is not silent', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await call(graphqlError('GRAPHQL_VALIDATION_FAILED', '版が古い'))
    await expect.element(page.getByRole('alert')).toHaveTextContent('エラーが発生しました: 版が古い')
  })

  test('the same message is shown once, and a server message is never HTML', async () => {
    await call(graphqlError('BAD_REQUEST', '<img src=x onerror=alert(1)>'))
    await call(graphqlError('BAD_REQUEST', '<img src=x onerror=alert(1)>'))
    await expect
      .element(page.getByRole('status').first())
      .toHaveTextContent('リクエストが不正です: <img src=x onerror=alert(1)>')
    expect(document.querySelector('img')).toBeNull()
  })
})

describe('a server that has too much to do', () => {
  const busy: Answer = { status: 503, body: 'busy', type: 'text/plain', retryAfter: '0' }
  const found: Answer = { body: '{"data":{"agreements":{"__typename":"AgreementList","nodes":[]}}}' }

  test.each([429, 503])('%i with a time to wait: a calm message, sent again, and the answer arrives', async status => {
    const { result, requests } = await call([{ ...busy, status }, busy, found])
    await expect.element(page.getByText('ただいまアクセスが集中しています')).toBeVisible()
    expect(requests).toHaveLength(3)
    expect(result.error).toBeUndefined()
    expect(result.data?.agreements?.nodes).toEqual([])
    await expectAccessible()
  })

  test('after three repetitions the catalogue says what happened', async () => {
    const { result, requests } = await call(busy)
    await expect.element(page.getByText('Response not successful: Received status code 503')).toBeVisible()
    expect(requests).toHaveLength(4)
    expect(result.error?.message).toBe('Response not successful: Received status code 503')
  })

  test('503 without a time to wait is a failure at once', async () => {
    const { requests } = await call({ status: 503, body: '', type: 'text/plain' })
    expect(requests).toHaveLength(1)
  })

  test('a change is never repeated automatically', async () => {
    const sent: string[] = []
    const fetch = async (_input: RequestInfo | URL, init?: RequestInit) => {
      sent.push(String(init?.body))
      return new Response('busy', { status: 503, headers: { 'retry-after': '0' } })
    }
    const client = makeClient(new HttpLink({ uri: 'http://api.test/query', fetch }), sessionThat())
    await render(<Toasts />)
    const variables = { fileName: 'a.csv', screen: '/', lines: 1 }
    await expect(client.mutate({ mutation: NoteDownloadDocument, variables })).rejects.toThrow('status code 503')
    expect(sent).toHaveLength(1)
  })
})

describe('session of a call', () => {
  test('sends the current token', async () => {
    const { requests } = await call({ body: '{"data":{"agreements":{"nodes":[]}}}' })
    expect(new Headers(requests[0]!.headers).get('authorization')).toBe('Bearer token-1')
    expect(requests[0]!.credentials).toBe('include')
  })

  test('renews a refused token once and repeats the call', async () => {
    const { result, requests, session } = await call([
      graphqlError('UNAUTHENTICATED'),
      { body: '{"data":{"agreements":{"__typename":"AgreementList","nodes":[]}}}' },
    ])
    expect(requests.map(request => new Headers(request.headers).get('authorization'))).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ])
    expect(result.data?.agreements?.nodes).toEqual([])
    expect(session.leaveToSignIn).not.toHaveBeenCalled()
  })

  test('goes to the sign-in screen when the renewed token is refused too', async () => {
    const { requests, session } = await call(graphqlError('UNAUTHENTICATED'))
    expect(requests).toHaveLength(2)
    expect(session.leaveToSignIn).toHaveBeenCalled()
  })

  test('without a user the call fails with "session expired" and nothing is sent', async () => {
    const session = sessionThat({ idToken: async () => Promise.reject(new SessionExpired()) })
    const { result, requests } = await call({ body: '{}' }, { session })
    expect(result.error?.message).toBe('session expired')
    expect(requests).toHaveLength(0)
    expect(session.leaveToSignIn).toHaveBeenCalled()
  })
})
