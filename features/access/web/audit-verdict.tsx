import { useQuery } from '@apollo/client/react'
import { Button } from '@pc/ui/button.tsx'
import { useClientOf } from '@pc/ui/clients.tsx'
import { formatInteger } from '@pc/ui/format.ts'
import { IconShieldCheck, IconShieldSearch, IconShieldX } from '@tabler/icons-react'
import styles from './access.module.css'
import { AuditLogVerdictDocument } from './audit-log-iam.gen.ts'

/** Whether the log is whole: every hash computed anew, compared with what is kept outside of the database. */
export function AuditVerdict() {
  const { data, loading, refetch } = useQuery(AuditLogVerdictDocument, {
    client: useClientOf('iam'),
    fetchPolicy: 'network-only',
    notifyOnNetworkStatusChange: true,
  })
  const verdict = loading ? undefined : data?.auditLogVerdict
  const state = verdict === undefined ? 'unknown' : verdict.isWhole ? 'whole' : 'broken'
  const Icon = { unknown: IconShieldSearch, whole: IconShieldCheck, broken: IconShieldX }[state]
  return (
    <section className={styles.verdict} data-state={state} aria-label="記録の検証">
      <Icon size={20} stroke={1.8} aria-hidden />
      <p role="status">
        {verdict === undefined
          ? loading
            ? '記録が改ざんされていないか検証しています…'
            : '記録を検証できませんでした。時間をおいて、もう一度お試しください。'
          : verdict.isWhole
            ? `検証済み：${formatInteger(verdict.rows)}件の記録は改ざんされていません（${formatInteger(verdict.anchoredUpTo)}件目まで外部の控えと一致）`
            : '記録に問題があります。データベースとファイルを保全し、システム管理者に連絡してください。'}
      </p>
      <Button disabled={loading} onClick={() => void refetch()}>
        もう一度検証する
      </Button>
      {verdict && verdict.problems.length > 0 && (
        <ul>
          {verdict.problems.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
