import '../theme/styles.ts'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { yearMonth } from '@pc/domain/month/year-month.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { Confirmations } from '../feedback/confirm.tsx'
import { dismissAllToasts, Toasts } from '../feedback/toasts.tsx'
import { goTo } from '../routing/hash-location.ts'
import { RadioField, SelectField, SwitchField } from './choice-field.tsx'
import { MonthField } from './date-field.tsx'
import { DateTimeField } from './date-time-field.tsx'
import { EntityForm } from './entity-form.tsx'
import type { Latest } from './form-frame.ts'
import { FormSection } from './form-section.tsx'
import { IntegerField, RateField, YenField } from './number-field.tsx'
import type { SentRefusal } from './refused-fields.ts'
import { type Choice, SuggestField } from './suggest-field.tsx'
import { TextAreaField, TextField } from './text-field.tsx'

interface Values {
  name: string
  notes: string
  amount: number | null
  days: number | null
  rate: number | null
  timing: string
  medium: string | null
  isStopped: boolean
  month: string | null
  startAt: string | null
  bank: Choice | null
}
const EMPTY: Values = {
  name: '',
  notes: '',
  amount: null,
  days: null,
  rate: null,
  timing: 'next',
  medium: null,
  isStopped: false,
  month: null,
  startAt: null,
  bank: null,
}
const BANKS: Choice[] = [
  { id: '1', name: 'みずほ銀行', note: '0001' },
  { id: '5', name: '三菱UFJ銀行', note: '0005' },
]

interface Given {
  initial?: Partial<Values>
  revision?: number
  send?: (values: Values, expectedRevision: number | undefined) => Promise<unknown>
  loadLatest?: () => Promise<Latest<Values>>
  search?: (text: string) => Promise<readonly Choice[]>
  readOnlyReason?: string
}

async function open(given: Given = {}) {
  goTo('#/list', { isFinal: true })
  goTo('#/form', { isFinal: true })
  const send = vi.fn(given.send ?? (async () => ({})))
  const search = vi.fn(given.search ?? (async (text: string) => BANKS.filter(bank => bank.name.includes(text))))
  await render(
    <>
      <EntityForm<Values, unknown>
        title="契約の編集"
        initial={{ ...EMPTY, ...given.initial }}
        revision={given.revision}
        check={values => (values.name === '' ? [{ name: 'name', message: '契約名を入力してください。' }] : [])}
        send={send}
        saved={() => ({ message: '契約を保存しました。', address: '#/list' })}
        {...(given.loadLatest ? { loadLatest: given.loadLatest } : {})}
        cancelAddress="#/list"
        readOnlyReason={given.readOnlyReason}
      >
        {control => (
          <FormSection title="基本" note="名前と金額">
            <TextField control={control} name="name" label="契約名" isRequired />
            <YenField control={control} name="amount" label="固定額" />
            <IntegerField control={control} name="days" label="日数" unit="日" />
            <RateField control={control} name="rate" label="料率" hint="0から100まで" />
            <RadioField
              control={control}
              name="timing"
              label="支払期日"
              options={[
                { value: 'next', label: '翌月末' },
                { value: 'later', label: '翌々月末' },
              ]}
            />
            <SelectField
              control={control}
              name="medium"
              label="媒体"
              options={[{ value: '1', label: 'ニュースアプリ' }]}
            />
            <SwitchField control={control} name="isStopped" label="支払停止" on="停止する" off="支払う" />
            <MonthField control={control} name="month" label="適用開始月" latest={yearMonth(2026, 12)} />
            <DateTimeField control={control} name="startAt" label="公開日時" />
            <SuggestField control={control} name="bank" label="銀行" search={search} />
            <TextAreaField control={control} name="notes" label="備考" />
          </FormSection>
        )}
      </EntityForm>
      <Toasts />
      <Confirmations />
    </>,
  )
  return { send, search }
}

function refusedWith(...refusals: Partial<SentRefusal>[]): CombinedGraphQLErrors {
  const complete = refusals.map(one => ({ code: 'x/y', path: [], data: {}, message: '', ...one }))
  return new CombinedGraphQLErrors({
    data: null,
    errors: [{ message: 'no', extensions: { code: 'BAD_REQUEST', refusals: complete } }],
  })
}

