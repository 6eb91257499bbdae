import '@pc/ui/theme/styles.ts'
import { ApolloLink, Observable } from '@apollo/client'
import { clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import { makeClient } from '@pc/ui/data/client.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import type { RuntimeConfig } from '@pc/ui/runtime-config.ts'
import type { Session } from '@pc/ui/session/session.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Console } from './console.tsx'
import { language } from './language.ts'
import texts from './public/locales/ja/console.json'
import { SCREENS } from './routes.ts'

const CONFIG: RuntimeConfig = {
  insightApiOrigin: '',
  iamApiOrigin: '',
  oidcIssuer: '',
  oidcClientId: 'console',
  clientVersion: 'test',
  canChangeEmail: true,
  canChangePassword: true,
  deployedServices: ['/iam/', '/gpc/', '/coupon/', '/video-manager/', '/article-manager/'],
  links: { faq: 'https://help.example.jp/', serviceTerms: 'https://help.example.jp/terms' },
  analytics: { kind: 'off' },
}

interface Given {
  role?: Role
  config?: Partial<RuntimeConfig>
  userId?: string
  /** A view that staff has taken on. */
  actingAs?: { readonly __typename: 'ActingAs'; readonly reason: string; readonly endsAt: string } | null
  /** What an operation answers instead of its usual answer. */
  answers?: Readonly<Record<string, ApolloLink.Result | Error | 'never'>>
}

async function open({ role = 'insight:admin', config = {}, userId = 'u1', actingAs = null, answers = {} }: Given = {}) {
  const requested: string[] = []
  const usual: Record<string, ApolloLink.Result> = {
    ViewerUser: {
      data: {
        user: {
          __typename: 'User',
          uid: userId,
          email: 'a@example.jp',
          photoURL: null,
          organizationId: null,
          roles: [{ __typename: 'UserRole', name: role }],
        },
        viewer: { __typename: 'Viewer', uid: userId, email: actingAs ? 'a@example.jp' : 'taro@example.jp', actingAs },
      },
    },
    ViewerPolicies: {
      data: {
        policies: {
          __typename: 'PolicyList',
          nodes: grantsFor([role]).map(grant => {
            const { actions, resources } = clientPolicy(policyRow(grant, role))
            const typed = resources.map(one => ({ __typename: 'PolicyResource', ...one }))
            return { __typename: 'Policy', actions, resources: typed }
          }),
        },
      },
    },
    ViewerAgreements: {
      data: { agreements: { __typename: 'AgreementList', nodes: [{ __typename: 'Agreement', id: '1' }] } },
    },
  }
  const link = new ApolloLink(operation => {
    const name = operation.operationName ?? ''
    requested.push(name)
    const answer = answers[name] ?? usual[name] ?? 'never'
    return new Observable(observer => {
      if (answer === 'never') return
      if (answer instanceof Error) return observer.error(answer)
      observer.next(answer)
      observer.complete()
    })
  })
  const session = {
    start: vi.fn(async () => undefined),
    idToken: vi.fn(async () => 'token'),
    renew: vi.fn(async () => 'token'),
    signOut: vi.fn(async () => {}),
    leaveToSignIn: vi.fn(),
  } satisfies Session
  const analytics = { pageView: vi.fn() }
  const client = () => makeClient(link, session)
  const user = { id: userId, email: 'taro@example.jp', photoUrl: undefined, hasEmailPassAccount: true }
  await render(
    <Console
      user={user}
      dependencies={{
        config: { ...CONFIG, ...config },
        session,
        analytics,
        clients: { insight: client(), iam: client() },
      }}
    />,
  )
  return { requested, session, analytics }
}

beforeAll(async () => {
  language.use(texts)
  await SCREENS[0]!.load()
})
beforeEach(() => {
  history.replaceState(null, '', '#/')
})
afterEach(async () => {
  dismissAllToasts()
  vi.restoreAllMocks()
  await page.viewport(1440, 900)
})

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString()
}

const STAFF_MENU = [
  ...['ホーム', 'パブリッシャーランキング', '記事レポート', '動画レポート'],
  ...['契約', 'パブリッシャー', 'フィード', '口座', '記事'],
  ...['契約別', 'パブリッシャー別', '分配金調整', 'お知らせ'],
]

