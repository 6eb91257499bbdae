import { useState } from 'react'
import { EmptyHint } from './empty-hint.tsx'
import { type ExternalProvider, signInAtProvider } from './external-client.ts'
import styles from './sign-in.module.css'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'

export const NOT_OPENED = '会社のサインイン画面を開けませんでした。時間をおいて、もう一度お試しください。'

/** State of a button that leaves for the provider's sign-in; it can be pressed once at a time. */
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

/** A step-up at an external provider: its screens ask who is there, and the person returns. */
export function ExternalStepUp({ provider, target }: { provider: ExternalProvider; target: string }) {
  const leaving = useLeaving(async () => void (await signInAtProvider(provider, target, 'prove-again')))
  return (
    <SignInFrame title="本人確認">
      <FormAlert text={leaving.problem} />
      <p>会社のアカウントでもう一度サインインしてください。元の画面に戻ってから10分間、操作できます。</p>
      <LeaveButton leaving={leaving} label="会社のアカウントで確認する" />
      <a className={styles.quiet} href={target}>
        確認せずに戻る
      </a>
    </SignInFrame>
  )
}

/** Tested by `e2e/external-issuer.test.ts`. */
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
