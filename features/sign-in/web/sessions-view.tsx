import { Confirmations, confirm } from '@pc/ui/feedback/confirm.tsx'
import { useRef, useState } from 'react'
import { signInHref } from '../links.ts'
import { signInMessage } from '../refusals.ts'
import type { SessionEntry, SessionInfo } from '../session-info.ts'
import styles from './account.module.css'
import { AccountFrame } from './account-frame.tsx'
import { post } from './sign-in-client.ts'
import { FormAlert } from './sign-in-frame.tsx'
import { tokyoTime } from './tokyo-time.ts'
import { useLoaded } from './use-loaded.ts'

/**
 * The sessions of the person, each of which can be ended, or all at once.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function SessionsView({ info }: { info: SessionInfo }) {
  const [sessions, reload] = useLoaded<{ nodes: readonly SessionEntry[] }>('sessions')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  async function end(name: string, input: Record<string, string>, isAway: boolean) {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    const answer = await post(name, input)
    if (!answer.ok) setError(answer.refusals.map(signInMessage).at(0))
    else if (isAway) location.assign(signInHref())
    else {
      await reload()
      // The pressed button has disappeared with its row.
      list.current?.focus()
    }
    setBusy(false)
  }
  async function endAll() {
    const isMeant = await confirm({
      title: 'すべての端末からサインアウトしますか？',
      body: 'この端末もサインアウトします。続けて使うには、もう一度サインインしてください。',
      action: 'すべてサインアウトする',
      tone: 'danger',
    })
    if (isMeant) await end('sessions/end-all', {}, true)
  }
  return (
    <AccountFrame current="sessions" title="サインイン中の端末" email={info.user?.email}>
      <FormAlert
        text={
          error ??
          (sessions.kind === 'failed' ? '一覧を読み込めませんでした。ページを再読み込みしてください。' : undefined)
        }
      />
      {sessions.kind === 'loading' && <p className={styles.meta}>読み込み中</p>}
      {sessions.kind === 'loaded' && (
        <>
          <p className={styles.meta}>
            見覚えのない端末があれば、サインアウトしてからパスワードを変更してください。最終利用は、最大10分遅れて表示されます。
          </p>
          <ul className={styles.list} ref={list} tabIndex={-1} aria-label="サインイン中の端末">
            {sessions.value.nodes.map(session => (
              <li key={session.id}>
                <div>
                  <p className={styles.name}>
                    {session.device || '不明な端末'}
                    {session.isCurrent && (
                      <span className={styles.state} data-on>
                        この端末
                      </span>
                    )}
                  </p>
                  <p className={styles.meta}>
                    最終利用 {tokyoTime(session.lastUsedAt)}
                    {session.address && `・${session.address}`}
                  </p>
                  <p className={styles.meta}>サインイン {tokyoTime(session.startedAt)}</p>
                </div>
                {!session.isCurrent && (
                  <button
                    type="button"
                    className={styles.button}
                    aria-disabled={isBusy}
                    aria-label={`${session.device || '不明な端末'}（最終利用 ${tokyoTime(session.lastUsedAt)}）をサインアウト`}
                    onClick={() => void end('sessions/end', { id: session.id }, false)}
                  >
                    サインアウト
                  </button>
                )}
              </li>
            ))}
          </ul>
          <section className={styles.section} aria-labelledby="everywhere">
            <h2 id="everywhere">すべての端末からサインアウト</h2>
            <p>この端末を含め、すべての端末でのサインインを終了します。</p>
            <div className={styles.actions}>
              <button
                type="button"
                className={styles.button}
                data-kind="danger"
                aria-disabled={isBusy}
                onClick={() => void endAll()}
              >
                すべてサインアウトする
              </button>
            </div>
          </section>
        </>
      )}
      <Confirmations />
    </AccountFrame>
  )
}
