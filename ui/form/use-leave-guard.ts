import { useCallback, useEffect, useRef } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/question-dialog.tsx'
import { guardAddress } from '../routing/hash-location.ts'
import { onSessionEnded } from '../session/session-ended.ts'

/**
 * Asks before the screen is left by link, key, address or button while something is unsaved.
 * @param keep stores a draft when the session has expired; if it returns true, the page is left without a question
 * @param question must be a constant; default: the question about unsaved changes of a form
 * @returns a function that removes the guard, once the content is saved, sent or discarded
 */
export function useLeaveGuard(isUnsaved: boolean, keep?: () => boolean, question: Question = UNSAVED): () => void {
  const held = useRef<() => void>(undefined)
  const latest = useRef(keep)
  useEffect(() => {
    latest.current = keep
  })
  useEffect(() => {
    if (!isUnsaved) return
    const release = guardAddress(proceed => {
      void confirm(question).then(isAgreed => {
        if (isAgreed) proceed()
      })
    })
    held.current = release
    const forget = onSessionEnded(() => {
      if (latest.current?.()) release()
    })
    return () => {
      forget()
      release()
    }
  }, [isUnsaved, question])
  return useCallback(() => held.current?.(), [])
}

const UNSAVED: Question = {
  title: '保存していない変更があります',
  body: 'このまま移動すると、入力した内容は失われます。',
  action: '保存せずに移動する',
  cancel: '入力に戻る',
  tone: 'danger',
}
