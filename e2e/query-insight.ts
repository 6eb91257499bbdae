import { tokenOf } from './confirm-warnings.ts'
import type { SystemAddress } from './running-system.ts'

interface Answer<Data> {
  readonly data?: Data | null
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[]
}
/** Queries the insight API as one person. */
export type AskInsight = <Data>(query: string, variables?: Readonly<Record<string, unknown>>) => Promise<Answer<Data>>

/** Signs in as a script does, with a token of the running system. */
export async function askingAs(
  system: Pick<SystemAddress, 'dataDir' | 'insightOrigin'>,
  email: string,
): Promise<AskInsight> {
  const token = await tokenOf(system.dataDir, email)
  return async <Data>(query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const answer = await fetch(`${system.insightOrigin}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await answer.json()) as Answer<Data>
  }
}
