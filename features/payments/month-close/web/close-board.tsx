import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import listStyles from '@pc/ui/list/list.module.css'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant, formatInstantDay, formatInteger } from '@pc/ui/text/format.ts'
import { Fragment, useState } from 'react'
import { statementsAddress } from '../../../statements/links.ts'
import {
  type BoardRow,
  checksText,
  comparedText,
  comparedTotalText,
  MONTH_STATES,
  type MonthOperation,
  paymentsText,
} from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { PAYMENTS_BY_AGREEMENT_PATH, TRANSFERS_PATH } from '../../links.ts'
import { paymentCondition } from '../../payment-condition.ts'
import { transferCondition } from '../../transfer-condition.ts'
import { AcknowledgeCloseCheckDocument } from './acknowledge-check.gen.ts'
import { CheckDetails } from './check-details.tsx'
import { type CloseStep, hasRed, mediaToCompute } from './close-steps.ts'
import { CloseStepsBar } from './close-steps-bar.tsx'
import { ComputeMonthDocument } from './compute-month.gen.ts'
import { FinalizeDialog } from './finalize-dialog.tsx'
import { RunInvariantsDocument } from './run-invariants.gen.ts'

interface CloseBoardProps {
  month: YearMonth
  rows: readonly BoardRow[]
  operation: MonthOperation | undefined
  viewer: Viewer
  /** Ids of media whose computation was requested and has not ended. */
  computing: ReadonlySet<string>
  onCompute: (row: BoardRow) => void
  onShowEntries: () => void
  onChange: () => void
}

const FAILED = { tone: 'error', message: '実行できませんでした。もう一度お試しください。' } as const

