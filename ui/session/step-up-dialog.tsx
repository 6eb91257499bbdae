import { type ComponentProps, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../feedback/dialog.tsx'
import styles from '../form/form.module.css'
import {
  leaveToStepUp,
  proveByPasskey,
  proveByPassword,
  readStepUpWays,
  type StepUpRefusal,
  type StepUpWays,
} from './step-up.ts'

const MESSAGES: Readonly<Record<string, (data: StepUpRefusal['data']) => string>> = {
  'sign-in/current-password-wrong': () => 'パスワードが違います。もう一度入力してください。',
  'sign-in/code-required': () => 'コードを入力してください。',
  'sign-in/code-wrong': () => 'コードが違うか、すでに使用されています。新しいコードを入力してください。',
  'sign-in/code-unreadable': () =>
    '認証アプリの設定を読み取れないため、コードを確認できません。リカバリーコードを入力してください。',
  'sign-in/passkey-wrong': () => 'このパスキーは使えません。別の方法で確認してください。',
  'sign-in/passkey-closed': () =>
    'パスキーの確認が完了しませんでした。もう一度お試しになるか、別の方法で確認してください。',
  'sign-in/too-many-attempts': ({ minutes }) =>
    `試行回数が上限に達しました。${minutes}分ほど待ってから、もう一度お試しください。`,
  'sign-in/not-signed-in': () => 'サインインが終了しています。ページを再読み込みして、サインインし直してください。',
}
const FAILED = '確認できませんでした。通信状態を確認して、もう一度お試しください。'

function said(refusal: StepUpRefusal | undefined): string {
  return (refusal && MESSAGES[refusal.code]?.(refusal.data)) ?? FAILED
}

/** `hasTotp` is undefined when a code is needed and its kind is unknown. */
type Ways = Omit<StepUpWays, 'hasTotp'> & { readonly hasTotp: boolean | undefined }

/** Step-up authentication with the methods of the account: a passkey, or password and code. */
export function StepUpDialog({ onAnswer }: { onAnswer: (isSteppedUp: boolean) => void }) {
  const [ways, setWays] = useState<Ways>()
  const [isByPassword, setByPassword] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isAtIssuer, setAtIssuer] = useState(false)
  const readWays = useCallback(async () => {
    setBusy(true)
    const answer = await readStepUpWays()
    if (answer.ok) setWays(answer.value)
    else if (answer.refusal?.code === 'sign-in/not-here') return setAtIssuer(true)
    setProblem(answer.ok ? undefined : said(answer.refusal))
    setBusy(false)
  }, [])
  useEffect(() => void readWays(), [readWays])
  /** For a second factor that was added since the ways were read. */
  const askForCode = async () => {
    const fresh = await readStepUpWays()
    setWays(old => (fresh.ok ? fresh.value : old && { ...old, needsCode: true, hasTotp: undefined }))
    setByPassword(true)
  }
  const prove = async (send: typeof proveByPasskey) => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    const answer = await send()
    if (answer.ok) return onAnswer(true)
    if (answer.refusal?.code === 'sign-in/code-required') await askForCode()
    setProblem(said(answer.refusal))
    setBusy(false)
  }
  const parts = { isBusy, problem, setProblem, prove, onCancel: () => onAnswer(false) }
  if (isAtIssuer) return <AtIssuer onCancel={parts.onCancel} />
  if (!ways) return problem === undefined ? null : <Unreadable {...parts} onReadAgain={() => void readWays()} />
  if (!ways.canProveByPasskey || isByPassword) return <ByPassword {...parts} ways={ways} />
  return <ByPasskey {...parts} onOtherWay={() => setByPassword(true)} />
}

interface FormProps {
  readonly isBusy: boolean
  readonly problem: string | undefined
  readonly setProblem: (problem: string | undefined) => void
  readonly prove: (send: typeof proveByPasskey) => Promise<void>
  readonly onCancel: () => void
}

