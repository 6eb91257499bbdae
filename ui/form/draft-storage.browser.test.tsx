import '../theme/styles.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Confirmations } from '../feedback/confirm.tsx'
import { dismissAllToasts, Toasts } from '../feedback/toasts.tsx'
import { goTo } from '../routing/hash-location.ts'
import { makeViewer } from '../session/make-viewer.ts'
import { SESSION_ENDED } from '../session/session-ended.ts'
import { ViewerProvider } from '../session/viewer.tsx'
import { EntityForm } from './entity-form.tsx'
import { FormSection } from './form-section.tsx'
import { TextField } from './text-field.tsx'

const NAME = page.getByRole('textbox', { name: '契約名' })
const RESTORED = 'サインインの期限が切れる前に入力していた内容を戻しました。まだ保存されていません。'

afterEach(() => {
  dismissAllToasts()
  sessionStorage.clear()
  vi.useRealTimers()
  goTo('#/', { isFinal: true })
})

async function open(personId = 'u1', { place = '#/agreements/edit/7', revision = 3 } = {}) {
  goTo(place, { isFinal: true })
  const send = vi.fn(async () => ({}))
  const viewer = makeViewer(
    { id: personId, email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    { photoUrl: undefined, roles: [], organizationId: undefined, policies: [], agreementIds: [], isStateReady: true },
  )
  const screen = await render(
    <ViewerProvider viewer={viewer}>
      <EntityForm
        title="契約"
        initial={{ name: '配信契約', code: 'A-1' }}
        revision={revision}
        send={send}
        saved={() => ({ message: '保存しました。', address: '#/' })}
        cancelAddress="#/"
      >
        {control => (
          <FormSection title="基本">
            <TextField control={control} name="name" label="契約名" />
            <TextField control={control} name="code" label="契約コード" />
          </FormSection>
        )}
      </EntityForm>
      <Toasts />
      <Confirmations />
    </ViewerProvider>,
  )
  return { send, screen }
}

/** Whether the browser would ask before leaving the page. */
function isHeld(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

async function enterAndLose(): Promise<void> {
  const { screen } = await open()
  await NAME.fill('入力の途中')
  await expect.poll(() => isHeld()).toBe(true)
  dispatchEvent(new Event(SESSION_ENDED))
  expect(isHeld()).toBe(false)
  await screen.unmount()
}

test('what was entered when the session ended is there after signing in, and is saved against what was edited', async () => {
  await enterAndLose()
  const { send, screen } = await open('u1', { revision: 5 })
  await expect.element(page.getByText(RESTORED)).toBeVisible()
  await expect.element(NAME).toHaveValue('入力の途中')
  await expect.element(page.getByRole('textbox', { name: '契約コード' })).toHaveValue('A-1')
  expect(isHeld()).toBe(true)
  await page.getByRole('button', { name: '保存する' }).click()
  // Somebody has changed the record meanwhile, so the revision with which this draft began is sent.
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ name: '入力の途中', code: 'A-1' }, 3))
  await screen.unmount()
  await open()
  await expect.element(NAME).toHaveValue('配信契約')
})

test('another form does not get it, and it waits for its own', async () => {
  await enterAndLose()
  const other = await open('u1', { place: '#/agreements/edit/8' })
  await expect.element(NAME).toHaveValue('配信契約')
  await other.screen.unmount()
  await open()
  await expect.element(NAME).toHaveValue('入力の途中')
})

test('somebody else does not get it, and then nobody does', async () => {
  await enterAndLose()
  const other = await open('u2')
  await expect.element(NAME).toHaveValue('配信契約')
  await other.screen.unmount()
  await open('u1')
  await expect.element(NAME).toHaveValue('配信契約')
})

test('after half an hour it is gone', async () => {
  await enterAndLose()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 60_000)
  await open()
  await expect.element(NAME).toHaveValue('配信契約')
  vi.restoreAllMocks()
  expect(sessionStorage.length).toBe(0)
})

test('nothing is kept where nothing was entered', async () => {
  await open()
  await expect.element(NAME).toHaveValue('配信契約')
  dispatchEvent(new Event(SESSION_ENDED))
  expect(sessionStorage.length).toBe(0)
})
