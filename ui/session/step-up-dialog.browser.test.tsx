import '../theme/styles.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { stepUpHref } from './step-up.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

const WAYS = { email: 'me@example.jp', hasTotp: false, canProveByPasskey: false, needsCode: false }
const refusing = (code: string) => new Response(JSON.stringify({ refusals: [{ code, data: {} }] }), { status: 400 })
const dialog = page.getByRole('dialog', { name: '本人確認' })
afterEach(() => void vi.unstubAllGlobals())

/** @param answers responses of each endpoint, in order */
async function open(answers: Readonly<Record<string, (() => Response | Promise<never>)[]>>) {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const name = url.replace('/sso/api/', '')
    if (init?.body !== undefined) sent.push(JSON.parse(String(init.body)))
    const answer = answers[name]?.shift()
    if (!answer) throw new Error(`nothing answers ${name}`)
    return answer()
  })
  const onAnswer = vi.fn()
  await render(<StepUpDialog onAnswer={onAnswer} />)
  return { sent, onAnswer }
}

test('ways that cannot be read are read again, and no password is needed meanwhile', async () => {
  const { onAnswer } = await open({
    security: [
      () => Promise.reject(new TypeError('offline')),
      () => refusing('sign-in/not-signed-in'),
      () => Response.json({ ...WAYS, canProveByPasskey: true, needsCode: true }),
    ],
  })
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/通信状態を確認して、もう一度お試しください/)
  expect(dialog.getByLabelText('パスワード').elements()).toHaveLength(0)
  await expectAccessible()
  const again = dialog.getByRole('button', { name: 'もう一度読み込む' })
  await expect.element(again).toHaveFocus()
  await again.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/サインインが終了しています/)
  await again.click()
  await expect.element(dialog.getByRole('button', { name: 'パスキーで確認して続ける' })).toHaveFocus()
  expect(onAnswer).not.toHaveBeenCalled()
})

test('people of an external issuer are led to it, and back to where they were', async () => {
  const { onAnswer } = await open({ security: [() => refusing('sign-in/not-here')] })
  await expect.element(dialog.getByRole('button', { name: '会社のアカウントで確認する' })).toHaveFocus()
  expect(dialog.getByLabelText('パスワード').elements()).toHaveLength(0)
  await expectAccessible()
  expect(stepUpHref({ pathname: '/gpc/', search: '', hash: '#/month-close' })).toBe(
    '/sso#/step-up/%2Fgpc%2F%23%2Fmonth-close',
  )
  await dialog.getByRole('button', { name: 'キャンセル' }).click()
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false)
})

test('giving up while the ways cannot be read is no step-up', async () => {
  const { onAnswer } = await open({ security: [() => Promise.reject(new TypeError('offline'))] })
  await dialog.getByRole('button', { name: 'キャンセル' }).click()
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false)
})

test('a code that has just become necessary is required, and the password stays', async () => {
  const { sent, onAnswer } = await open({
    security: [() => Response.json(WAYS), () => Response.json({ ...WAYS, hasTotp: true, needsCode: true })],
    'step-up': [() => refusing('sign-in/code-required'), () => Response.json({})],
  })
  await dialog.getByLabelText('パスワード').fill('my own words')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('コードを入力してください。')
  await dialog.getByLabelText('認証アプリのコード').fill('123456')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => onAnswer.mock.calls).toEqual([[true]])
  expect(sent).toEqual([
    { currentPassword: 'my own words', code: '' },
    { currentPassword: 'my own words', code: '123456' },
  ])
})

test('also where the ways cannot be read again', async () => {
  await open({
    security: [() => Response.json(WAYS), () => Promise.reject(new TypeError('offline'))],
    'step-up': [() => refusing('sign-in/code-required')],
  })
  await dialog.getByLabelText('パスワード').fill('my own words')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByLabelText('認証アプリのコードまたはリカバリーコード')).toBeVisible()
})
