import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant, formatInstantDay, formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { statementsAddress } from '../../../statements/links.ts'
import {
  type BoardRow,
  CHECK_TONES,
  checkWord,
  MONTH_STATES,
  type MonthOperation,
  paymentsText,
} from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { PAYMENTS_BY_AGREEMENT_PATH, TRANSFERS_PATH } from '../../links.ts'
import { paymentCondition } from '../../payment-condition.ts'
import { AcknowledgeCloseCheckDocument } from './acknowledge-check.gen.ts'
import { CheckDetails } from './check-details.tsx'
import { ComputeMonthDocument } from './compute-month.gen.ts'
import { FinalizeDialog } from './finalize-dialog.tsx'
import { RunInvariantsDocument } from './run-invariants.gen.ts'

interface CloseBoardProps {
  month: YearMonth
  rows: readonly BoardRow[]
  operation: MonthOperation | undefined
  viewer: Viewer
  /** Media whose computation was asked for and has not come back. */
  computing: ReadonlySet<string>
  onCompute: (row: BoardRow) => void
  onChange: () => void
}

/** Each medium of the month with what has to be right before it is final, and the way to the cure. */
export function CloseBoard(props: CloseBoardProps) {
  const { month, rows, operation, viewer, onChange } = props
  const [isFinalizing, setFinalizing] = useState(false)
  const finalized = rows.filter(row => row.finalizedAt !== null)
  const mayFinalize = viewer.can('write:update', 'insight:dividend.') && rows.some(row => row.finalizedAt === null)
  return (
    <Card
      title="月次締め"
      note={`${monthText(month)}分`}
      flush
      tools={
        mayFinalize && (
          <Button tone="primary" aria-haspopup="dialog" onClick={() => setFinalizing(true)}>
            {`${monthText(month)}分を確定する`}
          </Button>
        )
      }
    >
      <ul className={styles.board}>
        {rows.map(row => (
          <MediumRow key={row.mediumId} {...props} row={row} />
        ))}
      </ul>
      {finalized.length > 0 && (
        // With the last medium the button that asked is gone: its person goes on with what comes after the close.
        <p className={styles.next} tabIndex={-1} data-goes-on>
          <span>
            {finalized.length === rows.length
              ? `${monthText(month)}分はすべての媒体が確定済みです。`
              : `${finalized.length}媒体が確定済みです。`}
            支払通知書は確定と同時に発行されます。
          </span>
          <a href={statementsAddress({ month, monthTo: month })}>支払通知書を見る</a>
          <a href={addressOf(TRANSFERS_PATH)}>振込データを作成する</a>
        </p>
      )}
      {isFinalizing && (
        <FinalizeDialog
          month={month}
          rows={rows}
          operation={operation}
          onClose={() => setFinalizing(false)}
          onDone={onChange}
        />
      )}
    </Card>
  )
}

function MediumRow({ row, month, viewer, computing, onCompute, onChange }: CloseBoardProps & { row: BoardRow }) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const compute = useSubmission(ComputeMonthDocument)
  const runInvariants = useSubmission(RunInvariantsDocument)
  const acknowledgeCheck = useSubmission(AcknowledgeCloseCheckDocument)
  const mayPrepare = viewer.can('write:create', 'insight:dividend.')
  const isComputing = computing.has(row.mediumId)
  const key = { month: formatYearMonth(month), mediumId: row.mediumId }
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch {
      showToast({ tone: 'error', message: '実行できませんでした。もう一度お試しください。' })
    } finally {
      setBusy(false)
      onChange()
    }
  }
  const recompute = () =>
    attempt(async () => {
      await compute(key)
      onCompute(row)
    })
  const check = () =>
    attempt(async () => {
      const found = (await runInvariants(key)).runInvariants ?? 0
      showToast(
        found === 0
          ? { tone: 'success', message: `${row.mediumName}の自動検査で不一致はありませんでした。` }
          : { tone: 'error', message: `${row.mediumName}の自動検査で${found}件の不一致が見つかりました。` },
      )
    })
  const acknowledge = async (found: BoardRow['checks'][number], reason: string) => {
    await acknowledgeCheck({ ...key, kind: found.kind, subject: found.subject ?? '', reason })
    showToast({ tone: 'success', message: `${row.mediumName}の「${found.label}」を確認済みにしました。` })
    onChange()
  }
  const reds = row.checks.filter(each => each.state === 'red')
  const shown = isOpen ? row.checks : row.checks.filter(each => each.state === 'red' || each.state === 'amber')
  return (
    <li aria-label={row.mediumName}>
      <div className={styles.medium}>
        <h3>{row.mediumName}</h3>
        <Badge tone={MONTH_STATES[row.state].tone}>{MONTH_STATES[row.state].label}</Badge>
        {row.finalizedAt && <small>{`${formatInstantDay(row.finalizedAt)} 確定`}</small>}
        {!row.finalizedAt && row.computedAt && <small>{`${formatInstant(row.computedAt)} 計算`}</small>}
        {!row.finalizedAt && reds.length > 0 && <Badge tone="bad">{`要対応 ${reds.length}件`}</Badge>}
        <p className="num">
          <a className={styles.payments} href={paymentsAddress(row, month)}>{`支払 ${paymentsText(row)}`}</a>
          {' / 支払額（税込） '}
          <b>{formatInteger(row.paymentIncludingTax)}</b>円
        </p>
        {mayPrepare && !row.finalizedAt && (
          <Button aria-disabled={isComputing || isBusy} onClick={() => !isComputing && void recompute()}>
            {isComputing ? '計算しています…' : '計算する'}
          </Button>
        )}
        {mayPrepare && row.state !== 'open' && (
          <Button tone="quiet" aria-disabled={isBusy} onClick={() => void check()}>
            検査する
          </Button>
        )}
        <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '確認項目を閉じる' : '確認項目を見る'}
        </Button>
      </div>
      <ul className={styles.cells} aria-label={`${row.mediumName}の状況`}>
        {row.checks.map(each => (
          <li key={each.kind} data-tone={CHECK_TONES[each.state]}>
            {each.label}
            <b>{checkWord(each, row.finalizedAt !== null)}</b>
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <CheckDetails
          mediumName={row.mediumName}
          checks={shown}
          isFinal={row.finalizedAt !== null}
          month={month}
          onCompute={mayPrepare && !isComputing ? () => void recompute() : undefined}
          onAcknowledge={mayPrepare && !row.finalizedAt ? acknowledge : undefined}
        />
      )}
    </li>
  )
}

function paymentsAddress(row: BoardRow, month: YearMonth): string {
  const condition = { ...paymentCondition.defaults, month, mediumId: row.mediumId }
  return addressOf(PAYMENTS_BY_AGREEMENT_PATH, paymentCondition.format(condition))
}