const nameField = page.getByRole('textbox', { name: '契約名' })
const amount = page.getByRole('textbox', { name: '固定額' })
const saveButton = page.getByRole('button', { name: '保存する' })
const typedIn = (locator: Locator) => (locator.element() as HTMLInputElement).value

afterEach(() => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

describe('saving', () => {
  test('sends what was entered, says so and leads on', async () => {
    const { send } = await open()
    await nameField.fill('東都新聞 2026')
    await amount.fill('１２０,０００円')
    await page.getByRole('textbox', { name: '料率' }).fill('70.5')
    await page.getByRole('radio', { name: '翌々月末' }).click()
    await page.getByRole('combobox', { name: '媒体' }).selectOptions('1')
    await page.getByRole('switch', { name: '支払停止' }).click()
    await page.getByRole('textbox', { name: '適用開始月' }).fill('2020/12')
    await page.getByRole('textbox', { name: '公開日時', exact: true }).fill('2026/11/20')
    await page.getByRole('textbox', { name: '公開日時の時刻' }).fill('9時30分')
    await page.getByRole('combobox', { name: '銀行' }).click()
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /三菱UFJ銀行/ })
      .click()
    await expectAccessible()
    await saveButton.click()
    await expect.element(page.getByText('契約を保存しました。')).toBeVisible()
    expect(location.hash).toBe('#/list')
    expect(send).toHaveBeenCalledExactlyOnceWith(
      {
        name: '東都新聞 2026',
        notes: '',
        amount: 120000,
        days: null,
        rate: 7050,
        timing: 'later',
        medium: '1',
        isStopped: true,
        month: '2020-12',
        startAt: '2026-11-20T09:30:00+09:00',
        bank: BANKS[1],
      },
      undefined,
    )
  })

  test('shows what is wrong at its field and in a summary that leads there, and sends nothing', async () => {
    const { send } = await open()
    await saveButton.click()
    const summary = page.getByRole('alert')
    await expect.element(summary).toHaveFocus()
    await expect.element(summary).toMatchTextContent(/入力内容を確認してください（1件）/)
    await expect.element(nameField).toHaveAccessibleDescription('契約名を入力してください。')
    expect(send).not.toHaveBeenCalled()
    await expectAccessible()
    await summary.getByRole('link').click()
    await expect.element(nameField).toHaveFocus()
    await nameField.fill('直した')
    await expect.element(summary).not.toBeInTheDocument()
  })

  test('a month that cannot be read is no empty one: nothing is sent, and what was typed stays', async () => {
    const { send } = await open({ initial: { month: '2026-11' } })
    const month = page.getByRole('textbox', { name: '適用開始月' })
    const summary = page.getByRole('alert')
    await month.fill('12月ごろ')
    await saveButton.click()
    await expect
      .element(summary)
      .toMatchTextContent(/契約名を入力してください。.*月は 2026\/11 のように入力してください。/)
    await nameField.fill('名前')
    await saveButton.click()
    await expect.element(summary).toMatchTextContent(/（1件）.*月は 2026\/11 のように入力してください。/)
    expect([typedIn(month), send.mock.calls.length]).toEqual(['12月ごろ', 0])
    await month.fill('2026年12月')
    await saveButton.click()
    await expect.poll(() => send.mock.calls.at(-1)?.[0].month).toBe('2026-12')
  })

  test('a refusal appears at the field that it names; what belongs to no field is in the summary', async () => {
    const error = refusedWith(
      { path: ['input', 'amount'], message: '金額が大きすぎます。' },
      { path: ['agreementBankAccounts', 0, 'x'], message: '口座が見つかりません。' },
    )
    await open({ send: () => Promise.reject(error) })
    await nameField.fill('名前')
    await saveButton.click()
    await expect.element(amount).toHaveAccessibleDescription('金額が大きすぎます。')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/口座が見つかりません。/)
    expect(location.hash).toBe('#/form')
  })

  test('the summary has the order of the screen, whatever that of the rules or of the server; first what is no field', async () => {
    const error = refusedWith(
      { path: ['input', 'notes'], message: '備考が長すぎます。' },
      { path: ['input', 'rate'], message: '料率が範囲外です。' },
      { path: [], message: '締めています。' },
      { path: ['input', 'timing'], message: '支払期日を選んでください。' },
      { path: ['input', 'name'], message: '使われています。' },
      { path: ['input', 'bank'], message: '銀行がありません。' },
    )
    await open({ send: () => Promise.reject(error) })
    await nameField.fill('名前')
    await saveButton.click()
    const items = page.getByRole('alert').getByRole('listitem')
    await expect.element(items.first()).toHaveTextContent('締めています。')
    expect(items.elements().map(item => item.textContent?.split('：')[0])).toEqual([
      ...['締めています。', '契約名', '料率', '支払期日', '銀行', '備考'],
    ])
  })

  test('a failure keeps the input and allows another try', async () => {
    const send = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue({})
    await open({ send })
    await nameField.fill('名前')
    await saveButton.click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/保存できませんでした/)
    expect(typedIn(nameField)).toBe('名前')
    await saveButton.click()
    await expect.poll(() => location.hash).toBe('#/list')
  })

  test('a second press while it is busy does nothing', async () => {
    let finish = () => {}
    const { send } = await open({ send: () => new Promise(resolve => (finish = () => resolve({}))) })
    await nameField.fill('名前')
    await saveButton.click()
    const busy = page.getByRole('button', { name: '保存しています…' })
    await expect.element(busy).toHaveAttribute('aria-disabled', 'true')
    ;(busy.element() as HTMLElement).click()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    finish()
    await expect.poll(() => location.hash).toBe('#/list')
    expect(send).toHaveBeenCalledOnce()
  })

  test('by keyboard: Ctrl+Enter saves, Esc asks before it leaves', async () => {
    const { send } = await open()
    await nameField.fill('名前')
    await userEvent.keyboard('{Escape}')
    const question = page.getByRole('alertdialog', { name: '保存していない変更があります' })
    await expect.element(question).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(question).not.toBeInTheDocument()
    expect(location.hash).toBe('#/form')
    await nameField.click()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => send.mock.calls.length).toBe(1)
  })

  test('leaving without saving is possible, and confirmed once', async () => {
    await open()
    await nameField.fill('名前')
    await page.getByRole('button', { name: 'キャンセル' }).click()
    await page.getByRole('button', { name: '保存せずに移動する' }).click()
    await expect.poll(() => location.hash).toBe('#/list')
  })
})

