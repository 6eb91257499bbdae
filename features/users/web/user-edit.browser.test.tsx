import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { GraphQLError } from 'graphql'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { edit, last, others, pendingChange, person, SCREENS } from './user-fixture.tsx'

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

describe('editing', () => {
  test('changes roles and agreements of somebody, and says what that does', async () => {
    const { operations } = await edit(person(), 'admin', { UpdateRoles: { updateRoles: { ...person(), roles: [] } } })
    await page.getByRole('checkbox', { name: /みらい経済/ }).click()
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await expectAccessible()
    await page.getByRole('button', { name: '権限を保存' }).click()
    await expect.element(page.getByText('hanako@example.jpの権限を変更しました。')).toBeVisible()
    expect(last(operations, 'UpdateRoles')).toMatchObject({
      ...{ uid: 'u2', roles: ['insight:publisher_admin', 'insight:publisher_editor'], agreementIds: ['1', '2'] },
    })
  })

  test('goes through the console’s own operation for the administrator of a publisher', async () => {
    const updateUserForPublisher = { __typename: 'PublisherUser', uid: 'u2' }
    const { operations } = await edit(person(), 'insight:publisher_admin', {
      UpdateUserForPublisher: { updateUserForPublisher },
    })
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).click()
    await page.getByRole('checkbox', { name: /パブリッシャーの担当者/ }).click()
    await page.getByRole('button', { name: '権限を保存' }).click()
    await expect.element(page.getByText('hanako@example.jpの権限を変更しました。')).toBeVisible()
    expect(last(operations, 'UpdateUserForPublisher')?.input).toEqual({
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
    await expect.element(page.getByText(/自分より上位の権限を持つユーザーは変更できません/).first()).toBeVisible()
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
    const { operations } = await edit(person(), 'iam:admin', { DeleteUser: { deleteUser: person() } })
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    const question = page.getByRole('alertdialog', { name: 'hanako@example.jpを削除しますか？' })
    await expect.element(question).toMatchTextContent(/元に戻せません。操作の記録は残ります。/)
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    expect(operations.some(({ name }) => name === 'DeleteUser')).toBe(false)
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    await page.getByRole('button', { name: 'ユーザーを削除する' }).click()
    await expect.element(page.getByText('hanako@example.jpを削除しました。')).toBeVisible()
    expect(last(operations, 'DeleteUser')).toMatchObject({ uid: 'u2' })
    expect(location.hash).toBe('#/users')
  })

  test('disables with a question, enables without one', async () => {
    const setUserEnabled = { __typename: 'User', uid: 'u2', enabled: false }
    const { operations } = await edit(person(), 'iam:admin', { SetUserEnabled: { setUserEnabled } })
    await page.getByRole('button', { name: '無効にする' }).click()
    await page.getByRole('button', { name: 'ユーザーを無効にする' }).click()
    await expect.poll(() => last(operations, 'SetUserEnabled')).toMatchObject({ uid: 'u2', enabled: false })
    // The answer is in the cache: the same screen now offers the way back.
    await page.getByRole('button', { name: '有効にする' }).click()
    await expect.poll(() => last(operations, 'SetUserEnabled')).toMatchObject({ uid: 'u2', enabled: true })
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

  test('shows what waits for a second administrator, who agrees after a question or takes it back', async () => {
    const answer = { __typename: 'User', uid: 'u2', pendingChange: null }
    const { operations } = await edit(person({ pendingChange: pendingChange(), hasSecondFactor: true }), 'iam:admin', {
      ConfirmAccountChange: { confirmAccountChange: { ...answer, email: 'hana@example.jp', hasSecondFactor: true } },
    })
    const card = page.getByRole('region', { name: '確認を待っている変更' })
    await expect.element(card).toMatchTextContent(/メールアドレスを hana@example\.jp に変更/)
    await expect.element(card).toMatchTextContent(/jiro@example\.jp/)
    await expectAccessible()
    for (const name of ['メールアドレスを変更', '2段階認証を解除'])
      await expect
        .element(page.getByRole('button', { name, exact: true }))
        .toHaveAccessibleDescription(/確認を待っている変更があります/)
    await card.getByRole('button', { name: '変更を承認' }).click()
    const question = page.getByRole('alertdialog', { name: 'hanako@example.jpの変更を承認しますか？' })
    await expect.element(question).toMatchTextContent(/本人からの依頼であることを確かめてください/)
    await question.getByRole('button', { name: '承認する' }).click()
    await expect.poll(() => last(operations, 'ConfirmAccountChange')).toMatchObject({ uid: 'u2', id: '9' })
    await expect.element(card).not.toBeInTheDocument()
  })

  test('does not let the requester agree, nor the person whom it is about; both read why', async () => {
    await edit(person({ pendingChange: pendingChange({ isOwnRequest: true }) }), 'iam:admin', {
      WithdrawAccountChange: { withdrawAccountChange: { __typename: 'User', uid: 'u2', pendingChange: null } },
    })
    const agree = page.getByRole('button', { name: '変更を承認' })
    await expect.element(agree).toHaveAccessibleDescription(/自分が依頼した変更は承認できません/)
    await page.getByRole('button', { name: '依頼を取り消す' }).click()
    await expect.element(page.getByText('hanako@example.jpの変更の依頼を取り消しました。')).toBeVisible()
  })

  test('shows a publisher no operator by name, and the person where to agree', async () => {
    const me = { uid: 'me', email: 'me@example.jp', roles: ['insight:publisher_admin'] as const }
    await edit(person({ ...me, pendingChange: pendingChange({ requestedByEmail: null }) }), 'insight:publisher_admin')
    await expect.element(page.getByText('運営の担当者')).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: '変更を承認' }))
      .toHaveAccessibleDescription(/アカウントメニューの「セキュリティ」で承認してください/)
  })

  test('locks roles that move money for oneself, and says who may give them', async () => {
    await edit(person({ uid: 'me', email: 'me@example.jp', roles: ['iam:admin'], organization: null }), 'iam:admin')
    await expect.element(page.getByRole('checkbox', { name: /お金にかかわるロールは/ }).first()).toBeDisabled()
    // Nor what one does not hold; what one can do anyway may be had.
    await expect.element(page.getByRole('checkbox', { name: /クーポン/ }).first()).toBeDisabled()
    await expect.element(page.getByRole('checkbox', { name: /ユーザー閲覧/ }).first()).toBeEnabled()
  })

  test('asks to take the second factor of somebody who lost it, after the question and the password', async () => {
    const sent: string[] = []
    answerSignIn({
      security: () => ({ email: 'me@example.jp', hasTotp: true, needsCode: true }),
      'step-up': body => {
        sent.push(body)
        return body.includes('wrong') ? { refusals: [{ code: 'sign-in/current-password-wrong', data: {} }] } : {}
      },
    })
    let isSteppedUp = false
    const answerReset = () =>
      isSteppedUp
        ? {
            resetSecondFactor: {
              __typename: 'User',
              uid: 'u2',
              hasSecondFactor: true,
              pendingChange: { ...pendingChange({ isOwnRequest: true }), kind: 'SECOND_FACTOR', newEmail: null },
            },
          }
        : [new GraphQLError('x', { extensions: { code: 'FORBIDDEN', needsStepUp: true } })]
    const { operations } = await edit(person({ hasSecondFactor: true }), 'iam:admin', {
      ResetSecondFactor: answerReset,
    })
    await page.getByRole('button', { name: '2段階認証を解除', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'hanako@example.jpの2段階認証の解除を依頼しますか？' })
    await expect.element(question).toMatchTextContent(/本人からの依頼であることを確かめてください/)
    await question.getByRole('button', { name: '解除を依頼する' }).click()
    const dialog = page.getByRole('dialog', { name: '本人確認' })
    await expect.element(dialog.getByLabelText('パスワード')).toHaveFocus()
    await expect.element(dialog.getByLabelText('認証アプリのコード')).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('wrong{Enter}')
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('コードを入力してください。')
    await dialog.getByLabelText('認証アプリのコード').fill('123456')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('パスワードが違います。もう一度入力してください。')
    await dialog.getByLabelText('パスワード').fill('my own words')
    isSteppedUp = true
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(/承認を待っています/)).toBeVisible()
    expect(sent.map(body => JSON.parse(body))).toEqual([
      { currentPassword: 'wrong', code: '123456' },
      { currentPassword: 'my own words', code: '123456' },
    ])
    expect(operations.filter(({ name }) => name === 'ResetSecondFactor')).toHaveLength(2)
    // The answer is in the cache: what was asked for is shown, and cannot be asked for twice.
    await expect.element(page.getByRole('region', { name: '確認を待っている変更' })).toMatchTextContent(/解除/)
    await expect.element(page.getByRole('button', { name: '2段階認証を解除', exact: true })).toBeDisabled()
  })

  test('of an account with a passkey the passkey is required, and the password only together with a code', async () => {
    const session = cdp() as unknown as { send(method: string, more?: object): Promise<{ authenticatorId: string }> }
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })
    const bytes = (text: string) => new TextEncoder().encode(text)
    const made = await navigator.credentials.create({
      publicKey: {
        challenge: bytes('made'),
        rp: { name: 'x' },
        user: { id: bytes('u'), name: 'me', displayName: 'me' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
      },
    })
    const sent: { passkey?: { id: string; response: { clientDataJSON: string } } }[] = []
    let isSteppedUp = false
    answerSignIn({
      security: () => ({ email: 'me@example.jp', hasTotp: false, canProveByPasskey: true, needsCode: true }),
      'step-up/passkey-options': () => ({
        options: { challenge: 'YXNrZWQ', rpId: location.hostname, userVerification: 'required' },
      }),
      'step-up': body => {
        sent.push(JSON.parse(body))
        isSteppedUp = true
        return {}
      },
    })
    const answerDelete = () =>
      isSteppedUp
        ? { deleteUser: { __typename: 'User', uid: 'u2' } }
        : [new GraphQLError('x', { extensions: { code: 'FORBIDDEN', needsStepUp: true } })]
    const { operations } = await edit(person(), 'iam:admin', { DeleteUser: answerDelete })
    const remove = async () => {
      await page.getByRole('button', { name: 'ユーザーを削除', exact: true }).click()
      await page.getByRole('button', { name: 'ユーザーを削除する' }).click()
    }
    await remove()
    const dialog = page.getByRole('dialog', { name: '本人確認' })
    await expect.element(dialog.getByRole('button', { name: 'パスキーで確認して続ける' })).toHaveFocus()
    expect(dialog.getByLabelText('パスワード').elements()).toHaveLength(0)
    await expectAccessible()
    await dialog.getByRole('button', { name: 'パスワードとコードで確認する' }).click()
    await expect.element(dialog.getByLabelText('リカバリーコード')).toBeVisible()
    await dialog.getByRole('button', { name: 'キャンセル' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    // Nothing was lost by giving up: it is asked again.
    await remove()
    await dialog.getByRole('button', { name: 'パスキーで確認して続ける' }).click()
    await expect.poll(() => operations.filter(({ name }) => name === 'DeleteUser')).toHaveLength(3)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.passkey?.id).toBe(made?.id)
    expect(atob(sent[0]?.passkey?.response.clientDataJSON ?? '')).toContain('"challenge":"YXNrZWQ"')
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  })

  test('anyone who does not give the password changes nothing, and reads why', async () => {
    answerSignIn({ security: () => ({ email: 'me@example.jp', hasTotp: false }) })
    const { operations } = await edit(person(), 'iam:admin', {
      DeleteUser: [
        new GraphQLError('安全のため、もう一度本人確認を行ってください。', {
          extensions: { code: 'FORBIDDEN', needsStepUp: true },
        }),
      ],
    })
    await page.getByRole('button', { name: 'ユーザーを削除' }).click()
    await page.getByRole('button', { name: 'ユーザーを削除する' }).click()
    const dialog = page.getByRole('dialog', { name: '本人確認' })
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(page.getByText(/本人確認を行ってください/)).toBeVisible()
    expect(operations.filter(({ name }) => name === 'DeleteUser')).toHaveLength(1)
    expect(location.hash).toBe('#/users/edit/u2')
  })

  test('offers no reset of the own second factor', async () => {
    await edit(person({ uid: 'me', email: 'me@example.jp', roles: ['iam:admin'], hasSecondFactor: true }), 'iam:admin')
    const button = page.getByRole('button', { name: '2段階認証を解除', exact: true })
    await expect.element(button).toBeDisabled()
    await expect.element(button).toHaveAccessibleDescription(/ご自身の2段階認証は/)
  })

  test('starts an impersonation with a reason', async () => {
    const { operations } = await edit(person(), 'admin', { StartImpersonation: 'never' })
    await page.getByRole('button', { name: '表示を始める' }).click()
    const window = page.getByRole('dialog', { name: 'hanako@example.jpとして表示' })
    await window.getByLabelText('表示する理由').fill('お問い合わせ1234の確認')
    await expectAccessible()
    await window.getByRole('button', { name: '30分間表示する' }).click()
    await expect
      .poll(() => last(operations, 'StartImpersonation'))
      .toMatchObject({ uid: 'u2', reason: 'お問い合わせ1234の確認' })
  })

  test('offers no impersonation of staff', async () => {
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
      screens: SCREENS,
      path: '/users/edit/u2',
      role: 'iam:admin',
      answers: { UserEdit: { user: null } },
    })
    await expect.element(page.getByRole('heading', { name: 'ユーザーが見つかりません' })).toBeVisible()
  })
})
