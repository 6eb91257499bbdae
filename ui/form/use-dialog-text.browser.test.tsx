import '../theme/styles.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Confirmations } from '../feedback/confirm.tsx'
import { ReasonDialog } from '../feedback/reason-dialog.tsx'
import { dismissAllToasts, Toasts } from '../feedback/toasts.tsx'
import { goTo } from '../routing/hash-location.ts'
import { makeViewer } from '../session/make-viewer.ts'
import { SESSION_ENDED } from '../session/session-ended.ts'
import { ViewerProvider } from '../session/viewer.tsx'

const REASON = page.getByRole('textbox', { name: '却下の理由' })
const QUESTION = page.getByRole('alertdialog', { name: '入力した内容を破棄しますか？' })

afterEach(() => {
  dismissAllToasts()
  sessionStorage.clear()
  goTo('#/', { isFinal: true })
})

async function open({ personId = 'u1', about = '7', place = '#/accounts' } = {}) {
  goTo(place, { isFinal: true })
  const onClose = vi.fn()
  const onSubmit = vi.fn(async () => {})
  const viewer = makeViewer(
    { id: personId, email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    { photoUrl: undefined, roles: [], organizationId: undefined, policies: [], agreementIds: [], isStateReady: true },
  )
  const screen = await render(
    <ViewerProvider viewer={viewer}>
      <ReasonDialog
        title="口座の申請を却下します"
        about={about}
        note="理由は通知されます。"
        label="却下の理由"
        action="申請を却下する"
        maxLength={500}
        onClose={onClose}
        onSubmit={onSubmit}
      />
      <Toasts />
      <Confirmations />
    </ViewerProvider>,
  )
  return { onClose, onSubmit, screen }
}

const WAYS: readonly [string, () => Promise<void>][] = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the cross', () => page.getByRole('button', { name: '閉じる' }).click()],
  ['the button', () => page.getByRole('button', { name: 'キャンセル' }).click()],
]
for (const [name, leave] of WAYS)
  test(`${name} asks before typed text is lost`, async () => {
    const { onClose } = await open()
    await REASON.fill('名義が違います')
    await leave()
    await QUESTION.getByRole('button', { name: '入力に戻る' }).click()
    await expect.element(REASON).toHaveValue('名義が違います')
    expect(onClose).not.toHaveBeenCalled()
    await leave()
    await QUESTION.getByRole('button', { name: '入力を破棄する' }).click()
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    // Whatever follows does not ask again.
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
  })

test('nothing typed: it closes at once', async () => {
  const { onClose } = await open()
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('leaving the screen asks, and so does closing the window', async () => {
  await open()
  await REASON.fill('名義が違います')
  await expect.poll(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  goTo('#/elsewhere')
  await QUESTION.getByRole('button', { name: '入力に戻る' }).click()
  expect(location.hash).toBe('#/accounts')
  goTo('#/elsewhere')
  await QUESTION.getByRole('button', { name: '入力を破棄する' }).click()
  await expect.poll(() => location.hash).toBe('#/elsewhere')
})

test('what was typed when the session ended waits for the dialog of its record', async () => {
  const { screen } = await open()
  await REASON.fill('名義が違います')
  await expect.poll(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  dispatchEvent(new Event(SESSION_ENDED))
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
  await screen.unmount()
  const other = await open({ about: '8' })
  await expect.element(REASON).toHaveValue('')
  await other.screen.unmount()
  const again = await open()
  await expect.element(REASON).toHaveValue('名義が違います')
  await expect.element(page.getByText(/まだ保存されていません/)).toBeVisible()
  await again.screen.unmount()
  await open()
  await expect.element(REASON).toHaveValue('')
})

test('somebody else does not get it', async () => {
  const { screen } = await open()
  await REASON.fill('名義が違います')
  await expect.poll(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  dispatchEvent(new Event(SESSION_ENDED))
  await screen.unmount()
  await open({ personId: 'u2' })
  await expect.element(REASON).toHaveValue('')
  expect(sessionStorage.length).toBe(0)
})
