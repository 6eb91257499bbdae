import { copyText, notCopied } from '@pc/ui/elements/copy-text.ts'
import { Confirmations, confirm } from '@pc/ui/feedback/confirm.tsx'
import type { Question } from '@pc/ui/feedback/question-dialog.tsx'
import { useEffect, useRef, useState } from 'react'
import { originalPath } from '../original-path.ts'
import { type SignInRefusal, signInMessage } from '../refusals.ts'
import type { PasskeyEntry, SecurityInfo, SessionInfo } from '../session-info.ts'
import styles from './account.module.css'
import { AccountFrame } from './account-frame.tsx'
import { EnrolmentNotice } from './enrolment-notice.tsx'
import { OwnAccountChange } from './own-account-change.tsx'
import { createPasskey } from './passkey.ts'
import { type Answer, post } from './sign-in-client.ts'
import { FormAlert } from './sign-in-frame.tsx'
import { StepUpForm } from './step-up-form.tsx'
import { tokyoTime } from './tokyo-time.ts'
import { TotpSetup, type TotpStart } from './totp-setup.tsx'
import { useLoaded } from './use-loaded.ts'

type Codes = { readonly recoveryCodes: readonly string[] }

/** Whether the page was opened by this machine's loopback address, for which `localhost` is another name. */
const isLoopback = /^(127\.|\[::1\])/.test(location.hostname)

/**
 * The second factors of the account, shown after a step-up.
 * @param enrolFor where the person was going before being asked to set up a second factor
 * Tested by `e2e/account-screens.test.ts`.
 */
export function SecurityView({ info, enrolFor }: { info: SessionInfo; enrolFor?: string }) {
  const [state, reload] = useLoaded<SecurityInfo>('security')
  return (
    <AccountFrame current="security" title="セキュリティ" email={info.user?.email}>
      {state.kind === 'loading' && <p className={styles.meta}>読み込み中</p>}
      {state.kind === 'failed' && <FormAlert text="設定を読み込めませんでした。ページを再読み込みしてください。" />}
      {state.kind === 'loaded' && (enrolFor !== undefined || state.value.secondFactorDueAt !== null) && (
        <EnrolmentNotice security={state.value} target={originalPath(enrolFor)} />
      )}
      {state.kind === 'loaded' &&
        (state.value.needsStepUp ? (
          <StepUpForm security={state.value} onDone={() => void reload()} />
        ) : (
          <>
            <OwnAccountChange />
            <Factors security={state.value} reload={reload} />
          </>
        ))}
      <Confirmations />
    </AccountFrame>
  )
}

