import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, monthOfDay } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import form from '@pc/ui/form/form.module.css'
import { MonthInput } from '@pc/ui/form/month-input.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useId, useState } from 'react'
import { SaveStatementSettingsDocument, type StatementSettingsQuery } from './statements.gen.ts'

type Settings = NonNullable<StatementSettingsQuery['statementSettings']>[number]
/** The furthest month from which new settings can hold, in months from now. */
const MONTHS_AHEAD = 12

const FIELDS = [
  { name: 'payerName', label: '支払元の名称', hint: '例：株式会社サンプル', isRequired: true },
  { name: 'payerAddress', label: '住所', hint: '空欄の場合は印字しません', isRequired: false },
  {
    name: 'payerRegistrationNumber',
    label: '登録番号',
    hint: '適格請求書発行事業者の登録番号（T＋13桁の数字）',
    isRequired: true,
  },
  {
    name: 'deemedConfirmationDays',
    label: 'みなし確認までの日数',
    hint: '発行からこの日数のうちに連絡がない支払通知書は、確認済みになります。支払先との契約で取り決めた日数を入力します。',
    isRequired: true,
  },
] as const
type FieldName = (typeof FIELDS)[number]['name']

/** The payer's data for statements issued from a month on. Documents that were issued before do not change. */
export function PayerSettingsDialog(props: {
  current: Settings | undefined
  today: Day
  onClose: () => void
  onSaved: () => void
}) {
  const { current, today } = props
  const save = useSubmission(SaveStatementSettingsDocument)
  const id = useId()
  const first = monthOfDay(today)
  const [month, setMonth] = useState<string>(formatYearMonth(first))
  const [values, setValues] = useState<Readonly<Record<FieldName, string>>>({
    payerName: current?.payerName ?? '',
    payerAddress: current?.payerAddress ?? '',
    payerRegistrationNumber: current?.payerRegistrationNumber ?? '',
    deemedConfirmationDays: String(current?.deemedConfirmationDays ?? 14),
  })
  const { close } = useDialogText({ dialog: 'payer', values, restore: setValues, onClose: props.onClose })
  /** Problems by field; one without a field is shown below the fields. */
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    if (month === '') return setProblems(new Map([['validFromMonth', '適用開始月を入力してください。']]))
    setBusy(true)
    try {
      const { deemedConfirmationDays, ...texts } = values
      const days = Number(deemedConfirmationDays.normalize('NFKC').trim())
      const isSame = current?.validFromMonth === month
      await save({
        input: { ...texts, validFromMonth: month, deemedConfirmationDays: Number.isInteger(days) ? days : 0 },
        ...(isSame ? { expectedRevision: current.revision } : {}),
      })
      showToast({ tone: 'success', message: '支払元の設定を保存しました。' })
      props.onSaved()
    } catch (error) {
      const refusals = refusalsOf(error).map(({ path, message }) => [String(path.at(-1) ?? ''), message] as const)
      setProblems(
        new Map(
          refusals.length > 0 ? refusals : [['', '保存できませんでした。通信状態を確認して、もう一度お試しください。']],
        ),
      )
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="支払元の設定"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={() => void submit()}>
            設定を保存する
          </Button>
        </>
      }
    >
      <p>支払通知書に印字する内容です。適用開始月より前に発行したものは変わりません。</p>
      <MonthInput
        label="適用開始月（発行月）"
        hint="この月から発行する支払通知書に印字します。"
        earliest={first}
        latest={addMonths(first, MONTHS_AHEAD)}
        value={month}
        problem={problems.get('validFromMonth')}
        onChange={setMonth}
      />
      {FIELDS.map(({ name, label, hint, isRequired }) => {
        const message = problems.get(name)
        return (
          <div key={name} className={form.field} data-width="full">
            <label className={form.label} htmlFor={`${id}-${name}`}>
              {label}
              {isRequired && (
                <span className={form.required} aria-hidden>
                  必須
                </span>
              )}
            </label>
            <input
              id={`${id}-${name}`}
              className={form.input}
              type="text"
              autoComplete="off"
              maxLength={100}
              aria-required={isRequired}
              aria-invalid={message ? true : undefined}
              aria-describedby={`${id}-${name}-hint`}
              value={values[name]}
              onChange={event => {
                setValues({ ...values, [name]: event.target.value })
                setProblems(new Map([...problems].filter(([field]) => field !== name && field !== '')))
              }}
            />
            <p
              id={`${id}-${name}-hint`}
              className={message ? form.error : form.hint}
              role={message ? 'alert' : undefined}
            >
              {message ?? hint}
            </p>
          </div>
        )
      })}
      {[...problems]
        .filter(([of]) => !FIELDS.some(({ name }) => name === of))
        .map(([of, message]) => (
          <p key={of} className={form.error} role="alert">
            {message}
          </p>
        ))}
    </Dialog>
  )
}
