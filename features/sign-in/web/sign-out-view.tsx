import { useState } from 'react'
import { signInHref } from '../links.ts'
import { HOME_PATH } from '../original-path.ts'
import type { SessionInfo } from '../session-info.ts'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { useSubmit } from './use-submit.ts'

/** Tested by `e2e/sign-in.test.ts`. */
export function SignOutView({ info }: { info: SessionInfo }) {
  const [isDone, setDone] = useState(info.user === null)
  const form = useSubmit({ required: {}, send: () => post('sign-out', {}), onDone: () => setDone(true) })
  if (isDone) {
    return (
      <SignInFrame title="サインアウトしました">
        <p role="status">ご利用ありがとうございました。</p>
        <a className={styles.submit} href={signInHref()}>
          サインインする
        </a>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="サインアウトしますか？">
      <p>
        <strong className={styles.email}>{info.user?.email}</strong> としてサインインしています。
      </p>
      <form {...form.formProps} className={styles.form}>
        <FormAlert text={form.formError} />
        <SubmitButton isBusy={form.isBusy} label="サインアウトする" busyLabel="サインアウトしています" />
        <a className={styles.quiet} href={HOME_PATH}>
          Publisher Center に戻る
        </a>
      </form>
    </SignInFrame>
  )
}