function Factors({ security, reload }: { security: SecurityInfo; reload: () => Promise<void> }) {
  const [refusals, setRefusals] = useState<readonly SignInRefusal[]>([])
  const [setup, setSetup] = useState<TotpStart>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  async function run<T>(send: () => Promise<Answer<T>>, onDone?: (value: T) => void) {
    if (isBusy) return
    setBusy(true)
    setRefusals([])
    const answer = await send()
    setBusy(false)
    if (!answer.ok) setRefusals(answer.refusals)
    else onDone?.(answer.value)
    const needsStepUp = !answer.ok && answer.refusals.some(refusal => refusal.code === 'sign-in/step-up-needed')
    if (answer.ok || needsStepUp) await reload()
  }
  /** Runs an action after a confirmation. Its button may be gone afterwards, so the section's heading gets the focus. */
  async function runAgreed<T>(
    question: Question,
    headingId: string,
    send: () => Promise<Answer<T>>,
    onDone?: (value: T) => void,
  ) {
    if (isBusy || !(await confirm({ ...question, tone: 'danger' }))) return
    await run(send, onDone)
    if (!onDone) document.getElementById(headingId)?.focus()
  }
  // A further factor returns no codes; the codes of the first stay shown until the person confirms having saved them.
  const keep = ({ recoveryCodes }: Codes) => {
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
  }
  const hasFactor = security.hasTotp || security.passkeys.length > 0
  return (
    <>
      <FormAlert text={refusals.map(signInMessage).at(0)} />
      {codes.length > 0 && (
        <RecoveryCodes
          key={codes[0]}
          codes={codes}
          onDone={() => {
            setCodes([])
            // The codes disappear, so the focus moves to the next heading.
            document.getElementById('totp')?.focus()
          }}
        />
      )}
      <section className={styles.section} aria-labelledby="totp">
        <h2 id="totp" tabIndex={-1}>
          認証アプリ <State isOn={security.hasTotp} />
        </h2>
        <p>サインインのときに、スマートフォンの認証アプリに表示される数字を確認します。</p>
        {setup ? (
          <TotpSetup
            start={setup}
            onCancel={() => {
              setSetup(undefined)
              document.getElementById('totp')?.focus()
            }}
            onDone={given => {
              setSetup(undefined)
              setCodes(given)
              void reload()
            }}
          />
        ) : (
          <div className={styles.actions}>
            <Action isBusy={isBusy} onClick={() => run(() => post<TotpStart>('totp/start', {}), setSetup)}>
              {security.hasTotp ? '別のアプリに変更する' : '認証アプリを設定する'}
            </Action>
            {security.hasTotp && (
              <Action
                isBusy={isBusy}
                kind="danger"
                onClick={() =>
                  runAgreed(
                    {
                      title: '認証アプリを解除しますか？',
                      body:
                        security.passkeys.length > 0
                          ? '認証アプリのコードは使用できなくなります。パスキーは引き続き使用できます。'
                          : 'サインインはパスワードだけになり、リカバリーコードも使用できなくなります。',
                      action: '認証アプリを解除する',
                    },
                    'totp',
                    () => post('totp/remove', {}),
                  )
                }
              >
                解除する
              </Action>
            )}
          </div>
        )}
      </section>
      <section className={styles.section} aria-labelledby="passkeys">
        <h2 id="passkeys" tabIndex={-1}>
          パスキー <State isOn={security.passkeys.length > 0} />
        </h2>
        {security.canHavePasskeys ? (
          <>
            <p>指紋、顔、画面ロックでサインインできます。パスワードの入力は必要ありません。</p>
            <Passkeys
              passkeys={security.passkeys}
              isBusy={isBusy}
              onRemove={({ id, label, createdAt }) =>
                runAgreed(
                  {
                    title: `「${label}」を削除しますか？`,
                    // Names can be equal, for example of two iPhones, so the dialog shows the date.
                    body: `${tokyoTime(createdAt)}に追加したパスキーです。このパスキーではサインインできなくなります。`,
                    action: 'パスキーを削除する',
                  },
                  'passkeys',
                  () => post('passkeys/remove', { id }),
                )
              }
            />
            <div className={styles.actions}>
              <Action isBusy={isBusy} onClick={() => run(() => createPasskey(deviceLabel()), keep)}>
                パスキーを追加する
              </Action>
            </div>
          </>
        ) : (
          <p>
            このURL（{location.host}
            ）ではパスキーを使用できません。IPアドレスではなくホスト名のURLで開いてください。ホスト名のURLが分からないときは、管理者にお問い合わせください。
            {isLoopback && `手元での確認には http://localhost${location.port && `:${location.port}`} を使用できます。`}
          </p>
        )}
      </section>
      {hasFactor && (
        <section className={styles.section} aria-labelledby="recovery">
          <h2 id="recovery" tabIndex={-1}>
            リカバリーコード <span className={styles.state}>残り{security.recoveryCodesLeft}個</span>
          </h2>
          <p>認証アプリやパスキーを使えないときのためのコードです。作り直すと、以前のコードは使用できなくなります。</p>
          <div className={styles.actions}>
            <Action
              isBusy={isBusy}
              onClick={() =>
                runAgreed(
                  {
                    title: 'リカバリーコードを作り直しますか？',
                    body: '保存してある以前のコードは、すべて使用できなくなります。',
                    action: 'コードを作り直す',
                  },
                  'recovery',
                  () => post<Codes>('recovery-codes', {}),
                  keep,
                )
              }
            >
              コードを作り直す
            </Action>
          </div>
        </section>
      )}
    </>
  )
}

function State({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.state} data-on={isOn || undefined}>
      {isOn ? '有効' : '未設定'}
    </span>
  )
}

function Action(props: { isBusy: boolean; kind?: 'danger'; onClick: () => Promise<void>; children: string }) {
  return (
    <button
      type="button"
      className={styles.button}
      data-kind={props.kind}
      aria-disabled={props.isBusy}
      onClick={() => void props.onClick()}
    >
      {props.children}
    </button>
  )
}

function Passkeys(props: {
  passkeys: readonly PasskeyEntry[]
  isBusy: boolean
  onRemove: (passkey: PasskeyEntry) => Promise<void>
}) {
  if (props.passkeys.length === 0) return null
  return (
    <ul className={styles.list}>
      {props.passkeys.map(passkey => (
        <li key={passkey.id}>
          <div>
            <p className={styles.name}>{passkey.label}</p>
            <p className={styles.meta}>
              追加 {tokyoTime(passkey.createdAt)}
              {passkey.lastUsedAt !== null && `・最終利用 ${tokyoTime(passkey.lastUsedAt)}`}
            </p>
          </div>
          <Action isBusy={props.isBusy} kind="danger" onClick={() => props.onRemove(passkey)}>
            削除
          </Action>
        </li>
      ))}
    </ul>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [copied, setCopied] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  // The codes are shown once and above the pressed button, so the focus moves to them.
  useEffect(() => heading.current?.focus(), [])
  const copy = async () =>
    setCopied((await copyText(codes.join('\n'))) ? 'コピーしました。' : notCopied('リカバリーコード'))
  return (
    <section className={styles.setup} aria-labelledby="new-codes">
      <h2 id="new-codes" ref={heading} tabIndex={-1}>
        リカバリーコードを保存してください
      </h2>
      <p>もう一度表示することはできません。印刷するか、パスワード管理アプリに保存してください。</p>
      <ul className={styles.recovery}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <button type="button" className={styles.button} onClick={() => void copy()}>
          コピーする
        </button>
        <button type="button" className={styles.button} onClick={onDone}>
          保存しました
        </button>
      </div>
      {copied && <p role="status">{copied}</p>}
    </section>
  )
}

/** Proposed name of a passkey. */
function deviceLabel(): string {
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux']
  return `${known.find(name => navigator.userAgent.includes(name)) ?? 'この端末'}のパスキー`
}
