import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { DEMO_USERS } from '../demo/demo-users.ts'
import type { SystemAddress } from './running-system.ts'

/**
 * Confirms the announced warning for every demonstration user. Otherwise it would cover each screen at the first visit.
 */
export async function confirmWarnings(system: Pick<SystemAddress, 'dataDir' | 'insightOrigin'>): Promise<void> {
  for (const { email } of DEMO_USERS) {
    const ask = querying(system.insightOrigin, await tokenOf(system.dataDir, email))
    const listed = await ask('{ announcements(limit: 100, offset: 0) { nodes { id level } } }')
    // A person who may not see announcements gets none.
    const ids = listed.data?.announcements?.nodes.filter(node => node.level === 'warn').map(node => node.id) ?? []
    if (ids.length === 0) continue
    const read = await ask('mutation ($ids: [ID!]!) { readAnnouncements(ids: $ids) }', { ids })
    if (read.errors) throw new Error(`${email}: ${JSON.stringify(read.errors)}`)
  }
}

interface Answer {
  readonly data?: {
    readonly announcements?: { readonly nodes: readonly { id: string; level: string }[] } | null
  } | null
  readonly errors?: readonly unknown[]
}

/** A function that sends a query with this token and returns the answer, errors included. */
export function querying(origin: string, token: string) {
  return async (query: string, variables: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = await fetch(`${origin}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await answer.json()) as Answer
  }
}

/** A token from the running system, as `npm run token` gets it. */
export async function tokenOf(dataDir: string, email: string): Promise<string> {
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
