import { useState } from 'react'
import { HOME_PATH } from '../original-path.ts'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * Opened by the link of an email. It needs a click, because mail programs open links to scan them.
 * Tested by `e2e/sign-in.test.ts`.
 */
export function ConfirmEmailView({ secret }: { secret: string }) {
  const [email, setEmail] = useState<string>()
  const form = useSubmit<{ email: string }>({
    required: {},
    send: () => post('change-email/confirm', { secret }),
    onDone: answer => setEmail(answer.email),
  })
  if (form.refusals.some(refusal => refusal.code === 'sign-in/link-expired')) {
    return <StartAgainView reason="link-expired" />
  }
  if (email !== undefined) {
    return (
      <SignInFrame title="メールアドレスを変更しました">
        <p role="status">
          次回から <strong className={styles.email}>{email}</strong> でサインインしてください。
        </p>
        <a className={styles.submit} href={HOME_PATH}>
          Publisher Center を開く
        </a>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="メールアドレスの変更">
      <form {...form.formProps} className={styles.form}>
        <p>このメールアドレスに変更します。よろしければ、ボタンを押してください。</p>
        <FormAlert text={form.formError} />
        <SubmitButton isBusy={form.isBusy} label="変更を確定する" busyLabel="確定しています" />
      </form>
    </SignInFrame>
  )
}
