import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { type AskedOperation, refusedWith, showScreen } from '@pc/ui/show-screen.tsx'
import { dismissAllToasts } from '@pc/ui/toasts.tsx'
import { GraphQLError } from 'graphql'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { invitationsRoute } from './invitations-route.ts'
import { userEditRoute } from './user-edit-route.ts'
import { userInviteRoute } from './user-invite-route.ts'
import { usersRoute } from './users-route.ts'

const SCREENS = [usersRoute, userInviteRoute, userEditRoute, invitationsRoute]
const ORGANIZATION = { __typename: 'OrganizationName', id: '7', name: '株式会社朝霧新聞社' }

interface Person {
  uid?: string
  email?: string
  roles?: readonly Role[]
  enabled?: boolean
  invitation?: { invitedAt: string; expiresAt: string } | null
  organization?: typeof ORGANIZATION | null
  agreementIds?: readonly string[]
  hasSecondFactor?: boolean
}

/** As the server answers: the client asks every object for its type. */
function person(more: Person = {}) {
  const { roles = ['insight:publisher_editor'], invitation = null, ...rest } = more
  return {
    ...{ __typename: 'User', uid: 'u2', email: 'hanako@example.jp', photoURL: null, enabled: true },
    ...{
      organization: ORGANIZATION,
      agreementIds: ['1'],
      createdAt: '2026-10-01T01:02:03.000Z',
      hasSecondFactor: false,
    },
    ...rest,
    invitation: invitation && { __typename: 'Invitation', ...invitation },
    roles: roles.map(name => ({ __typename: 'UserRole', name, label: ROLE_LABELS_JA[name].label })),
  }
}

const list = (...people: ReturnType<typeof person>[]) => ({
  users: { __typename: 'UserList', total: people.length, nodes: people },
})
const AGREEMENTS = {
  agreements: {
    __typename: 'AgreementList',
    total: 2,
    nodes: ['東都新聞 配信契約', 'みらい経済 配信契約'].map((name, index) => ({
      ...{ __typename: 'Agreement', id: String(index + 1), name, code: `A-${index + 1}`, isTerminated: false },
    })),
  },
}
const others = (total: number) => ({ users: { __typename: 'UserList', total, nodes: [] } })

function last(asked: readonly AskedOperation[], name: string) {
  return asked.findLast(one => one.name === name)?.variables
}

function edit(user: ReturnType<typeof person>, role: Role, answers: Parameters<typeof showScreen>[0]['answers'] = {}) {
  return showScreen({
    ...{ screens: SCREENS, path: `/users/edit/${user.uid}`, role, organizationId: '7' },
    answers: {
      UserEdit: { user },
      Users: list(user),
      Administrators: others(3),
      AssignableAgreements: AGREEMENTS,
      ...answers,
    },
  })
}

/** The endpoints of signing in, which live beside the APIs. */
function answerSignIn(answers: Readonly<Record<string, (body: string) => object>>) {
  const real = window.fetch
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const name = /^\/sso\/api\/(.+)$/.exec(String(input))?.[1]
    if (name === undefined) return real(input, init)
    const body = answers[name]?.(String(init?.body ?? '')) ?? {}
    return Response.json(body, { status: 'refusals' in body ? 400 : 200 })
  })
}

afterEach(async () => {
  vi.restoreAllMocks()
  dismissAllToasts()
  await page.viewport(1440, 900)
})

