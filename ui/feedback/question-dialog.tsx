import type { ReactNode } from 'react'
import { Button } from '../elements/button.tsx'
import { Dialog } from './dialog.tsx'

export interface Question {
  /** Names what will happen, for example 「東都新聞」の記事3件を削除しますか？ */
  readonly title: string
  /** The consequences, and whether they can be undone. */
  readonly body?: ReactNode
  /** A verb with its object, for example 3件を削除する; never はい. */
  readonly action: string
  readonly cancel?: string
  readonly tone?: 'primary' | 'danger'
}

export interface OpenQuestion extends Question {
  answer(isAgreed: boolean): void
}

export function QuestionDialog({ title, body, action, cancel = 'キャンセル', tone = 'primary', answer }: OpenQuestion) {
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{cancel}</Button>
          <Button tone={tone} onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      {body}
    </Dialog>
  )
}
