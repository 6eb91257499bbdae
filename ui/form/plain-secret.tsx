import type { Question } from '../feedback/question-dialog.tsx'
import styles from './plain-field.module.css'
import { useLeaveGuard } from './use-leave-guard.ts'

const SECRET_ON_SCREEN: Question = {
  title: 'キーはもう一度表示できません',
  body: 'このまま移動すると、表示中のキーは失われます。控えてから移動してください。',
  action: '控えずに移動する',
  cancel: 'キーに戻る',
  tone: 'danger',
}

/** A secret that is shown once. One click selects all of it, and leaving asks first. */
export function PlainSecret({ text }: { text: string }) {
  useLeaveGuard(true, undefined, SECRET_ON_SCREEN)
  return <code className={styles.secret}>{text}</code>
}