describe('the list', () => {
  const open = (role: Role = 'iam:admin', path = '/users') =>
    showScreen({
      ...{ screens: SCREENS, path, role },
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
    const { asked } = await open('iam:admin', '/users/q=hanako&state=disabled&sort=CREATEDAT_DESC&page=2')
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(last(asked, 'Users')).toEqual({
      ...{ q: 'hanako', enabled: false, role: null, organizationId: null },
      ...{ orderBy: 'CREATEDAT_DESC', limit: 50, offset: 50 },
    })
    await page.getByRole('combobox', { name: 'ロール' }).selectOptions('パブリッシャーの管理者')
    expect(decodeURIComponent(location.hash)).toContain('role=insight~3Apublisher_admin'.replace('~3A', ':'))
    await expect.poll(() => last(asked, 'Users')).toMatchObject({ role: 'insight:publisher_admin', offset: 0 })
  })

  test('does not search while the input method is composing', async () => {
    const { asked } = await open()
    const field = page.getByRole('searchbox', { name: 'メールアドレスで検索' }).element() as HTMLInputElement
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    setValue.call(field, 'はｎ')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }))
    const before = asked.length
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 300)))
    expect(asked.length).toBe(before)
    setValue.call(field, 'はな')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: 'はな' }))
    await expect.poll(() => last(asked, 'Users')?.q).toBe('はな')
  })

  test('shows the administrator of a publisher neither other organisations nor other roles', async () => {
    await open('insight:publisher_admin')
    await expect.element(page.getByRole('link', { name: 'hanako@example.jp' })).toBeVisible()
    expect(page.getByRole('columnheader', { name: '組織' }).elements()).toHaveLength(0)
    const options = [...(page.getByRole('combobox', { name: 'ロール' }).element() as HTMLSelectElement).options]
    expect(options.map(option => option.text)).toEqual(['すべて', 'パブリッシャーの管理者', 'パブリッシャーの担当者'])
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
    const { asked } = await showScreen({
      ...{ screens: SCREENS, path: '/users', role: 'iam:admin' },
      answers: { Users: new TypeError('Failed to fetch') },
    })
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.poll(() => asked.filter(({ name }) => name === 'Users').length).toBe(2)
  })
})

