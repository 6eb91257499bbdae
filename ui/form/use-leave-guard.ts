import { useEffect } from 'react'
import { confirm } from '../confirm.tsx'
import { guardAddress } from '../hash-location.ts'

/** While something is unsaved: leaving the screen by link, key, address or button asks first. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    return guardAddress(proceed => {
      void askToLeave().then(isAgreed => {
        if (isAgreed) proceed()
      })
    })
  }, [isUnsaved])
}

function askToLeave(): Promise<boolean> {
  return confirm({
    title: '保存していない変更があります',
    body: 'このまま移動すると、入力した内容は失われます。',
    action: '保存せずに移動する',
    cancel: '入力に戻る',
    tone: 'danger',
  })
}
