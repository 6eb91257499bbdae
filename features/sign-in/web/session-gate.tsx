import { SESSION_CHANNEL } from '@pc/ui/session/session-ended.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { signInHref } from '../links.ts'
import type { SessionInfo } from '../session-info.ts'
import { readSession } from './sign-in-client.ts'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'

type State = SessionInfo | 'loading' | 'failed'

/** Renders a screen once the session is known. A screen that needs a user leads to the sign-in and back. */
export function SessionGate({ needs, children }: { needs?: 'user'; children: (info: SessionInfo) => ReactNode }) {
  const [state, setState] = useState<State>('loading')
  useEffect(() => {
    let reads = 0
    const read = () => {
      reads += 1
      const number = reads
      void readSession().then(answer => {
        if (number === reads)
          setState(known => (answer.ok ? answer.value : typeof known === 'object' ? known : 'failed'))
      })
    }
    // A tab redirected here by a sign-out in another tab may have arrived before the session ended.
    const tabs = new BroadcastChannel(SESSION_CHANNEL)
    tabs.onmessage = read
    read()
    return () => {
      reads = Number.NaN
      tabs.close()
    }
  }, [])
  const mustSignIn = typeof state === 'object' && needs === 'user' && !state.user
  useEffect(() => {
    if (mustSignIn) location.replace(signInHref(`/sso/${location.hash}`))
  }, [mustSignIn])
  if (state === 'failed') {
    return (
      <SignInFrame title="接続できません">
        <FormAlert text="サーバーに接続できませんでした。通信環境を確認して、もう一度お試しください。" />
        <p>
          <a href={location.href} onClick={() => location.reload()}>
            再読み込みする
          </a>
        </p>
      </SignInFrame>
    )
  }
  if (state === 'loading' || mustSignIn) return <p className="loading">読み込み中</p>
  return children(state)
}
