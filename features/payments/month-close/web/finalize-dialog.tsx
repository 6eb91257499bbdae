import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { ProblemList } from '@pc/ui/form/problem-list.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import {
  type BoardRow,
  checkWord,
  comparedText,
  comparedTotalText,
  type MonthOperation,
  paymentsText,
} from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { CloseConsequencesDocument } from './close-consequences.gen.ts'
import { FinalizeMonthDocument } from './finalize-operation.gen.ts'

interface FinalizeDialogProps {
  month: YearMonth
  rows: readonly BoardRow[]
  operation: MonthOperation | undefined
  onClose: () => void
  onDone: () => void
}

/** Shows which media can be finalised, what prevents the others, and what the close sends out, before it is confirmed. */
export function FinalizeDialog({ month, rows, operation, onClose, onDone }: FinalizeDialogProps) {
  const open = rows.filter(row => row.finalizedAt === null)
  const ready = open.filter(row => row.canFinalize)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const finalize = useSubmission(FinalizeMonthDocument)
  const chosen = ready.filter(row => !left.has(row.mediumId))
  const total = chosen.reduce((sum, row) => sum + row.paymentIncludingTax, 0)
  const reason = !operation
    ? 'この月の支払がまだ計算されていません。'
    : open.length === 0
      ? `${monthText(month)}分はすべての媒体が確定済みです。この画面を閉じてください。`
      : ready.length === 0
        ? '要対応の項目を解消すると確定できます。'
        : chosen.length === 0
          ? '確定する媒体を選択してください。'
          : undefined
  const run = async () => {
    if (isBusy || reason !== undefined || !operation) return
    setBusy(true)
    setProblems([])
    try {
      await finalize({ id: operation.id, mediumIds: chosen.map(row => row.mediumId) })
      showToast({
        tone: 'success',
        message: `${namesText(chosen)}の${monthText(month)}分を確定しました。`,
      })
      onClose()
    } catch (error) {
      const texts = refusalsOf(error).map(({ data, message }) => {
        const medium = rows.find(row => row.mediumId === String(data.mediumId))
        return medium && !message.startsWith(medium.mediumName) ? `${medium.mediumName}：${message}` : message
      })
      setProblems(texts.length > 0 ? texts : ['確定できませんでした。もう一度お試しください。'])
    } finally {
      setBusy(false)
      onDone()
    }
  }
  return (
    <Dialog
      title={`${monthText(month)}分を確定しますか？`}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="danger" disabled={reason !== undefined} aria-disabled={isBusy} onClick={() => void run()}>
            {isBusy ? '確定しています…' : `${monthText(month)}分を確定する`}
          </Button>
        </>
      }
    >
      <ProblemList texts={problems} />
      {reason === undefined ? (
        <>
          <p>
            支払額（税込）の合計 <b className="num">{formatInteger(total)}</b>
            円を確定します。確定した月は変更できません。訂正は次の月の調整として登録します。
          </p>
          <TotalCompared rows={chosen} />
          <CarriedNote rows={chosen} />
          <Consequences month={month} mediumIds={chosen.map(row => row.mediumId)} />
        </>
      ) : (
        <p role="status">{reason}</p>
      )}
      <ul className={styles.candidates}>
        {open.map(row => (
          <Candidate
            key={row.mediumId}
            row={row}
            isChosen={row.canFinalize && !left.has(row.mediumId)}
            onChoose={isChosen => {
              const next = new Set(left)
              if (isChosen) next.delete(row.mediumId)
              else next.add(row.mediumId)
              setLeft(next)
            }}
          />
        ))}
      </ul>
    </Dialog>
  )
}

const MAX_NAMED = 5

/** The first names and the number of the others, so that a long list does not push the decision out of view. */
function firstOf(names: readonly string[], total: number, unit: string): string {
  const named = names.slice(0, MAX_NAMED)
  const rest = total - named.length
  return `${named.join('、')}${rest > 0 ? `ほか${formatInteger(rest)}${unit}` : ''}`
}

