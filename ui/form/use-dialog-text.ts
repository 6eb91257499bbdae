import { useEffect, useState } from 'react'
import { useLatest } from '../data/use-latest.ts'
import { confirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/question-dialog.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { useViewerId } from '../session/viewer.tsx'
import { RESTORED, saveDraft, takeDraft } from './draft-storage.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

interface DialogText<V> {
  /** Identifies the dialog and its record. A draft of one is never restored in another. */
  readonly dialog: string
  /** Typed texts to store as a draft (JSON). Not passwords, short words or choices from a list. */
  readonly values: V
  /** Fills in the draft that was stored when the session ended. */
  readonly restore: (values: V) => void
  readonly onClose: () => void
}

/**
 * For a dialog with typed text. Closing it or leaving the screen asks first, if the text differs from the initial one;
 * after the session has expired the text is restored when the dialog opens again.
 * @returns `close` for the dialog and its cancel button; `release` removes the guard before a navigation after success
 */
export function useDialogText<V extends Readonly<Record<string, unknown>>>(typed: DialogText<V>) {
  const { dialog, values, onClose } = typed
  const personId = useViewerId()
  const content = JSON.stringify(values)
  const [begun] = useState(content)
  const isUnsaved = content !== begun
  const release = useLeaveGuard(
    isUnsaved,
    () => (personId === undefined ? false : saveDraft({ personId, dialog, revision: undefined, values })),
    DISCARD,
  )
  const restore = useLatest(typed.restore)
  useEffect(() => {
    const draft = personId === undefined ? undefined : takeDraft(personId, dialog)
    if (!draft) return
    restore(draft.values as V)
    showToast({ tone: 'success', message: RESTORED })
  }, [personId, dialog, restore])
  const close = async () => {
    if (isUnsaved && !(await confirm(DISCARD))) return
    release()
    onClose()
  }
  return { close: () => void close(), release }
}

const DISCARD: Question = {
  title: '入力した内容を破棄しますか？',
  body: 'まだ保存も送信もしていません。破棄すると、元に戻せません。',
  action: '入力を破棄する',
  cancel: '入力に戻る',
  tone: 'danger',
}
