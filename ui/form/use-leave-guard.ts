import { useCallback, useEffect, useRef } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import type { Question } from '../feedback/question-dialog.tsx'
import { guardAddress } from '../routing/hash-location.ts'
import { onSessionEnded } from '../session/session-ended.ts'

/**
 * While something is unsaved: leaving the screen by link, key, address or button asks first.
 * @param keep called when the session has ended: what it keeps may be left without a question
 * @param question a constant; what is asked where it is not a form that would be lost
 * @returns gives the protection up: what it protects has been saved, sent or thrown away
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