const namesText = (rows: readonly BoardRow[]) =>
  firstOf(
    rows.map(row => row.mediumName),
    rows.length,
    '媒体',
  )

function TotalCompared({ rows }: { rows: readonly BoardRow[] }) {
  const text = rows.length < 2 ? undefined : comparedTotalText(rows)
  return text && <p>{`合計の比較：${text}`}</p>
}

/** The statements and emails that the close sends and that cannot be recalled. */
function Consequences({ month, mediumIds }: { month: YearMonth; mediumIds: readonly string[] }) {
  const { data, previousData, error } = useOwnQuery(CloseConsequencesDocument, {
    variables: { month: formatYearMonth(month), mediumIds },
    fetchPolicy: 'no-cache',
  })
  const found = (data ?? previousData)?.monthCloseConsequences
  if (!found) {
    const text = error
      ? '発行する支払通知書とメールの件数を確認できませんでした。'
      : '発行する支払通知書とメールの件数を確認しています…'
    return <p role="status">{text}</p>
  }
  const { statements, payees, recipients, payeesWithoutRecipient, payeesWithoutRecipientCount } = found
  if (statements === 0) return <p role="status">発行する支払通知書はありません。メールも送信されません。</p>
  return (
    <>
      <p role="status">
        {recipients === 0
          ? `支払通知書を${formatInteger(statements)}件（支払先${formatInteger(payees)}社）発行します。メールは送信されません。`
          : `支払通知書を${formatInteger(statements)}件（支払先${formatInteger(payees)}社）発行し、${formatInteger(recipients)}名にメールで通知します。`}
      </p>
      {payeesWithoutRecipientCount > 0 && (
        <p className={styles.warning}>
          {`メールを受け取る利用者がいない支払先が${formatInteger(payeesWithoutRecipientCount)}社あります（${firstOf(payeesWithoutRecipient, payeesWithoutRecipientCount, '社')}）。利用者を招待すると通知されます。`}
        </p>
      )}
    </>
  )
}

/** What is carried over. Without it, a total of 0 yen would hide that money waits for a missing account. */
function CarriedNote({ rows }: { rows: readonly BoardRow[] }) {
  const carried = rows.reduce((sum, row) => sum + row.carriedOver, 0)
  const held = rows.reduce((sum, row) => sum + row.heldForAccount, 0)
  if (carried === 0) return null
  const ofAccounts =
    held === 0 ? '' : `このうち${formatInteger(held)}円は、使える振込口座がないため支払われません（保留）。`
  return <p>{`今回支払わず、翌月以降に繰り越す額（税抜）は${formatInteger(carried)}円です。${ofAccounts}`}</p>
}

function Candidate(props: { row: BoardRow; isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  const { row, isChosen, onChoose } = props
  // Amber does not block the close, but the person who closes has to see it.
  const ambers = row.checks.filter(check => check.state === 'amber')
  const compared = comparedText(row.paymentIncludingTax, row.previousPaymentIncludingTax)
  const reds = row.checks.filter(check => check.state === 'red' || check.state === 'waiting')
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={!row.canFinalize}
          onChange={event => onChoose(event.target.checked)}
        />
        <b>{row.mediumName}</b>
        {!row.canFinalize && <Badge tone="bad">確定できません</Badge>}
        <span className="num">{`${paymentsText(row)} / ${formatInteger(row.paymentIncludingTax)}円`}</span>
      </label>
      {compared && <p className={styles.compared}>{compared}</p>}
      {!row.canFinalize && (
        <ul aria-label={`${row.mediumName}を確定できない理由`}>
          {reds.map(check => (
            <li key={check.kind}>{`${check.label}：${check.detail}`}</li>
          ))}
        </ul>
      )}
      {row.canFinalize && ambers.length > 0 && (
        <ul aria-label={`${row.mediumName}の注意`} data-tone="warn">
          {ambers.map(check => (
            <li key={check.kind}>{`${check.label}（${checkWord(check, false)}）：${check.detail}`}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
