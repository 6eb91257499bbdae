import { useState } from 'react'
import { EmptyHint } from './empty-hint.tsx'
import { type ExternalProvider, signInAtProvider } from './external-client.ts'
import styles from './sign-in.module.css'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'

export const NOT_OPENED = '会社のサインイン画面を開けませんでした。時間をおいて、もう一度お試しください。'

/** A button that leaves for the company's sign-in, once at a time. */
export function useLeaving(leave: () => Promise<string | undefined>) {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({ isBusy: false })
  const run = () => {
    if (state.isBusy) return
    setState({ isBusy: true })
    leave().then(
      // Undefined: the page is being left.
      problem => problem !== undefined && setState({ isBusy: false, problem }),
      () => setState({ isBusy: false, problem: NOT_OPENED }),
    )
  }
  return { isBusy: state.isBusy, problem: state.problem, run }
}

export function LeaveButton({ leaving, label }: { leaving: ReturnType<typeof useLeaving>; label: string }) {
  return (
    <button
      type="button"
      className={styles.submit}
      aria-disabled={leaving.isBusy}
      aria-busy={leaving.isBusy}
      onClick={leaving.run}
    >
      {label}
    </button>
  )
}

export function ExternalSignIn(props: { provider: ExternalProvider; target: string; isEmpty: boolean }) {
  const { provider, target, isEmpty } = props
  const leaving = useLeaving(async () => void (await signInAtProvider(provider, target)))
  return (
    <SignInFrame title="サインイン" below={isEmpty && <EmptyHint />}>
      <FormAlert text={leaving.problem} />
      <p>会社のアカウントでサインインします。</p>
      <LeaveButton leaving={leaving} label="会社のアカウントで続ける" />
    </SignInFrame>
  )
}
