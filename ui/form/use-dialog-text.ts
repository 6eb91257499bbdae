import { useEffect, useState } from 'react'
import { useLatest } from '../data/use-latest.ts'
import { confirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/question-dialog.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { useViewerId } from '../session/viewer.tsx'
import { RESTORED, saveDraft, takeDraft } from './draft-storage.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

interface DialogText<V> {
  /** Which dialog, about which record: what was kept of one is never given to another. */
  readonly dialog: string
  /** Longer typed text, as JSON: no single words, and nothing that was chosen from a list. */
  readonly values: V
  /** Puts back what was typed before the session ended. */
  readonly restore: (values: V) => void
  readonly onClose: () => void
}

/**
 * For a dialog that holds typed text: closing it by key, cross or button, and leaving the screen, asks first as soon as
 * the text differs from what it began with; what was typed when the session ended is there when it is opened again.
 * @returns `close` for the dialog and its button; `release` before something that follows success leads elsewhere
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