describe('inviting', () => {
  const open = (role: Role, answers = {}) =>
    showScreen({
      ...{ screens: SCREENS, path: '/users/invite', role, organizationId: '7' },
      answers: {
        Users: list(),
        AssignableAgreements: AGREEMENTS,
        UserOrganizations: {
          organizations: {
            ...{ __typename: 'OrganizationList', total: 1 },
            nodes: [{ __typename: 'Organization', id: '7', name: '株式会社朝霧新聞社' }],
          },
        },
        InviteUser: { inviteUser: { __typename: 'User', uid: 'u9' } },
        InviteUserForPublisher: { inviteUserForPublisher: { __typename: 'PublisherUser', uid: 'u9' } },
        ...answers,
      },
    })

  test('works by keyboard alone: organisation, role, agreement, send', async () => {
    const { asked } = await open('admin')
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
    await expect.element(page.getByText('new@example.jpに招待メールを送信しました')).toBeVisible()
    expect(last(asked, 'InviteUser')).toEqual({
      input: {
        ...{ email: 'new@example.jp', organizationId: '7' },
        ...{ roles: ['insight:publisher_editor'], agreementIds: ['2'] },
      },
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(location.hash).toBe('#/users')
  })

  test('offers the administrator of a publisher the roles of a publisher, in the own organisation', async () => {
    const { asked } = await open('insight:publisher_admin')
    await expect.element(page.getByLabelText(/^メールアドレス/)).toBeVisible()
    expect(page.getByRole('checkbox').elements()).toHaveLength(2)
    expect(page.getByRole('combobox', { name: /組織/ }).elements()).toHaveLength(0)
    await page.getByLabelText(/^メールアドレス/).fill('new@example.jp')
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await expect.element(page.getByText('new@example.jpに招待メールを送信しました')).toBeVisible()
    expect(last(asked, 'InviteUserForPublisher')?.input).toEqual({
      ...{ email: 'new@example.jp', roles: ['insight:publisher_admin'], agreementIds: [] },
    })
    expect(asked.some(({ name }) => name === 'InviteUser')).toBe(false)
  })

  test('says what is missing, at the fields', async () => {
    const { asked } = await open('admin')
    await page.getByLabelText(/^メールアドレス/).fill('hanako')
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/入力内容を確認してください（2件）/)
    await expect.element(page.getByLabelText(/^メールアドレス/)).toBeInvalid()
    expect(asked.some(({ name }) => name === 'InviteUser')).toBe(false)
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

describe('editing', () => {
  test('changes roles and agreements of somebody, and says what that does', async () => {
    const { asked } = await edit(person(), 'admin', { UpdateRoles: { updateRoles: { ...person(), roles: [] } } })
    await page.getByRole('checkbox', { name: /みらい経済/ }).click()
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await expectAccessible()
    await page.getByRole('button', { name: '権限を保存' }).click()
    await expect.element(page.getByText('hanako@example.jpの権限を変更しました')).toBeVisible()
    expect(last(asked, 'UpdateRoles')).toMatchObject({
      ...{ uid: 'u2', roles: ['insight:publisher_admin', 'insight:publisher_editor'], agreementIds: ['1', '2'] },
    })
  })

  test('goes through the console’s own operation for the administrator of a publisher', async () => {
    const updateUserForPublisher = { __typename: 'PublisherUser', uid: 'u2' }
    const { asked } = await edit(person(), 'insight:publisher_admin', {
      UpdateUserForPublisher: { updateUserForPublisher },
    })
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await page.getByRole('checkbox', { name: /パブリッシャーの担当者/ }).click()
    await page.getByRole('button', { name: '権限を保存' }).click()
    await expect.element(page.getByText('hanako@example.jpの権限を変更しました')).toBeVisible()
    expect(last(asked, 'UpdateUserForPublisher')?.input).toEqual({
      ...{ uid: 'u2', roles: ['insight:publisher_admin'], agreementIds: [] },
    })
    expect(page.getByRole('button', { name: '表示を始める' }).elements()).toHaveLength(0)
  })

  test('keeps the last administrator of an organisation one, and says why', async () => {
    const me = person({ uid: 'me', email: 'me@example.jp', roles: ['insight:publisher_admin'] })
    await edit(me, 'insight:publisher_admin', { Administrators: others(1) })
    const box = page.getByRole('checkbox', { name: /パブリッシャーの管理者/ })
    await expect.element(box).toBeDisabled()
    for (const name of ['無効にする', 'ユーザーを削除']) {
      const button = page.getByRole('button', { name })
      await expect.element(button).toBeDisabled()
      await expect.element(button).toHaveAccessibleDescription(/最後の管理者です/)
    }
    await expectAccessible()
  })

  test('with another administrator beside, one may step back but not lock oneself out', async () => {
    const me = person({ uid: 'me', email: 'me@example.jp', roles: ['insight:publisher_admin'] })
    await edit(me, 'insight:publisher_admin', { Administrators: others(2) })
    await expect.element(page.getByRole('checkbox', { name: /パブリッシャーの管理者/ })).toBeEnabled()
    await expect
      .element(page.getByRole('button', { name: '無効にする' }))
      .toHaveAccessibleDescription(/自分自身を無効化または削除することはできません/)
  })

  test('locks the form for somebody of a higher rank', async () => {
    await edit(person({ roles: ['admin'], organization: null }), 'iam:admin')
    await expect.element(page.getByText(/自分より強い権限を持つユーザーは変更できません/).first()).toBeVisible()
    await expect.element(page.getByRole('checkbox', { name: /全体管理者/ })).toBeDisabled()
    expect(page.getByRole('button', { name: '権限を保存' }).elements()).toHaveLength(0)
    await expect.element(page.getByRole('button', { name: 'ユーザーを削除' })).toBeDisabled()
  })

  test('is for reading only to who only looks', async () => {
    await edit(person(), 'iam:viewer')
    await expect.element(page.getByText(/閲覧のみの権限です/).first()).toBeVisible()
    expect(page.getByRole('button', { name: '無効にする' }).elements()).toHaveLength(0)
  })

  test('deletes only after the consequence was read and agreed to', async () => {
    const { asked } = await edit(person(), 'iam:admin', { DeleteUser: { deleteUser: person() } })
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    const question = page.getByRole('alertdialog', { name: 'hanako@example.jpを削除しますか？' })
    await expect.element(question).toMatchTextContent(/元に戻せません。操作の記録は残ります。/)
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    expect(asked.some(({ name }) => name === 'DeleteUser')).toBe(false)
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    await page.getByRole('button', { name: 'ユーザーを削除する' }).click()
    await expect.element(page.getByText('hanako@example.jpを削除しました')).toBeVisible()
    expect(last(asked, 'DeleteUser')).toMatchObject({ uid: 'u2' })
    expect(location.hash).toBe('#/users')
  })

  test('disables with a question, enables without one', async () => {
    const setUserEnabled = { __typename: 'User', uid: 'u2', enabled: false }
    const { asked } = await edit(person(), 'iam:admin', { SetUserEnabled: { setUserEnabled } })
    await page.getByRole('button', { name: '無効にする' }).click()
    await page.getByRole('button', { name: 'ユーザーを無効にする' }).click()
    await expect.poll(() => last(asked, 'SetUserEnabled')).toMatchObject({ uid: 'u2', enabled: false })
    // The answer is in the cache: the same screen now offers the way back.
    await page.getByRole('button', { name: '有効にする' }).click()
    await expect.poll(() => last(asked, 'SetUserEnabled')).toMatchObject({ uid: 'u2', enabled: true })
  })

  test('changes the e-mail address, and keeps the window open with the reason of a refusal', async () => {
    const taken = refusedWith('user/email-taken', 'このメールアドレスはすでに登録されています。', ['email'])
    await edit(person(), 'iam:admin', { UpdateEmail: taken })
    await page.getByRole('button', { name: 'メールアドレスを変更' }).click()
    const window = page.getByRole('dialog', { name: 'メールアドレスを変更' })
    await window.getByLabelText('新しいメールアドレス').fill('taken@example.jp')
    await userEvent.keyboard('{Enter}')
    await expect.element(window.getByRole('alert')).toHaveTextContent('このメールアドレスはすでに登録されています。')
    await expectAccessible()
  })

  test('takes the second factor of somebody who lost it, after the question and the password', async () => {
    const sent: string[] = []
    answerSignIn({
      security: () => ({ email: 'me@example.jp', hasTotp: true }),
      'step-up': body => {
        sent.push(body)
        return body.includes('wrong') ? { refusals: [{ code: 'sign-in/current-password-wrong', data: {} }] } : {}
      },
    })
    let isProved = false
    const answerReset = () =>
      isProved
        ? { resetSecondFactor: { __typename: 'User', uid: 'u2', hasSecondFactor: false } }
        : [new GraphQLError('x', { extensions: { code: 'FORBIDDEN', needsProof: true } })]
    const { asked } = await edit(person({ hasSecondFactor: true }), 'iam:admin', {
      ResetSecondFactor: answerReset,
    })
    await page.getByRole('button', { name: '2段階認証を解除', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'hanako@example.jpの2段階認証を解除しますか？' })
    await expect.element(question).toMatchTextContent(/本人からの依頼であることを確かめてください/)
    await question.getByRole('button', { name: '2段階認証を解除する' }).click()
    const proof = page.getByRole('dialog', { name: '本人確認' })
    await expect.element(proof.getByLabelText('パスワード')).toHaveFocus()
    await expect.element(proof.getByLabelText('認証アプリのコード')).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('wrong{Enter}')
    await expect.element(proof.getByRole('alert')).toHaveTextContent('コードを入力してください。')
    await proof.getByLabelText('認証アプリのコード').fill('123456')
    await userEvent.keyboard('{Enter}')
    await expect.element(proof.getByRole('alert')).toHaveTextContent('パスワードが違います。もう一度入力してください。')
    await proof.getByLabelText('パスワード').fill('my own words')
    isProved = true
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('hanako@example.jpの2段階認証を解除しました')).toBeVisible()
    expect(sent.map(body => JSON.parse(body))).toEqual([
      { currentPassword: 'wrong', code: '123456' },
      { currentPassword: 'my own words', code: '123456' },
    ])
    expect(asked.filter(({ name }) => name === 'ResetSecondFactor')).toHaveLength(2)
    // The answer is in the cache: there is nothing to take any more.
    await expect.element(page.getByText('未設定')).toBeVisible()
    expect(page.getByRole('button', { name: '2段階認証を解除', exact: true }).elements()).toHaveLength(0)
  })

  test('whoever does not give the password changes nothing, and reads why', async () => {
    answerSignIn({ security: () => ({ email: 'me@example.jp', hasTotp: false }) })
    const { asked } = await edit(person(), 'iam:admin', {
      DeleteUser: [
        new GraphQLError('安全のため、もう一度パスワードで本人確認を行ってください。', {
          extensions: { code: 'FORBIDDEN', needsProof: true },
        }),
      ],
    })
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    await page.getByRole('button', { name: 'ユーザーを削除する' }).click()
    const proof = page.getByRole('dialog', { name: '本人確認' })
    await expect.element(proof).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(proof).not.toBeInTheDocument()
    await expect.element(page.getByText(/本人確認を行ってください/)).toBeVisible()
    expect(asked.filter(({ name }) => name === 'DeleteUser')).toHaveLength(1)
    expect(location.hash).toBe('#/users/edit/u2')
  })

  test('offers no reset of the own second factor', async () => {
    await edit(person({ uid: 'me', email: 'me@example.jp', roles: ['iam:admin'], hasSecondFactor: true }), 'iam:admin')
    const button = page.getByRole('button', { name: '2段階認証を解除', exact: true })
    await expect.element(button).toBeDisabled()
    await expect.element(button).toHaveAccessibleDescription(/ご自身の2段階認証は/)
  })

  test('begins a view with a reason', async () => {
    const { asked } = await edit(person(), 'admin', { StartViewAs: 'never' })
    await page.getByRole('button', { name: '表示を始める' }).click()
    const window = page.getByRole('dialog', { name: 'hanako@example.jpとして表示' })
    await window.getByLabelText('表示する理由').fill('お問い合わせ1234の確認')
    await expectAccessible()
    await window.getByRole('button', { name: '30分間表示する' }).click()
    await expect.poll(() => last(asked, 'StartViewAs')).toMatchObject({ uid: 'u2', reason: 'お問い合わせ1234の確認' })
  })

  test('offers no view as staff', async () => {
    await edit(person({ roles: ['insight:viewer'], organization: null }), 'admin')
    await expect.element(page.getByRole('button', { name: 'ユーザーを削除' })).toBeVisible()
    expect(page.getByRole('button', { name: '表示を始める' }).elements()).toHaveLength(0)
  })

  test.each([1100, 390])('fits into %i px', async width => {
    await page.viewport(width, 844)
    await edit(person(), 'admin')
    await expect.element(page.getByRole('checkbox', { name: /みらい経済/ })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await expectAccessible()
  })

  test('says so when the person is gone', async () => {
    await showScreen({
      ...{ screens: SCREENS, path: '/users/edit/u2', role: 'iam:admin' },
      answers: { UserEdit: { user: null } },
    })
    await expect.element(page.getByRole('heading', { name: 'ユーザーが見つかりません' })).toBeVisible()
  })
})

describe('invitations', () => {
  test('are sent again from the list', async () => {
    const invited = person({ invitation: invitation(3) })
    const { asked } = await showScreen({
      ...{ screens: SCREENS, path: '/invitations', role: 'iam:admin' },
      answers: { Users: list(invited), RegenerateInviteLink: { regenerateInviteLink: invited } },
    })
    await page.getByRole('button', { name: 'hanako@example.jpに招待メールを再送' }).click()
    await expect.element(page.getByText('hanako@example.jpに招待メールを送り直しました')).toBeVisible()
    expect(last(asked, 'RegenerateInviteLink')).toMatchObject({ uid: 'u2' })
    await expectAccessible()
    await page.getByRole('radio', { name: '期限切れ' }).click()
    await expect.poll(() => last(asked, 'Users')?.invitation).toBe('expired')
  })
})

function invitation(hours: number) {
  return {
    invitedAt: new Date(Date.now() - 3_600_000).toISOString(),
    expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
  }
}
