import { encode } from 'uqr'
import styles from './account.module.css'
import formStyles from './sign-in.module.css'
import { post } from './sign-in-client.ts'
import { FormAlert, SubmitButton } from './sign-in-frame.tsx'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

export interface TotpStart {
  readonly ticket: string
  readonly secret: string
  readonly uri: string
}

/**
 * Shows the secret for an authenticator app and asks for its first code.
 * Tested by `e2e/account-screens.test.ts`.
 */
export function TotpSetup(props: {
  start: TotpStart
  onDone: (codes: readonly string[]) => void
  onCancel: () => void
}) {
  const { start, onDone, onCancel } = props
  const form = useSubmit<{ recoveryCodes: readonly string[] }>({
    required: { code: 'sign-in/code-required' },
    send: ({ code = '' }) => post('totp/confirm', { ticket: start.ticket, code }),
    onDone: answer => onDone(answer.recoveryCodes),
  })
  return (
    <form {...form.formProps} className={styles.setup}>
      <ol>
        <li>認証アプリ（Google Authenticator など）で、下のコードを読み取ります。</li>
        <li>アプリに表示された6桁の数字を入力します。</li>
      </ol>
      <QrCode text={start.uri} />
      <p className={styles.meta}>読み取れない場合は、次のキーをアプリに入力してください。</p>
      <p className={styles.secret}>{start.secret.match(/.{1,4}/g)?.join(' ')}</p>
      <FormAlert text={form.formError} />
      <TextField
        name="code"
        label="6桁の数字"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        error={form.errorOf('code')}
      />
      <SubmitButton isBusy={form.isBusy} label="有効にする" busyLabel="確認しています" />
      <button type="button" className={formStyles.quiet} onClick={onCancel}>
        やめる
      </button>
    </form>
  )
}

/**
 * The QR code as one SVG path, drawn here, so that nothing is loaded and the content security policy needs no
 * exception.
 */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <div className={styles.code}>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="認証アプリで読み取るQRコード"
      >
        <path d={path} fill="#000" />
      </svg>
    </div>
  )
}
