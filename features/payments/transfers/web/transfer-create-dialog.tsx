import { useApolloClient } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { refusalsOf } from '@pc/ui/form/refused-fields.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useCallback, useEffect, useState } from 'react'
import { DayInput } from '../../core/web/day-input.tsx'
import { TRANSFERS_PATH, transferBatchPath } from '../../links.ts'
import { CreateTransferBatchDocument } from './create-transfer-batch.gen.ts'
import { LateAcknowledgement } from './late-acknowledgement.tsx'
import type { PayableDay } from './payable-day.ts'
import { PreviewTransfersDocument, type PreviewTransfersQuery } from './preview-transfers.gen.ts'
import { ReturnedAccounts } from './returned-accounts.tsx'
import { Deductions, PayeeAccount, TransferSums } from './transfer-sums.tsx'
import styles from './transfers.module.css'

type Plan = NonNullable<PreviewTransfersQuery['previewTransfers']>
type Planned = Plan['transfers'][number]

const FAILED = '確認できませんでした。通信状態を確認して、もう一度お試しください。'

/** Makes the transfers of a due day. The server refuses when they would differ from the preview that is shown. */
export function TransferCreateDialog({ day, onClose }: { day: PayableDay; onClose: () => void }) {
  const client = useApolloClient()
  const create = useSubmission(CreateTransferBatchDocument)
  const [transferOn, setTransferOn] = useState<string>(day.transferOn)
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const [accounts, setAccounts] = useState<Readonly<Record<string, string>>>({})
  const [plan, setPlan] = useState<Plan>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [acknowledged, setAcknowledged] = useState<string>()
  const request = {
    dueOn: day.dueOn,
    transferOn,
    excludedMonthlyPaymentIds: excluded,
    accountChanges: Object.entries(accounts).map(([monthlyPaymentId, bankAccountId]) => ({
      monthlyPaymentId,
      bankAccountId,
    })),
  }
  const content = JSON.stringify(request)
  const look = useCallback(
    async (isWanted: () => boolean) => {
      const variables = { request: JSON.parse(content) as typeof request }
      try {
        const { data } = await client.query({
          query: PreviewTransfersDocument,
          variables,
          fetchPolicy: 'no-cache',
          errorPolicy: 'none',
        })
        if (!isWanted()) return
        setPlan(data?.previewTransfers)
        setProblem(undefined)
      } catch (error) {
        if (!isWanted()) return
        setPlan(undefined)
        setProblem(textOf(error, FAILED))
      }
    },
    [client, content],
  )
  useEffect(() => {
    let isWanted = true
    setPlan(undefined)
    if (transferOn === '') {
      setProblem('振込指定日を入力してください。')
      return
    }
    void look(() => isWanted)
    return () => {
      isWanted = false
    }
  }, [look, transferOn])
  const send = async () => {
    if (!plan) return
    setBusy(true)
    try {
      const { createTransferBatch: made } = await create({
        request: { ...request, isLateAcknowledged: acknowledged === plan.hash },
        expectedHash: plan.hash,
      })
      showToast({
        tone: 'success',
        message: `振込データ${made.id}（${formatInteger(made.transferCount)}件）を作成しました。内容を確認して出力してください。`,
      })
      // Replaces the dialog's address first, so that going back from the batch leads to the list.
      goTo(addressOf(TRANSFERS_PATH), { replace: true, isFinal: true })
      goTo(addressOf(transferBatchPath(made.id)))
    } catch (error) {
      setProblem(textOf(error, '作成できませんでした。もう一度お試しください。'))
      setBusy(false)
    }
  }
  const isLate = plan?.warnings.some(each => each.code === 'transfer/late-by-law') ?? false
  const canSend =
    plan !== undefined &&
    plan.problems.length === 0 &&
    plan.transfers.length > 0 &&
    !isBusy &&
    (!isLate || acknowledged === plan.hash)
  return (
    <Dialog
      size="large"
      title={`${dayText(day.dueOn as Day)}期日の振込データを作成`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" disabled={!canSend} onClick={() => void send()}>
            {plan ? `${formatInteger(plan.transfers.length)}件の振込データを作成する` : '振込データを作成する'}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <DayInput
          label="振込指定日"
          value={transferOn}
          hint="銀行の営業日で、今日以降の日付を指定してください。"
          onChange={setTransferOn}
        />
        {!day.isLate && transferOn === day.transferOn && day.transferOn !== day.dueOn && (
          <p className={styles.hint} role="status">
            {`支払期日（${dayText(day.dueOn as Day)}）は銀行の休業日になりました。次の営業日を振込指定日にしています。`}
          </p>
        )}
        {transferOn > day.dueOn && transferOn > day.transferOn && (
          <p className={styles.problem} role="status">
            {`支払期日（${dayText(day.dueOn as Day)}）より後の日付です。支払が遅れます。このまま作成してよいか確認してください。`}
          </p>
        )}
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        {!plan && !problem && (
          <p role="status" className={styles.hint}>
            内容を確認しています…
          </p>
        )}
        {plan && (
          <>
            {plan.problems.length > 0 && <Problems plan={plan} onExclude={ids => setExcluded([...excluded, ...ids])} />}
            {plan.warnings.length > 0 && (
              <div className={styles.problem} role="status">
                <p>法令の確認が必要な支払があります。</p>
                <ul>
                  {plan.warnings.map(each => (
                    <li key={`${each.code}${each.payments[0]?.monthlyPaymentId}`}>{each.message}</li>
                  ))}
                </ul>
                {isLate && (
                  <LateAcknowledgement
                    isChecked={acknowledged === plan.hash}
                    onChange={isChecked => setAcknowledged(isChecked ? plan.hash : undefined)}
                  />
                )}
              </div>
            )}
            {excluded.length > 0 && (
              <p className={styles.hint}>
                {`${formatInteger(excluded.length)}件の支払を除いています。除いた支払は、別の振込データでいつでも作成できます。 `}
                <Button tone="quiet" onClick={() => setExcluded([])}>
                  除外を戻す
                </Button>
              </p>
            )}
            <ReturnedAccounts payments={changeable(plan, accounts)} chosen={accounts} onChoose={setAccounts} />
            <TransferSums sums={plan} />
            <p className={styles.hint}>{`振込元 ${plan.sourceName}`}</p>
            {plan.transfers.some(each => each.recordAmounts.length > 1) && (
              <p className={styles.hint}>
                {`1件の限度額（${formatInteger(plan.transferLimit)}円）を超える振込は、同じ口座への数件に分けます。満額の件が先、端数の件が最後です。手数料は1件ごとにかかり、支払先の負担は1件目の分だけで、2件目からは当社の負担です。`}
              </p>
            )}
            <div className={styles.scroll}>
              <DataTable
                caption="作成される振込"
                columns={COLUMNS}
                rows={plan.transfers}
                rowKey={row => row.payments[0]?.monthlyPaymentId ?? row.holder}
                empty={{ title: '振り込める支払がありません' }}
              />
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Problems({ plan, onExclude }: { plan: Plan; onExclude: (ids: readonly string[]) => void }) {
  const ids = plan.problems.flatMap(each => each.payments.map(payment => payment.monthlyPaymentId))
  return (
    <div className={styles.problem} role="alert">
      <p>{`振り込めない支払が${formatInteger(ids.length)}件あります。原因を直すか、除いて作成してください。`}</p>
      <ul>
        {plan.problems.map(each => (
          <li key={`${each.code}${each.payee}${each.payments[0]?.monthlyPaymentId}`}>
            <b>{each.payee}</b>
            <span>{each.message}</span>
          </li>
        ))}
      </ul>
      <Button onClick={() => onExclude(ids)}>振り込めない支払を除く</Button>
    </div>
  )
}

/** Payments that came back, those whose branch has vanished, and those for which another account has been chosen. */
function changeable(plan: Plan, chosen: Readonly<Record<string, string>>) {
  const planned = plan.transfers.flatMap(({ partnerName: payee, payments }) =>
    payments.map(payment => ({ ...payment, payee })),
  )
  const gone = plan.problems
    .filter(each => each.code === 'transfer/branch-gone')
    .flatMap(({ payee, payments }) => payments.map(payment => ({ ...payment, payee })))
  return [
    ...gone,
    ...planned.filter(({ isReturned, monthlyPaymentId }) => isReturned || chosen[monthlyPaymentId] !== undefined),
  ]
}

const COLUMNS: readonly Column<Planned>[] = [
  { id: 'payee', header: '支払先', isHeading: true, cell: row => row.partnerName },
  { id: 'account', header: '振込先', cell: row => <PayeeAccount row={row} /> },
  {
    id: 'including',
    header: '支払額（税込・円）',
    isFigure: true,
    cell: row => formatInteger(row.paymentIncludingTax),
  },
  { id: 'less', header: '差引（円）', isFigure: true, cell: row => <Deductions row={row} /> },
  {
    id: 'amount',
    header: '振込額（円）',
    isFigure: true,
    cell: row => (
      <>
        {formatInteger(row.transferAmount)}
        {row.recordAmounts.length > 1 && (
          <small className={styles.kinds}>{`${formatInteger(row.recordAmounts.length)}件に分けて振込`}</small>
        )}
      </>
    ),
  },
]

/** The texts of the server's refusals; `otherwise` for any other error. */
export function textOf(error: unknown, otherwise: string): string {
  return (
    refusalsOf(error)
      .map(refusal => refusal.message)
      .join('\n') || otherwise
  )
}
