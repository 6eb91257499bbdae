import type { Day } from '@pc/domain/month/day.ts'
import { addMonths, formatYearMonth, monthOfDay, parseYearMonth } from '@pc/domain/month/year-month.ts'
import { MAX_ANSWER_TEXT } from '@pc/domain/statement/statement-confirmation.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { MonthInput } from '@pc/ui/form/month-input.tsx'
import { RequiredText } from '@pc/ui/form/required-text.tsx'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useId, useState } from 'react'
import type { StatementDetail } from './statement-words.ts'
import styles from './statements.module.css'

/** The furthest month of an adjustment, in months from now. */
const MONTHS_AHEAD = 3

export interface StatementAnswer {
  readonly resolution: 'upheld' | 'adjusted_later'
  readonly text: string
  readonly adjustmentMonth: string | null
}

/** Staff answers an objection. The document does not change; an adjustment in a later month corrects the money. */
export function AnswerDialog(props: {
  statement: Pick<StatementDetail, 'numberText' | 'month'>
  today: Day
  onClose: () => void
  onSubmit: (answer: StatementAnswer) => Promise<void>
}) {
  const own = parseYearMonth(props.statement.month) ?? monthOfDay(props.today)
  const now = monthOfDay(props.today)
  const earliest = addMonths(own, 1)
  const [resolution, setResolution] = useState<StatementAnswer['resolution']>('upheld')
  const [month, setMonth] = useState<string>(formatYearMonth(now > own ? now : earliest))
  const [text, setText] = useState('')
  const { close } = useDialogText({
    dialog: `answer ${props.statement.numberText}`,
    values: { text },
    restore: kept => setText(kept.text),
    onClose: props.onClose,
  })
  const { problem, setProblem, isBusy, submit } = useDialogSubmission(
    '送信できませんでした。通信状態を確認して、もう一度お試しください。',
  )
  const id = useId()
  const send = () => {
    if (text.trim() === '') return setProblem('回答の内容を入力してください。')
    if (resolution === 'adjusted_later' && month === '') return setProblem('調整する月を入力してください。')
    const adjustmentMonth = resolution === 'adjusted_later' ? month : null
    void submit(() => props.onSubmit({ resolution, text: text.trim(), adjustmentMonth }))
  }
  return (
    <Dialog
      title={`支払通知書 ${props.statement.numberText} の照会に回答します`}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy} onClick={send}>
            回答を送る
          </Button>
        </>
      }
    >
      <fieldset className={styles.choices}>
        <legend>対応</legend>
        <label>
          <input
            type="radio"
            name={`${id}-resolution`}
            data-autofocus
            checked={resolution === 'upheld'}
            onChange={() => setResolution('upheld')}
          />
          支払通知書の記載のとおりとする
        </label>
        <label>
          <input
            type="radio"
            name={`${id}-resolution`}
            checked={resolution === 'adjusted_later'}
            onChange={() => setResolution('adjusted_later')}
          />
          翌月以降の支払で調整する
        </label>
      </fieldset>
      {resolution === 'adjusted_later' && (
        <MonthInput
          label="調整する月"
          hint="「分配金調整」で、この月の個別調整（対象月つき）を登録してください。"
          earliest={earliest}
          latest={addMonths(now, MONTHS_AHEAD)}
          value={month}
          onChange={next => {
            setMonth(next)
            setProblem(undefined)
          }}
        />
      )}
      <RequiredText
        label="支払先への回答"
        rows={4}
        maxLength={MAX_ANSWER_TEXT}
        value={text}
        problem={problem}
        onChange={next => {
          setText(next)
          setProblem(undefined)
        }}
      />
    </Dialog>
  )
}
