/**
 * Records that share the right of payments or manual operations but have names of their own in the audit log: the prefix
 * of their row ids, and what people call them. `transfer-batch-` stands before `transfer-`, because the first prefix
 * that fits is taken.
 */
const KINDS = {
  holidays: { prefix: 'holidays/', label: '祝日' },
  settings: { prefix: 'settings/', label: '支払設定' },
  draft: { prefix: 'what-if/', label: '試算' },
  transferBatch: { prefix: 'transfer-batch-', label: '振込データ' },
  transfer: { prefix: 'transfer-', label: '振込' },
} as const

/** The id of a row under which its changes are recorded and searched: `transfer-7`, `settings/payout`. */
export function auditRowId(kind: keyof typeof KINDS, id: bigint | string): string {
  return `${KINDS[kind].prefix}${id}`
}

/** What such a row is called and its id alone; undefined for rows of payments and manual operations themselves. */
export function auditRowOf(rowId: string): { readonly label: string; readonly id: string } | undefined {
  const kind = Object.values(KINDS).find(({ prefix }) => rowId.startsWith(prefix))
  return kind && { label: kind.label, id: rowId.slice(kind.prefix.length) }
}
