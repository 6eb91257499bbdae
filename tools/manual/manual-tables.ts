import { FEED_FINDINGS_JA, type FeedFindingCode } from '@pc/domain/feed/feed-finding.ts'
import { RETENTION_RULES, type RetentionRule } from '@pc/domain/retention/retention-rules.ts'

/** Tables of the manual that come from the code: each `<!-- name -->` of a page becomes its table. */
export function fillTables(markdown: string): string {
  return markdown.replace('<!-- feed-findings -->', feedFindings).replace('<!-- retention -->', retention)
}

/** The table of all findings of the feed check, with … for variable parts. */
function feedFindings(): string {
  const anything = new Proxy({}, { get: () => '…' })
  const codes = Object.keys(FEED_FINDINGS_JA) as FeedFindingCode[]
  const rows = codes.map(
    code => `| ${FEED_FINDINGS_JA[code](anything).replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`,
  )
  return ['| 表示と直し方 |', '| --- |', ...rows].join('\n')
}

/** The table of how long each kind of data is kept. */
function retention(): string {
  const rows = RETENTION_RULES.map(rule => `| ${rule.label} | ${periodOf(rule)} | ${rule.why} |`)
  return ['| 記録 | 保存期間 | 理由 |', '| --- | --- | --- |', ...rows].join('\n')
}

function periodOf(rule: RetentionRule): string {
  if (rule.deletedBy === 'nobody') return '自動では削除しません'
  if (rule.deletedBy === 'job') return `${rule.months}か月`
  return rule.days === 0 ? '期限まで' : `${rule.days}日`
}
