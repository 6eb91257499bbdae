import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { passTime } from '@pc/ui/pass-time.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { AGREEMENTS, last, list, person, SCREENS } from './user-fixture.tsx'

afterEach(async () => {
  vi.restoreAllMocks()
  dismissAllToasts()
  await page.viewport(1440, 900)
})

describe('the list', () => {
  const open = (role: Role = 'iam:admin', path = '/users') =>
    showScreen({
      screens: SCREENS,
      path,
      role,
      answers: {
        Users: list(
          person(),
          person({ uid: 'u3', email: 'jiro@example.jp', enabled: false, roles: ['insight:publisher_admin'] }),
          person({ uid: 'u4', email: 'saburo@example.jp', roles: [], invitation: invitation(24) }),
          person({ uid: 'u5', email: 'shiro@example.jp', invitation: invitation(-1) }),
        ),
      },
    })

  test('says who may sign in, by which role, and leads to each person', async () => {
    await open()
    await expect
      .element(page.getByRole('link', { name: 'hanako@example.jp' }))
      .toHaveAttribute('href', '#/users/edit/u2')
    for (const text of ['パブリッシャーの担当者', '無効', '招待中', '招待の期限切れ', 'ロールなし'])
      await expect.element(page.getByRole('cell', { name: text }).first()).toBeVisible()
    await expectAccessible()
  })

  test('asks for what the address says, and writes what is chosen into the address', async () => {
    const { operations } = await open('iam:admin', '/users/q=hanako&state=disabled&sort=CREATEDAT_DESC&page=2')
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(last(operations, 'Users')).toEqual({
      q: 'hanako',
      enabled: false,
      role: null,
      organizationId: null,
      orderBy: 'CREATEDAT_DESC',
      limit: 50,
      offset: 50,
    })
    await page.getByRole('combobox', { name: 'ロール' }).selectOptions('パブリッシャーの管理者')
    await expect
      .poll(() => decodeURIComponent(location.hash))
      .toContain('role=insight~3Apublisher_admin'.replace('~3A', ':'))
    await expect.poll(() => last(operations, 'Users')).toMatchObject({ role: 'insight:publisher_admin', offset: 0 })
  })

  test('does not search while the input method is composing', async () => {
    const { operations } = await open()
    const field = page.getByRole('searchbox', { name: 'メールアドレスで検索' }).element() as HTMLInputElement
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    const before = operations.length
    await passTime(400, () => {
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      setValue.call(field, 'はｎ')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }))
    })
    expect(operations.length).toBe(before)
    setValue.call(field, 'はな')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: 'はな' }))
    await expect.poll(() => last(operations, 'Users')?.q).toBe('はな')
  })

  test('shows the administrator of a publisher neither other organisations nor other roles', async () => {
    await open('insight:publisher_admin')
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(page.getByRole('columnheader', { name: '組織' }).elements()).toHaveLength(0)
    const options = [...(page.getByRole('combobox', { name: 'ロール' }).element() as HTMLSelectElement).options]
    const labels = rolesOf('publisher').map(role => ROLE_LABELS_JA[role].label)
    expect(options.map(option => option.text)).toEqual(['すべて', ...labels])
    expect(labels).toEqual(expect.arrayContaining(['パブリッシャーの管理者', 'パブリッシャーの担当者']))
  })

  test('offers no invitation to who only looks', async () => {
    await open('iam:viewer')
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(page.getByRole('link', { name: 'ユーザーを招待' }).elements()).toHaveLength(0)
  })

  test.each([1100, 390])('fits into %i px', async width => {
    await page.viewport(width, 844)
    await open()
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await expectAccessible()
  })

  test('says so when it could not be loaded, and tries again', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/users',
      role: 'iam:admin',
      // A failure of the server; without a connection the request would be sent again automatically.
      answers: { Users: new Error('status 500') },
    })
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.poll(() => operations.filter(({ name }) => name === 'Users').length).toBe(2)
  })
})

