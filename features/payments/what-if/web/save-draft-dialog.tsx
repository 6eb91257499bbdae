import { MAX_SCENARIO_NAME } from '@pc/domain/settlement/what-if.ts'
import { hiddenCharacterProblem } from '@pc/domain/text/name-refusals.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useDialogSubmission } from '@pc/ui/form/use-dialog-submission.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { useId, useState } from 'react'
import { SaveWhatIfDraftDocument } from './save-what-if-draft.gen.ts'
import styles from './what-if.module.css'
import { type Change, inputOf } from './what-if-change.ts'
import type { Draft } from './what-if-draft-list.tsx'

/** Asks for a name. An open draft can be overwritten, or a new one be saved beside it. */
export function SaveDraftDialog(props: {
  month: string
  mediumId: string
  change: Change
  draft: Draft | undefined
  onClose: () => void
  onSaved: (draft: Draft) => void
}) {
  const { month, mediumId, change, draft } = props
  const [name, setName] = useState(draft?.name ?? '')
  const { problem, setProblem, isBusy, submit } = useDialogSubmission('保存できませんでした。もう一度お試しください。')
  const save = useSubmission(SaveWhatIfDraftDocument)
  const id = useId()
  const send = (isNew: boolean) => {
    if (name.trim() === '') return setProblem('試算の名前を入力してください。')
    const hidden = hiddenCharacterProblem(name)
    if (hidden) return setProblem(hidden)
    void submit(async () => {
      const input = { month, mediumId, name, change: inputOf(change), ...(draft && !isNew ? { id: draft.id } : {}) }
      const answer = await save({ input, ...(draft && !isNew ? { expectedRevision: draft.revision } : {}) })
      const saved = answer.saveWhatIfDraft
      if (!saved) throw new Error('no answer')
      showToast({ tone: 'success', message: `「${saved.name}」を保存しました。` })
      props.onSaved({
        id: saved.id,
        name: saved.name,
        revision: saved.revision,
        change: JSON.stringify(inputOf(change)),
        createdByEmail: draft?.createdByEmail ?? null,
        updatedAt: draft?.updatedAt ?? '',
      })
    })
  }
  return (
    <Dialog
      title="この条件を保存"
      onClose={props.onClose}
      actions={
        <>
          <Button onClick={props.onClose}>キャンセル</Button>
          {draft && <Button onClick={() => send(true)}>別の試算として保存する</Button>}
          <Button tone="primary" aria-disabled={isBusy} onClick={() => send(false)}>
            {draft ? '上書きして保存する' : '保存する'}
          </Button>
        </>
      }
    >
      <label className={styles.name} htmlFor={id}>
        試算の名前
      </label>
      <input
        id={id}
        data-autofocus
        className={styles.text}
        maxLength={MAX_SCENARIO_NAME}
        value={name}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={event => setName(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) send(false)
        }}
      />
      {problem && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
