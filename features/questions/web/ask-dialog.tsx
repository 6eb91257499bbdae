import { useQuery } from '@apollo/client/react'
import { QUESTION_BOUNDS } from '@pc/domain/question/question.ts'
import {
  type AskTarget,
  figureLabel,
  parseAskTarget,
  QUESTION_FIGURES,
  type QuestionFigure,
} from '@pc/domain/question/question-subject.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import form from '@pc/ui/form/form.module.css'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { RequiredText } from '@pc/ui/form/required-text.tsx'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useId, useState } from 'react'
import type { QuestionCondition } from '../question-condition.ts'
import { valueText } from './question-words.ts'
import { AskQuestionDocument, QuestionSubjectDocument, type QuestionSubjectInput } from './questions.gen.ts'
import styles from './questions.module.css'

interface AskDialogProps {
  condition: QuestionCondition
  onClose: () => void
  onSent: (id: string) => void
}

/** Asks about the subject that the address names. It shows the current value and sends it with the question. */
export function AskDialog({ condition, onClose, onSent }: AskDialogProps) {
  const target = parseAskTarget(condition.ask)
  if (target) return <Asking {...{ target, condition, onClose, onSent }} />
  return (
    <Dialog title="質問する" onClose={onClose} actions={<Button onClick={onClose}>閉じる</Button>}>
      <p role="status">質問の対象が分かりません。もとの画面の「質問する」から開き直してください。</p>
    </Dialog>
  )
}

function Asking({ target, condition, onClose, onSent }: AskDialogProps & { target: AskTarget }) {
  const id = useId()
  const [figure, setFigure] = useState<QuestionFigure | undefined>(target.kind === 'report' ? target.figure : undefined)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = useSubmission(AskQuestionDocument)
  const subject = subjectInput(target, condition, figure)
  const { data, loading, error, refetch } = useQuery(QuestionSubjectDocument, {
    variables: { subject },
    fetchPolicy: 'network-only',
  })
  const shown = data?.questionSubject
  const { close, release } = useDialogText({
    dialog: 'ask',
    values: { text },
    restore: kept => setText(kept.text),
    onClose,
  })
  const submit = async () => {
    if (isBusy || !shown) return
    if (text.trim() === '') return setProblem('質問の内容を入力してください。')
    setBusy(true)
    try {
      const { askQuestion } = await send({ subject, seenValue: shown.value, text })
      showToast({ tone: 'success', message: '質問を送りました。回答があるとメールでお知らせします。' })
      release()
      if (askQuestion) onSent(askQuestion.id)
    } catch (failure) {
      const [refusal] = refusalsOf(failure)
      setProblem(refusal?.message ?? '送信できませんでした。通信状態を確認して、もう一度お試しください。')
      if (refusal?.code === 'question/value-changed') void refetch()
      setBusy(false)
    }
  }
  return (
    <Dialog
      title="質問する"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" aria-disabled={isBusy || !shown} onClick={() => void submit()}>
            質問を送る
          </Button>
        </>
      }
    >
      {figure !== undefined && (
        <div className={`${form.field} ${styles.figure}`} data-width="full">
          <label className={form.label} htmlFor={`${id}-figure`}>
            数値
          </label>
          <select
            id={`${id}-figure`}
            className={form.input}
            value={figure}
            onChange={event => setFigure(event.target.value as QuestionFigure)}
          >
            {QUESTION_FIGURES.map(each => (
              <option key={each} value={each}>
                {figureLabel(each)}
              </option>
            ))}
          </select>
        </div>
      )}
      <section className={styles.subject} aria-label="質問の対象" aria-busy={loading}>
        {shown ? (
          <>
            <b>{shown.subject}</b>
            <small>{shown.context}</small>
            <span className={`num ${styles.requested}`}>{valueText(shown.value, shown.unit)}</span>
          </>
        ) : (
          <p role="status">
            {loading
              ? '読み込み中です。'
              : error
                ? '読み込めませんでした。通信状態を確認して、もう一度お試しください。'
                : '質問の対象が見つかりません。計算し直されたか、表示する権限がない可能性があります。'}
          </p>
        )}
      </section>
      <RequiredText
        isFirst
        label="質問の内容"
        rows={5}
        maxLength={QUESTION_BOUNDS.text}
        placeholder="例：前の月より少ない理由を教えてください"
        hint="対象の値は、いま表示している内容で質問と一緒に保存されます。同じ組織の担当者も読むことができます。"
        value={text}
        problem={problem}
        onChange={given => {
          setText(given)
          setProblem(undefined)
        }}
      />
    </Dialog>
  )
}

function subjectInput(
  target: AskTarget,
  { at, mediumId, publisherId }: QuestionCondition,
  figure: QuestionFigure | undefined,
): QuestionSubjectInput {
  if (target.kind !== 'report')
    return { kind: target.kind, id: target.id, column: target.column, ...(at === '' ? {} : { path: at }) }
  const { from, to } = target.range
  return {
    kind: 'report',
    from,
    to,
    figure: figure ?? target.figure,
    ...(mediumId.length === 0 ? {} : { mediumIds: [...mediumId] }),
    ...(publisherId.length === 0 ? {} : { publisherIds: [...publisherId] }),
  }
}
