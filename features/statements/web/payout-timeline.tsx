import { useQuery } from '@apollo/client/react'
import { dayText, isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { addMonths, firstDayOf, monthOfDay, parseYearMonth } from '@pc/domain/month/year-month.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { useViewer } from '@pc/ui/session/viewer.tsx'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { Suspense, useState } from 'react'
import { bankAccountDraftCondition } from '../../bank-accounts/bank-account-condition.ts'
import { BANK_ACCOUNT_CREATE_PATH, BANK_ACCOUNTS_PATH } from '../../bank-accounts/links.ts'
import { PAYMENTS_FOR_PUBLISHERS_PATH } from '../../payments/links.ts'
import { paymentCondition } from '../../payments/payment-condition.ts'
import { statementsAddress } from '../links.ts'
import {
  nextPayout,
  type OverduePayout,
  overduePayout,
  PAYOUT_STAGES,
  type PayoutLine,
  payoutLines,
  type UnconfirmedStatement,
} from './payout-lines.ts'
import { PayoutTimelineDocument } from './payout-timeline.gen.ts'
import styles from './payout-timeline.module.css'

const ConfirmStatementsDialog = lazy(() =>
  import('./confirm-statements-dialog.tsx').then(module => ({ default: module.ConfirmStatementsDialog })),
)

const SHOWN_LINES = 3
const BEFORE_DEDUCTIONS = '税込。源泉徴収と振込手数料を差し引く前'

/** For publishers: when how much is paid next, and how far the payment of each month has come. */
export function PayoutTimeline() {
  return (
    <div className={styles.home}>
      <Timeline />
    </div>
  )
}

function Timeline() {
  const viewer = useViewer()
  const today = todayInTokyo()
  const [isWhole, setWhole] = useState(false)
  const [confirming, setConfirming] = useState<readonly UnconfirmedStatement[]>()
  const mayConfirm = viewer.can('write:update', 'insight:statement.')
  const { data, previousData, error, loading, refetch } = useQuery(PayoutTimelineDocument, {
    variables: {
      seesStatements: viewer.can('read:list', 'insight:statement.'),
      from: firstDayOf(addMonths(monthOfDay(today), -2)),
      to: today,
    },
    fetchPolicy: 'cache-and-network',
  })
  const shown = data ?? previousData
  const retry = () => void refetch().catch(() => {})
  if (!shown)
    return (
      <Card title="お支払いの予定と状況">
        {error && !loading ? <FailedContent onRetry={retry} /> : <Skeleton height={190} />}
      </Card>
    )
  const lines = payoutLines(shown, today)
  const overdue = overduePayout(shown, today)
  const next = nextPayout(shown)
  const statements = shown.statements?.nodes ?? []
  const unconfirmedOf = (month: string) => statements.filter(each => each.month === month)
  return (
    <Card
      title="お支払いの予定と状況"
      tools={
        mayConfirm &&
        statements.length > 1 && (
          <Button onClick={() => setConfirming(statements)}>
            {`支払通知書${formatInteger(statements.length)}件をまとめて確認する`}
          </Button>
        )
      }
    >
      {overdue && <Overdue overdue={overdue} />}
      {next ? (
        <p className={styles.next}>
          {`${dayText(next.dueOn)}に `}
          <b>{`${formatInteger(next.amountYen)}円`}</b>
          {next.isUnderWay ? ' をお支払いします（お振込みの手続き中）' : ' をお支払いする予定です'}
          <small>{[next.months, next.account, next.compared, BEFORE_DEDUCTIONS].filter(Boolean).join(' / ')}</small>
          {next.account && viewer.can('write:create', 'insight:bank_account.') && (
            <small>
              <a href={addressOf(BANK_ACCOUNT_CREATE_PATH, bankAccountDraftCondition.format({ agreements: 'all' }))}>
                振込口座を変更する
              </a>
            </small>
          )}
          {next.returnedYen > 0 && (
            <small data-bad>
              {`このうち${formatInteger(next.returnedYen)}円は振込先に届きませんでした。口座をご確認ください。`}
            </small>
          )}
        </p>
      ) : overdue ? null : (
        <p className={styles.next}>
          次のお支払いはまだ確定していません
          <small>月次の確定後に、金額と支払期日をお知らせします。</small>
        </p>
      )}
      <ol className={styles.lines} aria-label="月ごとの状況">
        {lines.slice(0, isWhole ? undefined : SHOWN_LINES).map(line => (
          <Line
            key={line.month}
            line={line}
            unconfirmed={mayConfirm ? unconfirmedOf(line.month) : []}
            onConfirm={setConfirming}
            mayFixAccount={viewer.can('read:list', 'insight:bank_account.')}
          />
        ))}
      </ol>
      {lines.length > SHOWN_LINES && (
        <Button tone="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? '直近の月だけを表示' : `これまでの${formatInteger(lines.length)}か月を表示`}
        </Button>
      )}
      {confirming && (
        <Suspense fallback={null}>
          <ConfirmStatementsDialog
            statements={confirming}
            openAddress={id => statementsAddress({ id })}
            onClose={() => setConfirming(undefined)}
            onDone={retry}
          />
        </Suspense>
      )}
    </Card>
  )
}

function Overdue({ overdue }: { overdue: OverduePayout }) {
  return (
    <p className={styles.next} data-bad={overdue.isBad || undefined}>
      <b>{`${formatInteger(overdue.amountYen)}円`}</b>
      {overdue.text}
      <small>{[overdue.months, BEFORE_DEDUCTIONS].filter(Boolean).join(' / ')}</small>
    </p>
  )
}

function Line(props: {
  line: PayoutLine
  unconfirmed: readonly UnconfirmedStatement[]
  onConfirm: (statements: readonly UnconfirmedStatement[]) => void
  mayFixAccount: boolean
}) {
  const { line, unconfirmed, onConfirm, mayFixAccount } = props
  const month = parseYearMonth(line.month)
  const { stage } = line
  return (
    <li>
      <span className={styles.stages} aria-hidden>
        {stage !== null &&
          PAYOUT_STAGES.map((label, index) => (
            <i key={label} data-state={line.isBad && index + 1 === stage ? 'bad' : index < stage ? 'done' : 'later'} />
          ))}
      </span>
      <b>{isoMonthText(line.month)}分</b>
      <span className={styles.state} data-bad={line.isBad || undefined}>
        {/* The words of the first stage say it themselves. */}
        {stage !== null && stage > 1 && <span className="visually-hidden">{`${PAYOUT_STAGES[stage - 1]}：`}</span>}
        {line.text}
      </span>
      <span className={styles.amount} data-amount>{`${formatInteger(line.amountYen)}円`}</span>
      <span className={styles.actions}>
        {unconfirmed.length > 0 && (
          <button type="button" onClick={() => onConfirm(unconfirmed)}>
            {`支払通知書${formatInteger(unconfirmed.length)}件を確認する`}
          </button>
        )}
        {line.isReturned && mayFixAccount && <a href={addressOf(BANK_ACCOUNTS_PATH)}>口座を確認する</a>}
        {stage !== 1 && month !== undefined && (
          <a
            href={addressOf(
              PAYMENTS_FOR_PUBLISHERS_PATH,
              paymentCondition.format({ ...paymentCondition.defaults, month, monthTo: month }),
            )}
          >
            明細と内訳
          </a>
        )}
      </span>
    </li>
  )
}