describe('editing', () => {
  test('shows before and after of what would change', async () => {
    await open({ initial: { name: '前', amount: 1000 }, revision: 3 })
    await expect.element(page.getByText('変更はありません')).toBeVisible()
    await amount.fill('2500')
    await page.getByRole('button', { name: '1件の変更' }).click()
    const row = page.getByRole('table', { name: '保存すると変わる項目' }).getByRole('row').nth(1)
    await expect.element(row).toHaveTextContent('固定額1,000円2,500円')
    await expectAccessible()
  })

  test('somebody else was faster: shows both, and lays mine over the latest', async () => {
    const error = refusedWith({
      code: 'record/edited-by-other',
      path: ['expectedRevision'],
      message: 'hanako@example.jpさんが先にこの内容を変更しました。',
    })
    const send = vi.fn().mockRejectedValueOnce(error).mockResolvedValue({})
    const latest = { values: { ...EMPTY, name: '前', amount: 1000, notes: '相手の備考' }, revision: 4 }
    await open({ initial: { name: '前', amount: 1000 }, revision: 3, send, loadLatest: async () => latest })
    await amount.fill('2500')
    await saveButton.click()
    const dialog = page.getByRole('alertdialog', { name: 'ほかの方が先に変更しました' })
    await expect.element(dialog.getByRole('row', { name: /固定額/ })).toHaveTextContent('固定額1,000円1,000円2,500円')
    await expect.element(dialog.getByRole('row', { name: /備考/ })).toMatchTextContent(/相手の備考/)
    await expectAccessible()
    await dialog.getByRole('button', { name: '最新の内容に自分の変更を重ねる' }).click()
    await expect.element(page.getByRole('textbox', { name: '備考' })).toHaveValue('相手の備考')
    expect(typedIn(amount)).toBe('2,500')
    await saveButton.click()
    await expect.poll(() => send.mock.calls.length).toBe(2)
    expect(send.mock.calls.map(call => call[1])).toEqual([3, 4])
    expect(send.mock.calls[1]![0]).toMatchObject({ amount: 2500, notes: '相手の備考' })
  })

  test('a form that may not be changed says why', async () => {
    await open({ initial: { name: '前' }, readOnlyReason: '閲覧のみの権限です。' })
    await expect.element(nameField).toHaveAttribute('readonly')
    await expect.element(page.getByText('閲覧のみの権限です。').first()).toBeVisible()
    expect(saveButton.elements()).toHaveLength(0)
  })
})

