import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { type SentOperation, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { importsRoute } from './imports-route.ts'

const KIND = { __typename: 'ImportKind', confirmedByOther: false, invites: false, columns: [] }
const COLUMN = {
  __typename: 'ImportColumn',
  header: '組織名',
  isRequired: true,
  definition: '組織の名前です。',
  example: '',
}
const PUBLISHERS = {
  ...KIND,
  name: 'publishers',
  title: 'パブリッシャー',
  description: '1行が1つのパブリッシャーです。',
}
const KINDS = [
  { ...KIND, name: 'organizations', title: '組織', description: '1行が1つの組織です。', columns: [COLUMN] },
  PUBLISHERS,
]
const PREVIEW = {
  __typename: 'Import',
  id: '7',
  kind: PUBLISHERS,
  fileName: 'p.xlsx',
  previewSha256: 'ab',
  newCount: 1,
  changedCount: 1,
  unchangedCount: 3,
  refusedCount: 1,
  uploadedByUid: 'me',
  uploadedByEmail: 'me@example.jp',
  uploadedAt: '2026-11-24T00:00:00.000Z',
  confirmedByEmail: null,
  confirmedAt: null,
}
/** Of somebody else, and of a kind that another person confirms. */
const ACCOUNTS = {
  ...PREVIEW,
  id: '8',
  fileName: 'k.xlsx',
  uploadedByUid: 'you',
  kind: { ...KIND, name: 'bank-accounts', title: '口座', description: '', confirmedByOther: true },
}
const row = (rowNumber: number, state: string, changes: object[], refusals: object[]) => ({
  __typename: 'ImportRow',
  rowNumber,
  state,
  changes,
  refusals,
  cells: [{ __typename: 'ImportCell', header: 'パブリッシャー名', text: `名前${rowNumber}` }],
})
const ROWS = {
  __typename: 'ImportRowList',
  total: 3,
  nodes: [
    row(2, 'new', [], []),
    row(3, 'changed', [{ __typename: 'ImportRowChange', header: 'よみがな', before: 'まえ', after: 'あと' }], []),
    row(4, 'refused', [], [{ __typename: 'ImportRowRefusal', header: '組織名', text: '組織「無い」がありません。' }]),
  ],
}
const answer = (variables: Readonly<Record<string, unknown>>) => ({
  importKinds: KINDS,
  imports: { __typename: 'ImportList', total: 1, nodes: [PREVIEW] },
  waiting: { __typename: 'ImportList', total: 2, nodes: [PREVIEW, ACCOUNTS] },
  ...(variables.hasPreview ? { importPreview: PREVIEW, importRows: ROWS } : {}),
})
const last = (operations: readonly SentOperation[]) => operations.findLast(({ name }) => name === 'Imports')?.variables

interface Sent {
  readonly path: string
  readonly body: Blob
}
let sent: Sent[] = []

/** The server's answers to what is sent; everything else of the page stays as it is. */
function show(path: string, answered: () => { readonly status?: number; readonly body: object }) {
  sent = []
  const realFetch = window.fetch
  vi.stubGlobal('fetch', async (address: string, init: { body: Blob }) => {
    if (!String(address).startsWith('/imports?')) return realFetch(address, init)
    sent.push({ path: String(address), body: init.body })
    const { status = 200, body } = answered()
    return new Response(`${JSON.stringify(body)}\n`, { status })
  })
  return showScreen({
    screens: [importsRoute],
    path,
    role: 'admin',
    answers: { Imports: answer, DiscardImport: { discardImport: true } },
    sendsFiles: true,
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

test('a file is chosen, or says what is wrong with it, and leads to its preview', async () => {
  let problem = true
  const { operations } = await show('/managements/imports/kind=publishers', () => ({
    body: problem ? { messages: ['結合されたセル（A1:B1）があります。'] } : { importId: '7' },
  }))
  await expect.element(page.getByText('1行が1つのパブリッシャーです。')).toBeVisible()
  const waiting = page.getByRole('table', { name: '確定していない取り込み' })
  await expect.element(page.getByText('確定していない取り込みが2件あります')).toBeVisible()
  await expect.element(waiting.getByRole('row', { name: /k\.xlsx/ })).toMatchTextContent(/内容を確認して確定/)
  await expectAccessible()
  const input = page.getByLabelText('パブリッシャーのファイル')
  await userEvent.upload(input, new File(['x'], 'p.xlsx'))
  await expect.element(page.getByRole('alert')).toMatchTextContent(/結合されたセル/)
  problem = false
  await userEvent.upload(input, new File(['x'], 'p.xlsx'))
  await expect.poll(() => last(operations)).toMatchObject({ id: '7', hasPreview: true })
  expect(sent.map(({ path }) => path)).toEqual(Array(2).fill('/imports?kind=publishers&name=p.xlsx'))
  expect(location.hash).toContain('id=7')
})

test('a waiting import is discarded after a question', async () => {
  const { operations } = await show('/managements/imports/kind=publishers&id=7', () => ({ body: {} }))
  await page.getByRole('button', { name: '「k.xlsx」の取り込みを破棄する' }).click()
  await page.getByRole('button', { name: 'キャンセル' }).click()
  expect(operations.some(({ name }) => name === 'DiscardImport')).toBe(false)
  await page.getByRole('button', { name: '「k.xlsx」の取り込みを破棄する' }).click()
  await page.getByRole('button', { name: '破棄する', exact: true }).click()
  await expect.poll(() => operations.find(({ name }) => name === 'DiscardImport')?.variables).toMatchObject({ id: '8' })
})

test('the preview says what each row would do; refused rows are left out only when that was said; then it is confirmed', async () => {
  let isRefused = true
  const { operations } = await show('/managements/imports/kind=publishers&id=7', () =>
    isRefused
      ? { status: 403, body: { message: 'パブリッシャーを変更する権限がありません。' } }
      : { body: { importId: '7', isNewPreview: false } },
  )
  const table = page.getByRole('table', { name: '取り込む行' })
  await expect.element(table.getByRole('row', { name: /変更/ })).toMatchTextContent(/よみがな：まえ → あと/)
  await expect.element(table.getByRole('row', { name: /取り込めない/ })).toMatchTextContent(/組織名：組織「無い」/)
  await expectAccessible()
  await page.getByRole('combobox', { name: '表示する行' }).selectOptions('refused')
  await expect.poll(() => last(operations)).toMatchObject({ state: 'refused' })
  const button = page.getByRole('button', { name: '2行を取り込む' })
  await expect.element(button).toBeDisabled()
  await page.getByRole('checkbox', { name: /除いて取り込む/ }).click()
  await button.click()
  await page.getByRole('button', { name: '取り込む', exact: true }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/権限がありません/)
  isRefused = false
  await button.click()
  await page.getByRole('button', { name: '取り込む', exact: true }).click()
  await expect.element(page.getByText('2行を取り込みました。')).toBeVisible()
  const confirmed = JSON.parse(await sent.at(-1)!.body.text()) as object
  expect(confirmed).toEqual({ importId: '7', previewSha256: 'ab', withoutRefused: true, sendsInvitations: false })
})

test('a confirmation that is stopped says where to look what became of it', async () => {
  const { operations } = await show('/managements/imports/kind=publishers&id=7', () => ({ body: {} }))
  vi.stubGlobal('fetch', (_address: string, init: { signal: AbortSignal }) => {
    return new Promise((_resolve, reject) => {
      init.signal.addEventListener('abort', () => reject(init.signal.reason), { once: true })
    })
  })
  await page.getByRole('checkbox', { name: /除いて取り込む/ }).click()
  await page.getByRole('button', { name: '2行を取り込む' }).click()
  await page.getByRole('button', { name: '取り込む', exact: true }).click()
  const before = operations.filter(({ name }) => name === 'Imports').length
  await page.getByRole('button', { name: '中止する' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/登録されたかどうかは/)
  await expect.poll(() => operations.filter(({ name }) => name === 'Imports').length).toBe(before + 1)
})