const menu = page.getByRole('navigation', { name: 'メインメニュー' })
const sidebarWidth = () => menu.element().parentElement!.getBoundingClientRect().width
const links = () =>
  menu
    .getByRole('link')
    .elements()
    .map(link => link.textContent)

test('the palette begins with what was opened last and what is often done, each once', async () => {
  sessionStorage.clear()
  await open()
  const options = page.getByRole('dialog', { name: '移動・検索' }).getByRole('option')
  const openPalette = () => page.getByRole('button', { name: /^移動・検索/ }).click()
  await openPalette()
  await expect.element(options.first()).toMatchTextContent('次の支払期日の振込データを作成する')
  await options.nth(1).click()
  await openPalette()
  await expect.element(options.first()).toMatchTextContent('銀行の振込結果を取り込む')
  await expect.element(options.nth(1)).toMatchTextContent('次の支払期日の振込データを作成する')
  await expect.element(options.nth(2)).toMatchTextContent('支払通知書への照会に回答する')
  expect(options.elements().filter(each => each.textContent === '銀行の振込結果を取り込む')).toHaveLength(1)
})

describe('startup', () => {
  test('reads 読み込み中 until user, policies and agreements have returned', async () => {
    const { requested } = await open({ answers: { ViewerAgreements: 'never' } })
    await expect.element(page.getByRole('status')).toHaveTextContent('読み込み中')
    expect(requested.toSorted()).toEqual(['ViewerAgreements', 'ViewerPolicies', 'ViewerUser'])
    expect(page.getByRole('navigation').elements()).toHaveLength(0)
    await expectAccessible()
  })

  test('asks for the first screen again when it is visited again', async () => {
    history.replaceState(null, '', '#/managements/feeds')
    const feeds = { data: { feeds: { __typename: 'FeedList', total: 0, nodes: [] } } }
    const { requested } = await open({ answers: { Feeds: feeds } })
    const times = () => requested.filter(name => name === 'Feeds').length
    await expect.element(page.getByText('フィードはまだありません')).toBeVisible()
    expect(times()).toBe(1)
    location.hash = '#/nowhere'
    await expect.element(page.getByText('ページが見つかりません')).toBeVisible()
    location.hash = '#/managements/feeds'
    await expect.poll(times).toBe(2)
  })

  test('says at the foot of each screen where the manual explains it and whom to ask', async () => {
    history.replaceState(null, '', '#/managements/feeds')
    const feeds = { data: { feeds: { __typename: 'FeedList', total: 0, nodes: [] } } }
    const config = { supportContact: 'help@example.jp', statusUrl: 'https://status.example.jp/' }
    await open({ config, answers: { Feeds: feeds } })
    const help = page.getByRole('link', { name: 'この画面の使い方' })
    await expect.element(help).toHaveAttribute('href', expect.stringContaining('/docs/admin-guide.html#3-3-'))
    // A form has the part of its list.
    location.hash = '#/managements/feeds/create'
    await expect.element(help).toHaveAttribute('href', expect.stringContaining('/docs/admin-guide.html#3-3-'))
    location.hash = '#/nowhere'
    await expect.element(help).toHaveAttribute('href', '/docs/index.html')
    await expect
      .element(page.getByRole('link', { name: '障害情報' }))
      .toHaveAttribute('href', 'https://status.example.jp/')
    await expect
      .element(page.getByRole('link', { name: 'help@example.jp' }))
      .toHaveAttribute('href', 'mailto:help@example.jp')
  })

  test('skips the queries on an empty user id', async () => {
    const { requested } = await open({ userId: '' })
    await expect.element(page.getByRole('status')).toHaveTextContent('読み込み中')
    expect(requested).toEqual([])
  })

  test('leads from the root to the dashboard, and counts one page view', async () => {
    const { analytics } = await open()
    await expect.element(page.getByRole('heading', { name: 'ダッシュボード' })).toBeVisible()
    await expect.poll(() => location.hash).toBe('#/reports/dashboard')
    expect(document.title).toBe('ダッシュボード | Publisher Center')
    location.hash = '#/reports/dashboard/granularity=weekly'
    await expect.element(page.getByRole('radio', { name: '週別' })).toBeChecked()
    expect(analytics.pageView.mock.calls).toEqual([['/reports/dashboard', 'ダッシュボード']])
  })

  test('FORBIDDEN on the policies: alert, sign out', async () => {
    const alert = vi.spyOn(window, 'alert').mockImplementation(() => {})
    const errors = [{ message: 'no', extensions: { code: 'forbidden' } }]
    const { session } = await open({ answers: { ViewerPolicies: { data: null, errors } as ApolloLink.Result } })
    await expect.poll(() => alert.mock.calls).toEqual([['権限がありません']])
    expect(session.signOut).toHaveBeenCalledOnce()
  })

  test('a failed start offers to try again', async () => {
    const { requested } = await open({ answers: { ViewerUser: new TypeError('Failed to fetch') } })
    await expect.element(page.getByText('通信エラー')).toBeVisible()
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.poll(() => requested.filter(name => name === 'ViewerUser').length).toBe(2)
  })
})