describe('numbers', () => {
  test('block e, minus, plus and period; empty is no number', async () => {
    const { send } = await open({ initial: { name: '名前', days: 5 } })
    const days = page.getByRole('textbox', { name: '日数' })
    await days.click()
    await userEvent.keyboard('{Control>}a{/Control}-1e+2.5')
    await expect.poll(() => typedIn(days)).toBe('125')
    await days.clear()
    await userEvent.keyboard('{Tab}')
    await expect.poll(() => typedIn(days)).toBe('')
    await saveButton.click()
    await expect.poll(() => send.mock.calls.length).toBe(1)
    expect(send.mock.calls[0]![0].days).toBeNull()
  })

  test('separators stand there when the field is left, digits while it is edited', async () => {
    await open({ initial: { amount: 1234567 } })
    expect(typedIn(amount)).toBe('1,234,567')
    await amount.click()
    await expect.poll(() => typedIn(amount)).toBe('1234567')
    await userEvent.keyboard('{Tab}')
    await expect.poll(() => typedIn(amount)).toBe('1,234,567')
  })

  test('what says another number than its digits is not taken, and said', async () => {
    const { send } = await open({ initial: { name: '名前', amount: 1200 } })
    const paste = async (text: string) => {
      await amount.click()
      await amount.fill(text)
    }
    await paste('1.5')
    await expect.element(page.getByText('「1.5」は入力できません。0以上の整数で入力してください。')).toBeVisible()
    await expect.poll(() => typedIn(amount)).toBe('1200')
    await paste('-35,000')
    await expect.poll(() => typedIn(amount)).toBe('1200')
    await paste('3,000.00')
    await expect.poll(() => typedIn(amount)).toBe('3000')
    await saveButton.click()
    await expect.poll(() => send.mock.calls.length).toBe(1)
    expect(send.mock.calls[0]![0].amount).toBe(3000)
  })

  test('leave the input method alone until it has finished', async () => {
    await open()
    const field = amount.element() as HTMLInputElement
    field.focus()
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    setValue.call(field, '１２せん')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await expect.element(amount).toHaveValue('１２せん')
    setValue.call(field, '１２００')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '１２００' }))
    await expect.element(amount).toHaveValue('1200')
  })
})

describe('type-ahead', () => {
  const bank = page.getByRole('combobox', { name: '銀行' })

  test('is searched by the server and chosen by keyboard', async () => {
    const { search } = await open()
    await bank.fill('三菱')
    await expect.element(page.getByRole('listbox').getByRole('option')).toHaveTextContent('三菱UFJ銀行0005')
    await expectAccessible()
    await userEvent.keyboard('{Enter}')
    await expect.element(bank).toHaveValue('三菱UFJ銀行')
    expect(page.getByRole('listbox').elements()).toHaveLength(0)
    expect(search.mock.calls.map(call => call[0])).toContain('三菱')
    await page.getByRole('button', { name: '銀行を消す' }).click()
    await expect.element(bank).toHaveValue('')
  })

  test('Esc closes the list, not the form; leaving it keeps what was chosen', async () => {
    await open({ initial: { bank: BANKS[0]! } })
    await bank.fill('どこにもない')
    await expect.element(page.getByText('該当する候補がありません。')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(bank).toHaveValue('みずほ銀行')
    expect(location.hash).toBe('#/form')
  })

  test('an answer that comes too late is dropped', async () => {
    const waiting: ((choices: Choice[]) => void)[] = []
    await open({ search: () => new Promise(resolve => waiting.push(resolve)) })
    await bank.click()
    await expect.poll(() => waiting.length).toBe(1)
    await bank.fill('みずほ')
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]!([BANKS[0]!])
    await expect.element(page.getByRole('listbox').getByRole('option')).toHaveTextContent('みずほ銀行0001')
    waiting[0]!(BANKS)
    await expect.element(page.getByRole('listbox').getByRole('option')).toHaveTextContent('みずほ銀行0001')
    expect(page.getByRole('listbox').getByRole('option').elements()).toHaveLength(1)
  })
})
