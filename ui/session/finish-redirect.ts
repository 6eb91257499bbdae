import type { IdentityProvider, Tokens } from './identity-provider.ts'

const REFUSED_HREF = '/sso#/refused'

/**
 * Finishes a redirect from an external provider: redeems the code and restores the requested address. A person who may
 * not be here sees the reason; the APIs alone would redirect to the provider again and again.
 */
export async function finishRedirect(
  provider: IdentityProvider,
  leave: (address: string) => void,
): Promise<Tokens | null> {
  const wasDenied = new URLSearchParams(location.search).has('error')
  const user = (await provider.signinCallback().catch(() => undefined)) ?? null
  const wanted = user?.url_state
  const home = new URL('./', location.href).pathname
  const refusal = user ? await refusalOf(user) : wasDenied ? 'provider' : undefined
  if (refusal !== undefined) {
    await provider.removeUser()
    leave(`${REFUSED_HREF}/${refusal}`)
    // Never resolves, because the page is being left.
    return new Promise(() => {})
  }
  history.replaceState(null, '', wanted?.startsWith(home) ? wanted : home)
  return user
}

/** Undefined when the person is accepted, or when the question failed; the first API call then reports it. */
async function refusalOf({ id_token }: Tokens): Promise<string | undefined> {
  try {
    const response = await fetch('/sso/api/account', { headers: { authorization: `Bearer ${id_token}` } })
    if (response.status !== 401 && response.status !== 403) return undefined
    const { refusals } = (await response.json()) as { refusals?: readonly { readonly code: string }[] }
    return refusals?.[0]?.code.replace('sign-in/', '')
  } catch {
    return undefined
  }
}
