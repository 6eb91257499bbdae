import type { IdentityProvider, Tokens } from './identity-provider.ts'

const REFUSED_HREF = '/sso#/refused'

/**
 * Back from a provider with screens of its own: the code is used, and the address becomes the one asked for. Somebody who
 * may not be here is told why; the APIs alone would send the browser to the provider again and again.
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
    // The page is being left: nothing may follow.
    return new Promise(() => {})
  }
  history.replaceState(null, '', wanted?.startsWith(home) ? wanted : home)
  return user
}

/** Undefined: accepted, or nobody could be asked, which the first call to the API will say. */
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
