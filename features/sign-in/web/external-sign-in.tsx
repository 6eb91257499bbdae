import { useState } from 'react'
import type { SessionInfo } from '../session-info.ts'
import styles from './sign-in.module.css'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'

type ExternalProvider = Extract<SessionInfo['provider'], { kind: 'external' }>

/**
 * Starts the code flow at the company's identity provider. State and code verifier lie where the console's own client
 * looks for them (oidc-client-ts in sessionStorage), which uses the code at its callback and goes on to `target`.
 */
async function start(provider: ExternalProvider, target: string): Promise<void> {
  const { OidcClient, WebStorageStateStore } = await import('oidc-client-ts')
  const client = new OidcClient({
    authority: provider.issuer,
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri,
    response_type: 'code',
    scope: 'openid email offline_access',
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
  })
  const request = await client.createSigninRequest({
    nonce: crypto.randomUUID(),
    url_state: target,
    request_type: 'si:r',
  })
  location.assign(request.url)
}

export function ExternalSignIn({ provider, target }: { provider: ExternalProvider; target: string }) {
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready')
  return (
    <SignInFrame title="サインイン">
      <FormAlert
        text={
          state === 'failed'
            ? '会社のサインイン画面を開けませんでした。時間をおいて、もう一度お試しください。'
            : undefined
        }
      />
      <p>会社のアカウントでサインインします。</p>
      <button
        type="button"
        className={styles.submit}
        aria-disabled={state === 'busy'}
        aria-busy={state === 'busy'}
        onClick={() => {
          if (state === 'busy') return
          setState('busy')
          start(provider, target).catch(() => setState('failed'))
        }}
      >
        会社のアカウントで続ける
      </button>
    </SignInFrame>
  )
}
