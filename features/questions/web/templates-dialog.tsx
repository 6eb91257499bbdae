import { useApolloClient, useQuery } from '@apollo/client/react'
import { TEMPLATE_BOUNDS, TEMPLATE_PLACEHOLDERS } from '@pc/domain/question/answer-template.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import form from '@pc/ui/form/form.module.css'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useDialogText } from '@pc/ui/form/use-dialog-text.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { useId, useState } from 'react'
import {
  AnswerTemplatesDocument,
  type AnswerTemplatesQuery,
  DeleteAnswerTemplateDocument,
  SaveAnswerTemplateDocument,
} from './questions.gen.ts'
import styles from './questions.module.css'

type Template = NonNullable<AnswerTemplatesQuery['answerTemplates']>[number]

/** The templates of answers. Without the right to change them, the buttons are hidden. */
export function TemplatesDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const client = useApolloClient()
  const { data, loading, error, refetch } = useQuery(AnswerTemplatesDocument, { fetchPolicy: 'cache-and-network' })
  const [edited, setEdited] = useState<Template | 'new'>()
  const templates = data?.answerTemplates ?? []
  const mayEdit = viewer.can('write:update', 'insight:answer_template.')
  const onDelete = async ({ id, name }: Template) => {
    const question = { title: `テンプレート「${name}」を削除しますか？`, action: '削除する', tone: 'danger' } as const
    if (!(await confirm({ ...question, body: '送信済みの回答は変わりません。' }))) return
    // The error message shows a refusal.
    await client.mutate({ mutation: DeleteAnswerTemplateDocument, variables: { id } }).catch(() => {})
    void refetch()
  }
  if (edited)
    return (
      <TemplateForm
        template={edited === 'new' ? undefined : edited}
        onClose={() => setEdited(undefined)}
        onSaved={() => {
          setEdited(undefined)
          void refetch()
        }}
      />
    )
  return (
    <Dialog
      title="回答のテンプレート"
      size="large"
      onClose={onClose}
      actions={
        mayEdit && (
          <Button tone="primary" onClick={() => setEdited('new')}>
            テンプレートを追加する
          </Button>
        )
      }
    >
      {templates.length === 0 && (
        <p role="status">
          {loading
            ? '読み込み中です。'
            : error
              ? '読み込めませんでした。閉じて、もう一度お試しください。'
              : 'テンプレートはまだありません。よく使う回答を登録すると、回答するときに選べます。'}
        </p>
      )}
      <ul className={styles.templates}>
        {templates.map(template => (
          <li key={template.id}>
            <b>{template.name}</b>
            <p className={styles.text}>{template.body}</p>
            {mayEdit && (
              <span className={styles.templateTools}>
                <Button aria-label={`${template.name}を編集する`} onClick={() => setEdited(template)}>
                  編集
                </Button>
                <Button tone="quiet" aria-label={`${template.name}を削除する`} onClick={() => void onDelete(template)}>
                  削除
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function TemplateForm(props: { template: Template | undefined; onClose: () => void; onSaved: () => void }) {
  const { template } = props
  const id = useId()
  const [name, setName] = useState(template?.name ?? '')
  const [body, setBody] = useState(template?.body ?? '')
  const [problem, setProblem] = useState<string>()
  const { close } = useDialogText({
    dialog: `template ${template?.id ?? ''}`,
    values: { name, body },
    restore: kept => {
      setName(kept.name)
      setBody(kept.body)
    },
    onClose: props.onClose,
  })
  const save = useSubmission(SaveAnswerTemplateDocument)
  const submit = async () => {
    const own = template ? { id: template.id, expectedRevision: template.revision } : {}
    try {
      await save({ input: { ...own, name, body } })
      showToast({ tone: 'success', message: 'テンプレートを保存しました。' })
      props.onSaved()
    } catch (failure) {
      const refusals = refusalsOf(failure)
      setProblem(
        refusals.map(one => one.message).join('') ||
          '保存できませんでした。通信状態を確認して、もう一度お試しください。',
      )
    }
  }
  return (
    <Dialog
      title={template ? `テンプレート「${template.name}」の編集` : 'テンプレートの追加'}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>キャンセル</Button>
          <Button tone="primary" onClick={() => void submit()}>
            保存する
          </Button>
        </>
      }
    >
      <div className={form.fields}>
        <div className={form.field} data-width="full">
          <label className={form.label} htmlFor={`${id}-name`}>
            名前
          </label>
          <input
            data-autofocus
            id={`${id}-name`}
            className={form.input}
            maxLength={TEMPLATE_BOUNDS.name}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        </div>
        <div className={form.field} data-width="full">
          <label className={form.label} htmlFor={`${id}-body`}>
            本文
          </label>
          <textarea
            id={`${id}-body`}
            className={form.input}
            rows={6}
            maxLength={TEMPLATE_BOUNDS.body}
            value={body}
            aria-describedby={`${id}-hint`}
            onChange={event => setBody(event.target.value)}
          />
          <p id={`${id}-hint`} className={form.hint}>
            {`差し込み項目：${TEMPLATE_PLACEHOLDERS.map(each => `{${each}}`).join(' ')}`}
          </p>
          {problem && (
            <p className={form.error} role="alert">
              {problem}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}
