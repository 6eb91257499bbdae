import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { useState } from 'react'
import { type SignInRefusal, signInMessage } from '../refusals.ts'
import type { AccountChangeInfo } from '../session-info.ts'
import styles from './account.module.css'
import { AccountChangeText } from './account-change-text.tsx'
import { post } from './sign-in-client.ts'
import { FormAlert } from './sign-in-frame.tsx'
import { useLoaded } from './use-loaded.ts'

/**
 * A pending change of the person's account that an administrator requested; renders nothing when there is none.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function OwnAccountChange() {
  const [state, reload] = useLoaded<{ change: AccountChangeInfo | null }>('account-change/own')
  const [refusals, setRefusals] = useState<readonly SignInRefusal[]>([])
  const [isBusy, setBusy] = useState(false)
  if (state.kind !== 'loaded' || state.value.change === null) return null
  const { change } = state.value
  const send = async (name: 'agree' | 'object') => {
    if (isBusy) return
    const isAgreed =
      name === 'object' ||
      (await confirm({
        title: 'この変更を承認しますか？',
        body: (
          <>
            <AccountChangeText change={change} />
            {change.kind === 'email'
              ? '新しいメールアドレスでも確認されると変更が反映され、すべての端末でのサインインが終了します。'
              : '変更が反映され、すべての端末でのサインインが終了します。'}
          </>
        ),
        action: '承認する',
        tone: 'danger',
      }))
    if (!isAgreed) return
    setBusy(true)
    const answer = await post<{ isDone?: boolean }>(`account-change/own/${name}`, { id: change.id })
    setBusy(false)
    setRefusals(answer.ok ? [] : answer.refusals)
    if (!answer.ok) return
    if (answer.value.isDone) location.reload()
    else await reload()
  }
  return (
    <section className={styles.section} aria-labelledby="account-change">
      <h2 id="account-change" tabIndex={-1}>
        確認を待っている変更
      </h2>
      <AccountChangeText change={change} />
      {change.isAgreed && <p role="status">承認は済んでいます。新しいメールアドレスでも確認されると、変更されます。</p>}
      <FormAlert text={refusals.map(signInMessage).at(0)} />
      <div className={styles.actions}>
        {!change.isAgreed && (
          <button type="button" className={styles.button} aria-disabled={isBusy} onClick={() => void send('agree')}>
            変更を承認する
          </button>
        )}
        <button
          type="button"
          className={styles.button}
          data-kind="danger"
          aria-disabled={isBusy}
          onClick={() => void send('object')}
        >
          異議を申し立てる
        </button>
      </div>
    </section>
  )
}
