import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/button.tsx'
import { Badge, Card } from '@pc/ui/card.tsx'
import { confirm } from '@pc/ui/confirm.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInstantDay, formatInteger, formatMonth } from '@pc/ui/format.ts'
import { showToast } from '@pc/ui/toasts.tsx'
import type { Viewer } from '@pc/ui/viewer.tsx'
import { useState } from 'react'
import { ComputeMonthDocument } from './compute-month.gen.ts'
import { type BoardRow, CHECK_TONES, CHECK_WORDS, MONTH_STATES, type Operation } from './dividend-words.ts'
import styles from './dividends.module.css'
import { FinalizeMonthlyDividendManualOperationDocument } from './finalize-operation.gen.ts'

interface CloseBoardProps {
  month: YearMonth
  rows: readonly BoardRow[]
  operation: Operation | undefined
  viewer: Viewer
  onChange: () => void
}

/** Each medium of the month with what has to be right before it is final, and the way to the cure. */
export function CloseBoard({ month, rows, operation, viewer, onChange }: CloseBoardProps) {
  const [openId, setOpenId] = useState<string>()
  const compute = useSubmission(ComputeMonthDocument)
  const mayCompute = viewer.can('write:create', 'insight:dividend.')
  const recompute = async (row: BoardRow) => {
    await compute({ month: formatYearMonth(month), mediumId: row.mediumId })
    showToast({ tone: 'success', message: `${row.mediumName}の${formatMonth(month)}分を計算しています。` })
    onChange()
  }
  return (
    <Card
      title="月次締め"
      note={`${formatMonth(month)}分`}
      flush
      tools={<FinalizeButton month={month} rows={rows} operation={operation} viewer={viewer} onChange={onChange} />}
    >
      <ul className={styles.board}>
        {rows.map(row => {
          const reds = row.checks.filter(check => check.state === 'red')
          const isOpen = openId === row.mediumId
          return (
            <li key={row.mediumId}>
              <div className={styles.medium}>
                <h3>{row.mediumName}</h3>
                <Badge tone={MONTH_STATES[row.state].tone}>{MONTH_STATES[row.state].label}</Badge>
                {row.finalizedAt && <small>{`${formatInstantDay(row.finalizedAt)} 確定`}</small>}
                {!row.finalizedAt && reds.length > 0 && <Badge tone="bad">{`要対応 ${reds.length}件`}</Badge>}
                <p className="num">
                  {`${formatInteger(row.payments)}件 / 支払額（税込） `}
                  <b>{formatInteger(row.paymentIncludingTax)}</b>円
                </p>
                {mayCompute && !row.finalizedAt && <Button onClick={() => void recompute(row)}>計算する</Button>}
                <Button
                  tone="quiet"
                  aria-expanded={isOpen}
                  onClick={() => setOpenId(isOpen ? undefined : row.mediumId)}
                >
                  {isOpen ? '確認項目を閉じる' : '確認項目を見る'}
                </Button>
              </div>
              {(isOpen || reds.length > 0) && <Checks row={row} isWhole={isOpen} />}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function Checks({ row, isWhole }: { row: BoardRow; isWhole: boolean }) {
  const shown = isWhole ? row.checks : row.checks.filter(check => check.state === 'red')
  return (
    <ul className={styles.checks} aria-label={`${row.mediumName}の確認項目`}>
      {shown.map(check => (
        <li key={check.kind}>
          <Badge tone={CHECK_TONES[check.state]}>{CHECK_WORDS[check.state]}</Badge>
          <b>{check.label}</b>
          <span>{check.detail}</span>
          {check.link && check.state !== 'green' && <a href={`#${check.link.replace(/^#/, '')}`}>対応する画面へ</a>}
        </li>
      ))}
    </ul>
  )
}

function FinalizeButton({ month, rows, operation, viewer, onChange }: CloseBoardProps) {
  const finalize = useSubmission(FinalizeMonthlyDividendManualOperationDocument)
  const [isBusy, setBusy] = useState(false)
  const open = rows.filter(row => row.finalizedAt === null)
  if (!viewer.can('write:update', 'insight:dividend.') || open.length === 0) return null
  const reason = reasonAgainst(open, operation)
  const run = async () => {
    const total = open.reduce((sum, row) => sum + row.paymentIncludingTax, 0)
    const isAgreed = await confirm({
      title: `${formatMonth(month)}分を確定しますか？`,
      body: `${open.map(row => row.mediumName).join('、')}の支払額（税込）合計 ${formatInteger(total)}円を確定します。確定した月は変更できません。訂正は次の月の調整として登録します。`,
      action: `${formatMonth(month)}分を確定する`,
    })
    if (!isAgreed || !operation) return
    setBusy(true)
    try {
      await finalize({ id: operation.id })
      showToast({ tone: 'success', message: `${formatMonth(month)}分を確定しました。` })
    } catch (error) {
      const texts = refusalsOf(error).map(refusal => refusal.message)
      showToast({ tone: 'error', message: texts.join('\n') || '確定できませんでした。もう一度お試しください。' })
    } finally {
      setBusy(false)
      onChange()
    }
  }
  return (
    <Button tone="primary" disabled={reason !== undefined || isBusy} title={reason} onClick={() => void run()}>
      {`${formatMonth(month)}分を確定する`}
    </Button>
  )
}

function reasonAgainst(open: readonly BoardRow[], operation: Operation | undefined): string | undefined {
  if (!operation) return 'この月の支払がまだ計算されていません。'
  const blocked = open.filter(row => !row.canFinalize).map(row => row.mediumName)
  return blocked.length === 0 ? undefined : `${blocked.join('、')}に要対応の確認項目があります。`
}