describe('inviting', () => {
  const open = (role: Role, answers = {}) =>
    showScreen({
      screens: SCREENS,
      path: '/users/invite',
      role,
      organizationId: '7',
      answers: {
        Users: list(),
        AssignableAgreements: AGREEMENTS,
        UserOrganizations: {
          organizations: {
            __typename: 'OrganizationList',
            total: 1,
            nodes: [{ __typename: 'Organization', id: '7', name: '株式会社朝霧新聞社' }],
          },
        },
        InviteUser: { inviteUser: { __typename: 'User', uid: 'u9' } },
        InviteUserForPublisher: { inviteUserForPublisher: { __typename: 'PublisherUser', uid: 'u9' } },
        ...answers,
      },
    })

  test('works by keyboard alone: organisation, role, agreement, send', async () => {
    const { operations } = await open('admin')
    await expect.element(page.getByLabelText(/^メールアドレス/)).toBeVisible()
    ;(page.getByLabelText(/^メールアドレス/).element() as HTMLElement).focus()
    await userEvent.keyboard('new@example.jp{Tab}朝霧')
    await expect.element(page.getByRole('option', { name: '株式会社朝霧新聞社' })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    const role = page.getByRole('checkbox', { name: /パブリッシャーの担当者/ })
    for (let steps = 0; document.activeElement !== role.element() && steps < 12; steps += 1)
      await userEvent.keyboard('{Tab}')
    await userEvent.keyboard(' ')
    const agreement = page.getByRole('checkbox', { name: /みらい経済/ })
    await expect.element(agreement).toBeVisible()
    for (let steps = 0; document.activeElement !== agreement.element() && steps < 24; steps += 1)
      await userEvent.keyboard('{Tab}')
    await userEvent.keyboard(' {Control>}{Enter}{/Control}')
    await expect.element(page.getByText('new@example.jpに招待メールを送信しました。')).toBeVisible()
    expect(last(operations, 'InviteUser')).toEqual({
      input: {
        email: 'new@example.jp',
        organizationId: '7',
        roles: ['insight:publisher_editor'],
        agreementIds: ['2'],
      },
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    await expect.poll(() => location.hash).toBe('#/users')
  })

  test('offers the administrator of a publisher the roles of a publisher, in the own organisation', async () => {
    const { operations } = await open('insight:publisher_admin')
    await expect.element(page.getByLabelText(/^メールアドレス/)).toBeVisible()
    expect(page.getByRole('checkbox').elements()).toHaveLength(rolesOf('publisher').length)
    expect(page.getByRole('combobox', { name: /組織/ }).elements()).toHaveLength(0)
    await page.getByLabelText(/^メールアドレス/).fill('new@example.jp')
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await expect.element(page.getByText('new@example.jpに招待メールを送信しました。')).toBeVisible()
    expect(last(operations, 'InviteUserForPublisher')?.input).toEqual({
      ...{ email: 'new@example.jp', roles: ['insight:publisher_admin'], agreementIds: [] },
    })
    expect(operations.some(({ name }) => name === 'InviteUser')).toBe(false)
  })

  test('says what is missing, at the fields', async () => {
    const { operations } = await open('admin')
    await page.getByLabelText(/^メールアドレス/).fill('hanako')
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/入力内容を確認してください（2件）/)
    await expect.element(page.getByLabelText(/^メールアドレス/)).toBeInvalid()
    expect(operations.some(({ name }) => name === 'InviteUser')).toBe(false)
    await expectAccessible()
  })

  test('shows a refusal of the server at its field', async () => {
    await open('insight:publisher_admin', {
      InviteUserForPublisher: refusedWith('user/email-taken', 'このメールアドレスはすでに登録されています。', [
        ...['input', 'email'],
      ]),
    })
    await page.getByLabelText(/^メールアドレス/).fill('taken@example.jp')
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await expect
      .element(page.getByRole('alert').filter({ hasText: '入力内容' }))
      .toMatchTextContent(/メールアドレス：このメールアドレスはすでに登録されています。/)
  })
})

describe('invitations', () => {
  test('are sent again from the list', async () => {
    const invited = person({ invitation: invitation(3) })
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/invitations',
      role: 'iam:admin',
      answers: { Users: list(invited), RegenerateInviteLink: { regenerateInviteLink: invited } },
    })
    await page.getByRole('button', { name: 'hanako@example.jpに招待メールを再送' }).click()
    await expect.element(page.getByText('hanako@example.jpに招待メールを送り直しました。')).toBeVisible()
    expect(last(operations, 'RegenerateInviteLink')).toMatchObject({ uid: 'u2' })
    await expectAccessible()
    await page.getByRole('radio', { name: '期限切れ' }).click()
    await expect.poll(() => last(operations, 'Users')?.invitation).toBe('expired')
  })
})

function invitation(hours: number) {
  return {
    invitedAt: new Date(Date.now() - 3_600_000).toISOString(),
    expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
  }
}
