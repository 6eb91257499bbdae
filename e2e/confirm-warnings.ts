import { DEMO_USERS } from '@pc/features/demo/server/demo-users.ts'
import { askingAs } from './ask-insight.ts'
import type { SystemAddress } from './running-system.ts'

interface Listed {
  readonly announcements: { readonly nodes: readonly { readonly id: string; readonly level: string }[] } | null
}

/**
 * Every demonstration user has confirmed the warning that is announced to all: it would stand before each screen at a
 * first visit.
 */
export async function confirmWarnings(system: Pick<SystemAddress, 'dataDir' | 'insightOrigin'>): Promise<void> {
  for (const { email } of DEMO_USERS) {
    const ask = await askingAs(system, email)
    const listed = await ask<Listed>('{ announcements(limit: 100, offset: 0) { nodes { id level } } }')
    // Whoever may not see announcements is not shown any.
    const nodes = listed.data?.announcements?.nodes ?? []
    const ids = nodes.filter(node => node.level === 'warn').map(node => node.id)
    if (ids.length === 0) continue
    const read = await ask('mutation ($ids: [ID!]!) { readAnnouncements(ids: $ids) }', { ids })
    if (read.errors) throw new Error(`${email}: ${JSON.stringify(read.errors)}`)
  }
}
