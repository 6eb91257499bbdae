import '../theme/styles.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { goTo } from '../routing/hash-location.ts'
import { EntityForm } from './entity-form.tsx'
import { type AskForUpload, ImageField } from './image-field.tsx'

type Address = Awaited<ReturnType<AskForUpload>>

async function open(answer: () => Promise<Address> = () => Promise.reject(new Error('no place for pictures'))) {
  goTo('#/form', { isFinal: true })
  const askForUpload = vi.fn((_mimeType: string) => answer())
  await render(
    <EntityForm<{ logoUrl: string | null }, unknown>
      title="フィード"
      initial={{ logoUrl: null }}
      check={() => []}
      send={async () => ({})}
      saved={() => ({ message: '保存しました。', address: '#/list' })}
      cancelAddress="#/list"
      submitLabel="保存する"
    >
      {control => <ImageField control={control} name="logoUrl" label="ロゴ" askForUpload={askForUpload} />}
    </EntityForm>,
  )
  const choose = (type: string, bytes = 8) =>
    userEvent.upload(page.getByLabelText('ロゴ'), new File([new Uint8Array(bytes)], 'picture', { type }))
  return { askForUpload, choose }
}

test('only pictures that the server takes are sent; what is wrong with another one stands at the field', async () => {
  const { askForUpload, choose } = await open()
  for (const type of ['image/gif', 'image/svg+xml', 'text/html']) {
    await choose(type)
    await expect.element(page.getByText('PNG・JPEG・WebPの画像を選んでください。')).toBeVisible()
  }
  await choose('image/png', 5 * 1024 * 1024 + 1)
  await expect.element(page.getByText('5MB以下の画像を選んでください。')).toBeVisible()
  expect(askForUpload).not.toHaveBeenCalled()
})

test('a picture that cannot be kept is said so, and can be tried again', async () => {
  const { askForUpload, choose } = await open()
  for (const type of ['image/png', 'image/jpeg', 'image/webp']) await choose(type)
  await expect.element(page.getByText(/画像を保存できませんでした/)).toBeVisible()
  expect(askForUpload.mock.calls.map(([type]) => type)).toEqual(['image/png', 'image/jpeg', 'image/webp'])
  await expect.element(page.getByRole('button', { name: '画像を選択' })).toBeEnabled()
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('why the server does not take a picture stands at the field', async () => {
  const reason = '画像を読み取れません。別の画像を選んでください。'
  const sent = vi.spyOn(window, 'fetch').mockResolvedValue(Response.json({ message: reason }, { status: 422 }))
  const { choose } = await open(async () => ({
    uploadUrl: '/objects/uploads/x.png',
    imageUrl: '/objects/images/x.png',
  }))
  await choose('image/png')
  await expect.element(page.getByText(reason)).toBeVisible()
  expect(sent).toHaveBeenCalledOnce()
})
