import { useQuery } from '@apollo/client/react'
import { fillTemplate } from '@pc/domain/question/answer-template.ts'
import { QUESTION_BOUNDS } from '@pc/domain/question/question.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import form from '@pc/ui/form/form.module.css'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { type Dispatch, type SetStateAction, useId, useState } from 'react'
import { templateFacts } from './question-words.ts'
import { AnswerTemplatesDocument, type ThreadFragment, WriteQuestionMessageDocument } from './questions.gen.ts'
import styles from './questions.module.css'

interface ReplyFormProps {
  thread: ThreadFragment
  viewer: Viewer
  isStaff: boolean
  /** The text that is typed and not sent yet. */
  text: string
  onType: Dispatch<SetStateAction<string>>
  onSent: () => void
}

/** The next message: an answer or an internal note for staff, a further question for a publisher's people. */
export function ReplyForm({ thread, viewer, isStaff, text, onType, onSent }: ReplyFormProps) {
  const id = useId()
  const [isInternal, setInternal] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = useSubmission(WriteQuestionMessageDocument)
  const label = isStaff ? (isInternal ? '社内メモ' : '回答') : '続けて質問する'
  const submit = async () => {
    if (isBusy) return
    if (text.trim() === '') return setProblem('内容を入力してください。')
    setBusy(true)
    try {
      await send({ id: thread.id, text, isInternal })
      // Text typed while the message was being sent stays.
      onType(now => (now.startsWith(text) ? now.slice(text.length) : now))
      showToast({ tone: 'success', message: sentWords(isStaff, isInternal) })
      onSent()
    } catch (failure) {
      const [refusal] = refusalsOf(failure)
      setProblem(refusal?.message ?? '送信できませんでした。通信状態を確認して、もう一度お試しください。')
    }
    setBusy(false)
  }
  return (
    <div className={styles.reply}>
      {isStaff && (
        <div className={styles.replyTools}>
          <label className={styles.check}>
            <input type="checkbox" checked={isInternal} onChange={event => setInternal(event.target.checked)} />
            社内メモにする（パブリッシャーには表示されません）
          </label>
          {viewer.can('read:list', 'insight:answer_template.') && (
            <TemplateChoice thread={thread} onChoose={body => onType(text.trim() ? `${text}\n${body}` : body)} />
          )}
        </div>
      )}
      <div className={form.field} data-width="full">
        <label className={form.label} htmlFor={id}>
          {label}
        </label>
        <textarea
          id={id}
          className={form.input}
          rows={4}
          maxLength={QUESTION_BOUNDS.text}
          value={text}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
          onChange={event => {
            onType(event.target.value)
            setProblem(undefined)
          }}
        />
        {problem && (
          <p id={`${id}-error`} className={form.error} role="alert">
            {problem}
          </p>
        )}
      </div>
      <Button tone="primary" aria-disabled={isBusy} onClick={() => void submit()}>
        {isInternal ? '社内メモを残す' : isStaff ? '回答を送る' : '送る'}
      </Button>
    </div>
  )
}

function sentWords(isStaff: boolean, isInternal: boolean): string {
  if (isInternal) return '社内メモを残しました。'
  return isStaff
    ? '回答を送りました。質問した方にメールでお知らせします。'
    : '送りました。回答があるとメールでお知らせします。'
}

/** Fills a template with the values of this thread. The user can edit the result before sending it. */
function TemplateChoice({ thread, onChoose }: { thread: ThreadFragment; onChoose: (body: string) => void }) {
  const { data } = useQuery(AnswerTemplatesDocument)
  const templates = data?.answerTemplates ?? []
  if (templates.length === 0) return null
  return (
    <SelectFilter
      label="テンプレート"
      options={[{ value: '', label: '選んで挿入' }, ...templates.map(({ id, name }) => ({ value: id, label: name }))]}
      value=""
      onChange={id => {
        const chosen = templates.find(template => template.id === id)
        if (chosen) onChoose(fillTemplate(chosen.body, templateFacts(thread)))
      }}
    />
  )
}