describe('shell', () => {
  test.each<[Role, string[]]>([
    ['admin', STAFF_MENU],
    ['insight:admin', STAFF_MENU],
    // Payments by publisher are for administrators and editors (access rules).
    ['insight:viewer', STAFF_MENU.filter(item => item !== 'パブリッシャー別')],
    [
      'insight:publisher_admin',
      ['ホーム', '記事レポート', '動画レポート', 'フィード', '口座', '記事', 'お支払い明細', 'ユーザー'],
    ],
    ['insight:publisher_editor', ['ホーム', '記事レポート', '動画レポート', 'フィード', '記事', 'お支払い明細']],
    ['iam:admin', []],
  ])('%s sees the menu of its rights, and the links of the operator', async (role, items) => {
    await open({ role })
    await expect.element(menu).toBeVisible()
    expect(links()).toEqual([
      ...items,
      'よくある質問（新しいタブで開きます）',
      'サービス連携利用規約（新しいタブで開きます）',
    ])
    const forbidden = page.getByRole('heading', { name: '「ダッシュボード」を表示する権限がありません' })
    expect(forbidden.elements()).toHaveLength(items.length === 0 ? 1 : 0)
    await expectAccessible()
  })

  test('the active item is marked, external links open in a new tab', async () => {
    await open()
    await expect.element(menu.getByRole('link', { name: 'ホーム' })).toHaveAttribute('aria-current', 'page')
    await expect.element(menu.getByRole('link', { name: /よくある質問/ })).toHaveAttribute('target', '_blank')
  })

  test('is turned by the hamburger, in 1500 ms', async () => {
    await open()
    await expect.poll(sidebarWidth).toBe(232)
    expect(getComputedStyle(menu.element().parentElement!).transitionDuration).toBe('1.5s')
    await page.getByRole('button', { name: 'サイドメニューを閉じる' }).click()
    await expect.poll(sidebarWidth).toBe(64)
  })

  test('opens and closes automatically at 1250 px', async () => {
    await page.viewport(1249, 900)
    await open()
    await expect.poll(sidebarWidth).toBe(64)
    await page.viewport(1250, 900)
    await expect.poll(sidebarWidth).toBe(232)
  })

  test('is a drawer on a phone that Escape closes', async () => {
    await page.viewport(390, 844)
    await open()
    await page.getByRole('button', { name: 'サイドメニューを開く' }).click()
    const home = menu.getByRole('link', { name: 'ホーム' })
    await expect.element(home).toBeInViewport()
    ;(home.element() as HTMLElement).focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => home.elements().length).toBe(0)
    await page.getByRole('button', { name: 'トップメニューを開く' }).click()
    await expect.element(page.getByRole('button', { name: 'サービス一覧' })).toBeVisible()
  })

  test('an unknown path says so', async () => {
    history.replaceState(null, '', '#/nowhere')
    await open()
    await expect.element(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  })

  test('lists its shortcuts by ?', async () => {
    await open()
    await expect.element(menu).toBeVisible()
    await userEvent.keyboard('?')
    await expect.element(page.getByRole('dialog', { name: 'キーボードショートカット' })).toBeVisible()
  })
})

