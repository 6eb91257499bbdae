import { API_KEY_DAYS, API_KEY_SCOPE_LABELS, API_KEY_SCOPES, type ApiKeyState } from '@pc/domain/api-key/api-key.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'

export const SCOPE_OPTIONS = API_KEY_SCOPES.map(value => ({ value, label: API_KEY_SCOPE_LABELS[value] }))

export const DAYS_OPTIONS = API_KEY_DAYS.map(days => ({
  value: String(days),
  label: days === 365 ? '365日（1年）' : `${days}日`,
}))

interface StateWords {
  readonly label: string
  readonly tone: BadgeTone
  readonly hint?: string
}

export const STATE_WORDS: Readonly<Record<ApiKeyState, StateWords>> = {
  working: { label: '有効', tone: 'ok' },
  ending: { label: 'まもなく期限', tone: 'warn' },
  ended: { label: '期限切れ', tone: 'mute' },
  revoked: { label: '失効', tone: 'mute' },
  stopped: {
    label: '停止',
    tone: 'bad',
    hint: '作成した人が無効になったか、この組織の管理者ではなくなったため、使えません。',
  },
}

/** An example of a first query. The key comes from a variable, so that it stays out of the shell's history. */
export function curlExample(address: string): string {
  const query = '{ publishers(limit: 20, offset: 0) { total nodes { id name } } }'
  return [
    `curl ${address} \\`,
    '  -H "authorization: Bearer $PUBLISHER_CENTER_KEY" \\',
    "  -H 'content-type: application/json' \\",
    `  -d '${JSON.stringify({ query })}'`,
  ].join('\n')
}
