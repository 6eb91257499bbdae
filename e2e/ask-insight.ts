import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { SystemAddress } from './running-system.ts'

interface Answer<Data> {
  readonly data?: Data | null
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[]
}
/** Asks the insight API as one person. */
export type AskInsight = <Data>(query: string, variables?: Readonly<Record<string, unknown>>) => Promise<Answer<Data>>

/** Signed in as a script is: with a token of the running system. */
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

/** As `npm run token` gets it from the running system. */
async function tokenOf(dataDir: string, email: string): Promise<string> {
  const { controlSocket } = JSON.parse(readFileSync(path.join(dataDir, 'run/server.json'), 'utf8'))
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request({ socketPath: controlSocket, path: '/token', method: 'POST', headers }, response => {
      text(response).then(resolve, reject)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ email }))
  })
  const { token, message } = JSON.parse(answer) as { token?: string; message?: string }
  if (token === undefined) throw new Error(`${email}: ${message ?? answer}`)
  return token
}
