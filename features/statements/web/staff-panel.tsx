import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { PayerSettingsDialog } from './payer-settings-dialog.tsx'
import {
  IssueStatementsDocument,
  PaymentsWithoutStatementDocument,
  StatementSettingsDocument,
} from './statements.gen.ts'
import styles from './statements.module.css'

const MAX_SHOWN = 5

/** For staff: the payer's data, and the payments that still have no statement, with the reasons. */
export function StaffPanel({ viewer, today, onChange }: { viewer: Viewer; today: Day; onChange: () => void }) {
  const waiting = useQuery(PaymentsWithoutStatementDocument, { fetchPolicy: 'cache-and-network' })
  const settings = useQuery(StatementSettingsDocument, { fetchPolicy: 'cache-and-network' })
  const [isEditing, setEditing] = useState(false)
  const issue = useSubmission(IssueStatementsDocument)
  const mayIssue = viewer.can('write:create', 'insight:statement.')
  const rows = waiting.data?.paymentsWithoutStatement ?? []
  const current = settings.data?.statementSettings
  const canIssue = rows.some(row => row.reasons.length === 0)
  const onIssue = async () => {
    const { issueStatements } = await issue({})
    const count = issueStatements ?? 0
    showToast({
      tone: count > 0 ? 'success' : 'warning',
      message: count > 0 ? `支払通知書を${count}件発行しました。` : '発行できる支払通知書はありませんでした。',
    })
    void waiting.refetch()
    onChange()
  }
  return (
    <>
      <div className={styles.payer}>
        <p>
          {current?.[0]
            ? `支払元：${current[0].payerName}（${current[0].payerRegistrationNumber}）、みなし確認まで${current[0].deemedConfirmationDays}日`
            : current
              ? '支払元がまだ登録されていません。登録するまで、月を確定できません。'
              : ''}
        </p>
        {mayIssue && current && (
          <Button onClick={() => setEditing(true)}>{current.length > 0 ? '支払元の設定' : '支払元を登録する'}</Button>
        )}
      </div>
      {rows.length > 0 && (
        <div className={styles.actions}>
          <Card
            title="まだ発行していない支払"
            note={`${formatInteger(rows.length)}件`}
            tools={
              mayIssue && (
                <Button
                  tone="primary"
                  disabled={!canIssue}
                  title={canIssue ? undefined : '下の理由を解消してから発行できます'}
                  onClick={() => void onIssue()}
                >
                  支払通知書を発行する
                </Button>
              )
            }
          >
            <ul className={styles.waiting}>
              {rows.slice(0, MAX_SHOWN).map(row => (
                <li key={row.monthlyPaymentId}>
                  <b>{`${isoMonthText(row.month, NO_VALUE)}分 ${row.agreementName}（${row.agreementCode}）`}</b>
                  <span className="num">{`${formatInteger(row.total)}円`}</span>
                  <small>{row.reasons[0] ?? '発行できます。'}</small>
                </li>
              ))}
            </ul>
            {rows.length > MAX_SHOWN && <p>{`ほか${formatInteger(rows.length - MAX_SHOWN)}件`}</p>}
          </Card>
        </div>
      )}
      {isEditing && (
        <PayerSettingsDialog
          current={current?.[0]}
          today={today}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            void settings.refetch()
            void waiting.refetch()
          }}
        />
      )}
    </>
  )
}