describe('a view that staff has taken on', () => {
  const actingAs = { __typename: 'ActingAs', reason: 'お問い合わせ1234の確認', endsAt: inMinutes(12) } as const

  test('is said on every screen: whom, why, how long, and the way out', async () => {
    const { requested } = await open({
      role: 'insight:publisher_admin',
      actingAs,
      answers: { EndImpersonation: 'never' },
    })
    const banner = page.getByRole('region', { name: 'ほかのユーザーとしての表示' })
    await expect.element(banner).toMatchTextContent(/a@example.jpとして表示しています（閲覧のみ。変更はできません）/)
    await expect.element(banner).toMatchTextContent(/お問い合わせ1234の確認/)
    await expect.element(banner.getByRole('timer')).toHaveTextContent('残り12分で自動的に終了します')
    await expectAccessible()
    await banner.getByRole('button', { name: '表示を終了する' }).click()
    await expect.poll(() => requested).toContain('EndImpersonation')
  })

  test('is not spoken of otherwise', async () => {
    await open({ role: 'insight:publisher_admin' })
    await expect.element(menu).toBeVisible()
    expect(page.getByText('として表示しています').elements()).toHaveLength(0)
  })
})

describe('header', () => {
  const launcher = page.getByRole('button', { name: 'サービス一覧' })

  test.each<[Role, string[]]>([
    ['admin', ['/iam/', '/gpc/', '/coupon/', '/video-manager/', '/article-manager/']],
    ['insight:admin', ['/iam/', '/gpc/']],
    ['insight:viewer', ['/gpc/']],
    ['iam:viewer', ['/iam/']],
    ['coupon:editor', ['/coupon/']],
  ])('%s is offered the services that it may list', async (role, expected) => {
    await open({ role })
    await launcher.click()
    const found = () => page.getByRole('dialog', { name: 'サービス一覧' }).getByRole('link').elements()
    await expect.poll(() => found().map(link => link.getAttribute('href'))).toEqual(expected)
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  test('services that are not deployed are not offered; without any the menu is hidden', async () => {
    await open({ role: 'admin', config: { deployedServices: [] } })
    await expect.element(menu).toBeVisible()
    expect(launcher.elements()).toHaveLength(0)
  })

  test.each<Role>(['insight:publisher_admin', 'insight:publisher_editor'])('%s has no header menu', async role => {
    await open({ role })
    await expect.element(menu).toBeVisible()
    expect(launcher.elements()).toHaveLength(0)
    await expect.element(page.getByRole('button', { name: /^アカウント/ })).toBeVisible()
  })

  test('the account menu shows the e-mail, the links where passwords are ours, and signs out', async () => {
    const { session } = await open()
    await page.getByRole('button', { name: 'アカウント：taro@example.jp' }).click()
    const panel = page.getByRole('dialog', { name: 'アカウント' })
    await expect.element(panel.getByText('taro@example.jp')).toBeVisible()
    expect(
      panel
        .getByRole('link')
        .elements()
        .map(link => link.getAttribute('href')),
    ).toEqual(['/sso#/change-email', '/sso#/change-pass', '/sso#/security', '/sso#/sessions'])
    await expectAccessible()
    await panel.getByRole('button', { name: 'サインアウト' }).click()
    await expect.poll(() => session.signOut).toHaveBeenCalledOnce()
  })

  test('the account menu brings the setup guide back, for the people of publishers as well', async () => {
    await open({ role: 'insight:publisher_admin', answers: { SavePreference: { data: { savePreference: null } } } })
    await page.getByRole('button', { name: /^アカウント/ }).click()
    await page.getByRole('button', { name: 'はじめてガイドを表示' }).click()
    await expect.element(page.getByRole('dialog', { name: 'アカウント' })).not.toBeInTheDocument()
    await expect.poll(() => localStorage.getItem('pc-setup-guide')).toMatch(/ shown$/)
    expect(location.hash).toBe('#/reports/dashboard')
  })

  test('with another provider there is nothing to change here', async () => {
    await open({ config: { canChangeEmail: false, canChangePassword: false } })
    await page.getByRole('button', { name: /^アカウント/ }).click()
    expect(page.getByRole('dialog').getByRole('link').elements()).toHaveLength(0)
  })

  test('the bell without announcements is not a broken one', async () => {
    await open()
    await page.getByRole('button', { name: 'お知らせ' }).click()
    await expect.element(page.getByText('現在お知らせはありません。')).toBeVisible()
  })

  test('the colours can be turned, and are kept', async () => {
    await open()
    await page.getByRole('button', { name: 'ダーク表示に切り替える' }).click()
    await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('dark')
    await expect.poll(() => localStorage.getItem('mantine-color-scheme-value')).toBe('dark')
    await expectAccessible()
    await page.getByRole('button', { name: 'ライト表示に切り替える' }).click()
    await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('light')
  })
})
