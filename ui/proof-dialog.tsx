import { useEffect, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './form/form.module.css'

/** What the endpoints of signing in say no with, as far as it concerns a proof. */
interface Refused {
  readonly code: string
  readonly data: Readonly<Record<string, string | number>>
}

const MESSAGES: Readonly<Record<string, (data: Refused['data']) => string>> = {
  'sign-in/current-password-wrong': () => 'パスワードが違います。もう一度入力してください。',
  'sign-in/code-wrong': () => 'コードが違うか、すでに使用されています。新しいコードを入力してください。',
  'sign-in/too-many-attempts': ({ minutes }) =>
    `試行回数が上限に達しました。${minutes}分ほど待ってから、もう一度お試しください。`,
  'sign-in/not-signed-in': () => 'サインインが終了しています。ページを再読み込みして、サインインし直してください。',
}
const FAILED = '確認できませんでした。通信状態を確認して、もう一度お試しください。'

async function call(name: string, init: RequestInit): Promise<{ readonly ok: boolean; readonly body: unknown }> {
  try {
    const response = await fetch(`/sso/api/${name}`, { credentials: 'same-origin', cache: 'no-store', ...init })
    return { ok: response.ok, body: await response.json() }
  } catch {
    return { ok: false, body: undefined }
  }
}

/** Undefined: proved. */
async function prove(currentPassword: string, code: string): Promise<string | undefined> {
  const { ok, body } = await call('step-up', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ currentPassword, code }),
  })
  if (ok) return undefined
  const [first] = (body as { refusals?: readonly Refused[] } | undefined)?.refusals ?? []
  return (first && MESSAGES[first.code]?.(first.data)) ?? FAILED
}

/** The password once more, and the code of the second factor where there is one. */
export function ProofDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const [account, setAccount] = useState<{ email: string; hasTotp: boolean }>()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  useEffect(() => {
    void call('security', {}).then(({ ok, body }) => {
      if (ok) setAccount(body as { email: string; hasTotp: boolean })
    })
  }, [])
  const submit = async () => {
    if (isBusy) return
    if (password === '') return setProblem('パスワードを入力してください。')
    if (account?.hasTotp && code.trim() === '') return setProblem('コードを入力してください。')
    setBusy(true)
    const no = await prove(password, code)
    if (no === undefined) return onAnswer(true)
    setProblem(no)
    setBusy(false)
  }
  const described = problem === undefined ? {} : { 'aria-describedby': `${id}-error` }
  return (
    <Dialog
      title="本人確認"
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>キャンセル</Button>
          <Button type="submit" form={`${id}-form`} tone="primary" aria-disabled={isBusy}>
            確認して続ける
          </Button>
        </>
      }
    >
      <form
        id={`${id}-form`}
        className={styles.fields}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>安全のため、この操作の前にパスワードをもう一度入力してください。確認は10分間有効です。</p>
        <input type="text" name="username" autoComplete="username" value={account?.email ?? ''} readOnly hidden />
        <div className={styles.field} data-width="full">
          <label className={styles.label} htmlFor={`${id}-password`}>
            パスワード
          </label>
          <input
            data-autofocus
            id={`${id}-password`}
            className={styles.input}
            type="password"
            autoComplete="current-password"
            value={password}
            required
            aria-invalid={problem === undefined ? undefined : true}
            {...described}
            onChange={event => {
              setPassword(event.target.value)
              setProblem(undefined)
            }}
          />
        </div>
        {account?.hasTotp && (
          <div className={styles.field} data-width="full">
            <label className={styles.label} htmlFor={`${id}-code`}>
              認証アプリのコード
            </label>
            <input
              id={`${id}-code`}
              className={styles.input}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              value={code}
              required
              {...described}
              onChange={event => {
                setCode(event.target.value)
                setProblem(undefined)
              }}
            />
          </div>
        )}
        {problem !== undefined && (
          <p id={`${id}-error`} className={styles.error} role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}
