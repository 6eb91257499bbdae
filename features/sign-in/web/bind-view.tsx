import { useEffect, useState } from 'react'
import { HOME_PATH } from '../original-path.ts'
import { type SignInRefusalCode, signInMessage } from '../refusals.ts'
import { type ExternalProvider, finishBinding, signInAtProvider } from './external-client.ts'
import { LeaveButton, NOT_OPENED, useLeaving } from './external-sign-in.tsx'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'
import { StartAgainView } from './start-again-view.tsx'

type State = 'working' | 'bound' | 'not-left' | 'not-finished' | Refused
type Refused = { readonly refused: string; readonly code: SignInRefusalCode }

const EXPIRED: readonly SignInRefusalCode[] = ['sign-in/link-expired', 'sign-in/request-expired']

/** The response can be used once, so a page that renders twice must not send it twice. */
let finishing: Promise<State> | undefined

/** Binds the account, then signs in to the console; the provider already knows the person. */
async function finish(provider: ExternalProvider, show: (state: State) => void): Promise<State> {
  const answer = await finishBinding(provider)
    .catch(() => undefined)
    // The response in the address cannot be used again.
    .finally(() => history.replaceState(null, '', location.pathname + location.hash))
  if (answer === undefined) return 'not-finished'
  const [refusal] = answer.ok ? [] : answer.refusals
  if (refusal) return { refused: signInMessage(refusal), code: refusal.code }
  show('bound')
  return signInAtProvider(provider, HOME_PATH).then(
    () => 'bound',
    () => 'not-left',
  )
}

/**
 * The screen to which the provider returns, with its response in the address.
 * Tested by `e2e/external-issuer.test.ts`.
 */
export function BindView({ provider }: { provider: ExternalProvider }) {
  const [state, setState] = useState<State>('working')
  const leaving = useLeaving(async () => void (await signInAtProvider(provider, HOME_PATH)))
  useEffect(() => {
    finishing ??= finish(provider, setState)
    void finishing.then(setState)
  }, [provider])
  if (state === 'working') return <p className="loading">読み込み中</p>
  if (state === 'not-finished') return <StartAgainView reason="binding-not-finished" />
  if (typeof state === 'object') {
    if (EXPIRED.includes(state.code)) return <StartAgainView reason="binding-expired" />
    return (
      <SignInFrame title="登録できませんでした">
        <FormAlert text={state.refused} />
        <p>もう一度はじめるには、リンクをもう一度開いてください。リンクはまだ使えます。</p>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="登録しました">
      <p role="status">会社のアカウントを登録しました。</p>
      <FormAlert text={state === 'not-left' ? (leaving.problem ?? NOT_OPENED) : undefined} />
      {state === 'not-left' && <LeaveButton leaving={leaving} label="Publisher Center を開く" />}
    </SignInFrame>
  )
}