/** The steps of the month, and for each medium the checks before it can be final. */
export function CloseBoard(props: CloseBoardProps) {
  const { month, rows, operation, viewer, computing, onCompute, onChange } = props
  const [isFinalizing, setFinalizing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const compute = useSubmission(ComputeMonthDocument)
  const mayPrepare = viewer.can('write:create', 'insight:dividend.')
  const mayFinalize = viewer.can('write:update', 'insight:dividend.')
  const maySend = viewer.can('write:update', 'insight:monthly_payment.')
  const toCompute = mediaToCompute(rows)
  const isComputing = toCompute.every(row => computing.has(row.mediumId))
  const computeAll = async () => {
    setBusy(true)
    try {
      for (const row of toCompute) {
        if (computing.has(row.mediumId)) continue
        await compute({ month: formatYearMonth(month), mediumId: row.mediumId })
        onCompute(row)
      }
    } catch {
      showToast(FAILED)
    } finally {
      setBusy(false)
      onChange()
    }
  }
  const actionOf = ({ id, state }: CloseStep, isFirst: boolean) => {
    const linkStyle = isFirst ? listStyles.create : listStyles.secondary
    switch (id) {
      case 'compute':
        return (
          mayPrepare && (
            <Button tone="primary" aria-disabled={isBusy || isComputing} onClick={() => void computeAll()}>
              {isComputing ? '計算しています…' : `${formatInteger(toCompute.length)}媒体をまとめて計算する`}
            </Button>
          )
        )
      case 'check':
        return (
          mayPrepare && (
            <Button tone="quiet" onClick={focusFirstRed}>
              要対応の項目へ移動する
            </Button>
          )
        )
      case 'finalize':
        return null
      case 'notify':
        return (
          <a className={linkStyle} href={statementsAddress({ month, monthTo: month, state: 'unconfirmed' })}>
            未通知の支払通知書を確認する
          </a>
        )
      case 'transfer':
        return (
          maySend && (
            <a className={linkStyle} href={transfersAddress('create')}>
              振込データを作成する
            </a>
          )
        )
      case 'settle':
        return state === 'problem' ? (
          <a className={linkStyle} href={addressOf(TRANSFERS_PATH)}>
            組戻しを確認する
          </a>
        ) : (
          maySend && (
            <a className={linkStyle} href={transfersAddress('result')}>
              銀行の結果を取り込む
            </a>
          )
        )
    }
  }
  return (
    <>
      <CloseStepsBar
        rows={rows}
        actionsOf={active => (
          <>
            {active.map((step, index) => (
              <Fragment key={step.id}>{actionOf(step, index === 0)}</Fragment>
            ))}
            {mayFinalize && rows.some(row => row.finalizedAt === null) && (
              <Button
                tone={active[0]?.id === 'finalize' ? 'primary' : 'plain'}
                aria-haspopup="dialog"
                onClick={() => setFinalizing(true)}
              >
                {`${monthText(month)}分を確定する`}
              </Button>
            )}
          </>
        )}
      />
      <Card title="月次締め" note={`${monthText(month)}分`} flush>
        <ClosedSummary month={month} rows={rows} />
        <ul className={styles.board}>
          {rows.map(row => (
            <MediumRow key={row.mediumId} {...props} row={row} />
          ))}
        </ul>
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
    </>
  )
}

/** The medium that blocks the month may be below several that only have warnings. */
function focusFirstRed(): void {
  document.querySelector<HTMLElement>('li[data-red]')?.focus()
}

function transfersAddress(dialog: 'create' | 'result'): string {
  return addressOf(TRANSFERS_PATH, transferCondition.format({ ...transferCondition.defaults, dialog }))
}

/** The totals of what was closed, with links to what follows. */
function ClosedSummary({ month, rows }: Pick<CloseBoardProps, 'month' | 'rows'>) {
  const closed = rows.filter(row => row.finalizedAt !== null)
  if (closed.length === 0) return null
  const sum = (of: (row: BoardRow) => number) => closed.reduce((all, row) => all + of(row), 0)
  const total = sum(row => row.paymentIncludingTax)
  const compared = comparedTotalText(closed)
  const carried = sum(row => row.carriedOver)
  return (
    // After the last medium is closed, the button that had the focus is gone, so the focus moves here.
    <p className={styles.next} tabIndex={-1} data-goes-on>
      <span>
        {closed.length === rows.length
          ? `${monthText(month)}分はすべての媒体が確定済みです。`
          : `${formatInteger(closed.length)}媒体が確定済みです。`}
        {'支払額（税込） '}
        <b className="num">{formatInteger(total)}</b>円{compared && `、${compared}`}
        {carried > 0 && `、繰越・保留（税抜） ${formatInteger(carried)}円`}。
      </span>
      <a href={statementsAddress({ month, monthTo: month })}>支払通知書を見る</a>
      <a href={addressOf(TRANSFERS_PATH)}>振込へ</a>
    </p>
  )
}

function MediumRow(props: CloseBoardProps & { row: BoardRow }) {
  const { row, month, viewer, computing, onCompute, onShowEntries, onChange } = props
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
      showToast(FAILED)
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
  const exceptions = row.checks.filter(each => each.state === 'red' || each.state === 'amber')
  const shown = isOpen ? row.checks : exceptions
  const compared = comparedText(row.paymentIncludingTax, row.previousPaymentIncludingTax)
  const isComputed = row.state !== 'open'
  return (
    <li aria-label={row.mediumName} tabIndex={-1} data-red={hasRed(row) || undefined}>
      <div className={styles.medium}>
        <div>
          <h3>{row.mediumName}</h3>
          <Badge tone={MONTH_STATES[row.state].tone}>{MONTH_STATES[row.state].label}</Badge>
          {row.finalizedAt && <small>{`${formatInstantDay(row.finalizedAt)} 確定`}</small>}
          {!row.finalizedAt && row.computedAt && <small>{`${formatInstant(row.computedAt)} 計算`}</small>}
        </div>
        <p>
          <a className={styles.payments} href={paymentsAddress(row, month)}>{`支払 ${paymentsText(row)}`}</a>
          <span className="num">
            {'支払額（税込） '}
            <b>{formatInteger(row.paymentIncludingTax)}</b>円
          </span>
          {isComputed && compared && <small className="num">{compared}</small>}
        </p>
        <div className={styles.tools}>
          {mayPrepare && !row.finalizedAt && (
            <Button aria-disabled={isComputing || isBusy} onClick={() => !isComputing && void recompute()}>
              {isComputing ? '計算しています…' : '計算する'}
            </Button>
          )}
          {mayPrepare && isComputed && (
            <Button tone="quiet" aria-disabled={isBusy} onClick={() => void check()}>
              検査する
            </Button>
          )}
          <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '確認項目を閉じる' : `確認項目を見る（${checksText(row)}）`}
          </Button>
        </div>
      </div>
      {shown.length > 0 && (
        <CheckDetails
          mediumName={row.mediumName}
          checks={shown}
          isFinal={row.finalizedAt !== null}
          month={month}
          onCompute={mayPrepare && !isComputing ? () => void recompute() : undefined}
          onShowEntries={onShowEntries}
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
