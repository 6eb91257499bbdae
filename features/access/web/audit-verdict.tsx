import { useQuery } from '@apollo/client/react'
import { useClientOf } from '@pc/ui/data/clients.tsx'
import { Button } from '@pc/ui/elements/button.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { IconShieldCheck, IconShieldSearch, IconShieldX } from '@tabler/icons-react'
import styles from './audit-log.module.css'
import { AuditLogVerdictDocument, type AuditLogVerdictQuery } from './audit-log-iam.gen.ts'

/**
 * Shows whether the audit log is intact: every hash is computed again and compared with the copy outside the database.
 * For a long log the server continues from what it verified before, says so, and verifies everything on request.
 */
export function AuditVerdict() {
  const { data, loading, refetch } = useQuery(AuditLogVerdictDocument, {
    client: useClientOf('iam'),
    fetchPolicy: 'network-only',
    notifyOnNetworkStatusChange: true,
  })
  const verdict = loading ? undefined : data?.auditLogVerdict
  const state = verdict === undefined ? 'unknown' : stateOf(verdict)
  const Icon = {
    unknown: IconShieldSearch,
    whole: IconShieldCheck,
    unconfirmed: IconShieldSearch,
    broken: IconShieldX,
  }[state]
  return (
    <section className={styles.verdict} data-state={state} aria-label="記録の検証">
      <Icon size={20} stroke={1.8} aria-hidden />
      <p role="status">{verdict === undefined ? waitingText(loading) : verdictText(verdict)}</p>
      {/* After a failed request the next one continues: the server has verified more since. */}
      <Button disabled={loading} onClick={() => void refetch({ fromTheStart: verdict !== undefined })}>
        {verdict?.readEarlier ? 'すべて検証し直す' : 'もう一度検証する'}
      </Button>
      {verdict && state === 'broken' && (
        <ul>
          {verdict.problems.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

type Verdict = AuditLogVerdictQuery['auditLogVerdict']

/**
 * `unconfirmed`: the only problem is that rows have no copy outside the database yet, which on a new system takes
 * minutes. Any other problem concerns the rows themselves.
 */
function stateOf({ isWhole, anchoredUpTo, problems }: Verdict): 'whole' | 'unconfirmed' | 'broken' {
  if (isWhole) return 'whole'
  return anchoredUpTo === 0 && problems.length === 1 ? 'unconfirmed' : 'broken'
}

function waitingText(isLoading: boolean): string {
  return isLoading
    ? '記録が改ざんされていないか検証しています…'
    : '記録を検証できませんでした。時間をおいて、もう一度お試しください。'
}

function verdictText(verdict: Verdict): string {
  const rows = formatInteger(verdict.rows)
  switch (stateOf(verdict)) {
    case 'whole':
      return `検証済み：${rows}件の記録は改ざんされていません（${formatInteger(verdict.anchoredUpTo)}件目まで外部の控えと一致）${earlierText(verdict)}`
    case 'unconfirmed':
      return `${rows}件の記録のつながりに問題はありませんが、照合する外部の控えがまだありません。控えは5分ごとに作成されます。表示が変わらない場合は、システム管理者に連絡してください。`
    case 'broken':
      return '記録に問題があります。データベースとファイルを保全し、システム管理者に連絡してください。'
  }
}

function earlierText({ readEarlier }: Verdict): string {
  if (!readEarlier) return ''
  return `。${formatInteger(readEarlier.upTo)}件目までは${formatInstant(readEarlier.at)}に検証し、今回はそれより後を検証しました。`
}
