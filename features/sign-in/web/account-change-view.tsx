import { useEffect, useState } from 'react'
import { CHANGE_PASSWORD_HREF } from '../links.ts'
import { HOME_PATH } from '../original-path.ts'
import type { AccountChangeInfo } from '../session-info.ts'
import { AccountChangeText } from './account-change-text.tsx'
import styles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SignInFrame, SubmitButton } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'
import { useSubmit } from './use-submit.ts'

type Outcome = 'agreed' | 'waits' | 'refused' | 'undone' | 'disabled'

/**
 * Opened by the link of an email, without signing in: the person agrees or objects. It needs a click, because mail
 * programs open links to scan them.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function AccountChangeView({ secret }: { secret: string }) {
  const [change, setChange] = useState<AccountChangeInfo | 'loading' | 'expired' | 'failed'>('loading')
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    let isCurrent = true
    void post<AccountChangeInfo>('account-change', { secret }).then(answer => {
      if (!isCurrent) return
      const isExpired = !answer.ok && answer.refusals.some(refusal => refusal.code === 'sign-in/link-expired')
      setChange(answer.ok ? answer.value : isExpired ? 'expired' : 'failed')
    })
    return () => {
      isCurrent = false
    }
  }, [secret])
  const agree = useSubmit<{ isDone: boolean }>({
    required: {},
    send: () => post('account-change/agree', { secret }),
    onDone: ({ isDone }) => setOutcome(isDone ? 'agreed' : 'waits'),
  })
  const object = useSubmit<{ isUndone: boolean; isDisabled: boolean }>({
    required: {},
    send: () => post('account-change/object', { secret }),
    onDone: ({ isUndone, isDisabled }) => setOutcome(isDisabled ? 'disabled' : isUndone ? 'undone' : 'refused'),
  })
  const refusals = [...agree.refusals, ...object.refusals]
  if (change === 'expired' || refusals.some(refusal => refusal.code === 'sign-in/link-expired'))
    return <StartAgainView reason="change-expired" />
  if (change === 'failed') return <StartAgainView reason="failed" />
  if (change === 'loading') return <p className="loading">読み込み中</p>
  if (outcome) return <Decided outcome={outcome} side={change.side} />
  const mayAgree = !change.isDone && !change.isAgreed
  return (
    <SignInFrame title={change.isDone ? 'アカウントが変更されました' : 'アカウントの変更の確認'}>
      <div className={styles.form}>
        <AccountChangeText change={change} />
        <FormAlert text={agree.formError ?? object.formError} />
        {change.isAgreed && !change.isDone && (
          <p role="status">
            このメールアドレスでの承認は済んでいます。もう一方のメールアドレスでも承認されると、変更されます。
          </p>
        )}
        {mayAgree && (
          <form {...agree.formProps}>
            <SubmitButton
              isBusy={agree.isBusy || object.isBusy}
              label={change.side === 'new' ? 'このメールアドレスを確認する' : '変更を承認する'}
              busyLabel="送信しています"
            />
          </form>
        )}
        {change.side === 'old' && (
          <form {...object.formProps} className={styles.form}>
            <p>
              {change.isDone
                ? 'お心当たりがない場合は、異議を申し立ててください。変更前の状態に戻し、すべての端末でのサインインを終了します。'
                : 'お心当たりがない場合は、異議を申し立ててください。変更は行われません。'}
            </p>
            <SubmitButton isBusy={agree.isBusy || object.isBusy} label="異議を申し立てる" busyLabel="送信しています" />
          </form>
        )}
      </div>
    </SignInFrame>
  )
}

const DECIDED: Readonly<Record<Outcome, readonly [title: string, text: string]>> = {
  agreed: ['変更を承認しました', '変更が反映されました。もう一度サインインしてください。'],
  waits: [
    '承認を受け付けました',
    'もう一方のメールアドレスに届いたメールでも承認されると、変更されます。それまでは、何も変わりません。',
  ],
  refused: ['異議を受け付けました', '変更は行われません。管理者にお知らせしました。'],
  undone: [
    '変更前の状態に戻しました',
    'メールアドレス、パスワード、2段階認証を変更前の状態に戻し、すべての端末でのサインインを終了しました。サインインして、念のためパスワードを変更してください。',
  ],
  disabled: [
    'アカウントを無効にしました',
    '変更前のメールアドレスをほかの方が使っているため、アカウントを無効にし、すべての端末でのサインインを終了しました。管理者にお知らせしましたので、ご連絡ください。',
  ],
}

function Decided({ outcome, side }: { outcome: Outcome; side: AccountChangeInfo['side'] }) {
  const [title, text] = DECIDED[outcome]
  const href = outcome === 'undone' ? CHANGE_PASSWORD_HREF : HOME_PATH
  return (
    <SignInFrame title={side === 'new' && outcome === 'waits' ? 'メールアドレスを確認しました' : title}>
      <p role="status">{text}</p>
      <a className={styles.submit} href={href}>
        {outcome === 'undone' ? 'パスワードを変更する' : 'Publisher Center を開く'}
      </a>
    </SignInFrame>
  )
}