function Question(props: {
  isBusy: boolean
  onCancel: () => void
  /** Label and action of the main button. */
  label: string
  onConfirm: () => void
  children: ReactNode
}) {
  return (
    <Dialog
      title="本人確認"
      onClose={props.onCancel}
      actions={
        <>
          <Button onClick={props.onCancel}>キャンセル</Button>
          <Button data-autofocus tone="primary" aria-disabled={props.isBusy} onClick={props.onConfirm}>
            {props.label}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  )
}

function Problem({ text, id }: { text: string | undefined; id?: string }) {
  return (
    text !== undefined && (
      <p id={id} className={styles.error} role="alert">
        {text}
      </p>
    )
  )
}

/** At an external issuer the page is left for its sign-in, and the operation is repeated afterwards. */
function AtIssuer({ onCancel }: Pick<FormProps, 'onCancel'>) {
  return (
    <Question isBusy={false} onCancel={onCancel} label="会社のアカウントで確認する" onConfirm={leaveToStepUp}>
      <p>
        安全のため、この操作の前に会社のアカウントでもう一度サインインしてください。この画面に戻ったら、もう一度操作してください。確認は10分間有効です。
      </p>
    </Question>
  )
}

function Unreadable({ isBusy, problem, onCancel, onReadAgain }: FormProps & { onReadAgain: () => void }) {
  return (
    <Question isBusy={isBusy} onCancel={onCancel} label="もう一度読み込む" onConfirm={onReadAgain}>
      <Problem text={problem} />
    </Question>
  )
}

function ByPasskey({
  isBusy,
  problem,
  setProblem,
  prove,
  onCancel,
  onOtherWay,
}: FormProps & { onOtherWay: () => void }) {
  const confirm = () => void prove(proveByPasskey)
  return (
    <Question isBusy={isBusy} onCancel={onCancel} label="パスキーで確認して続ける" onConfirm={confirm}>
      <div className={styles.fields}>
        <p>安全のため、この操作の前にパスキーで本人確認を行ってください。確認は10分間有効です。</p>
        <Problem text={problem} />
        <p>
          <Button
            tone="quiet"
            aria-disabled={isBusy}
            onClick={() => {
              setProblem(undefined)
              onOtherWay()
            }}
          >
            パスワードとコードで確認する
          </Button>
        </p>
      </div>
    </Question>
  )
}

function ByPassword({ isBusy, problem, setProblem, prove, onCancel, ways }: FormProps & { ways: Ways }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const id = useId()
  const { needsCode } = ways
  const submit = () => {
    if (isBusy) return
    if (password === '') return setProblem('パスワードを入力してください。')
    if (needsCode && code.trim() === '') return setProblem('コードを入力してください。')
    void prove(() => proveByPassword(password, code))
  }
  const described = problem === undefined ? {} : { 'aria-describedby': `${id}-error` }
  return (
    <Dialog
      title="本人確認"
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>キャンセル</Button>
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
          submit()
        }}
      >
        <p>安全のため、この操作の前にパスワードをもう一度入力してください。確認は10分間有効です。</p>
        <input type="text" name="username" autoComplete="username" value={ways.email} readOnly hidden />
        <Field
          {...described}
          data-autofocus
          id={`${id}-password`}
          label="パスワード"
          type="password"
          autoComplete="current-password"
          value={password}
          aria-invalid={problem === undefined ? undefined : true}
          onChange={event => {
            setPassword(event.target.value)
            setProblem(undefined)
          }}
        />
        {needsCode && (
          <Field
            {...described}
            id={`${id}-code`}
            label={codeLabel(ways)}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={event => {
              setCode(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
        <Problem id={`${id}-error`} text={problem} />
      </form>
    </Dialog>
  )
}

function codeLabel({ hasTotp }: Ways): string {
  if (hasTotp === undefined) return '認証アプリのコードまたはリカバリーコード'
  return hasTotp ? '認証アプリのコード' : 'リカバリーコード'
}

function Field({ id, label, ...input }: ComponentProps<'input'> & { id: string; label: string }) {
  return (
    <div className={styles.field} data-width="full">
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input id={id} className={styles.input} required {...input} />
    </div>
  )
}
