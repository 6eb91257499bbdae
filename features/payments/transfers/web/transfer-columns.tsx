import type { Day } from '@pc/domain/month/day.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInteger, formatShortDay, NO_VALUE } from '@pc/ui/text/format.ts'
import { ExplainedYen } from '../../core/web/explained-yen.tsx'
import type { ResultDraft } from './record-result-dialog.tsx'
import type { ReturnedItem } from './return-fee-dialog.tsx'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import { RecallActions, recallStepOf, recallText } from './transfer-recall.tsx'
import { Deductions, PayeeAccount } from './transfer-sums.tsx'
import { TRANSFER_TONES } from './transfer-tones.ts'
import styles from './transfers.module.css'

type Transfer = NonNullable<TransferBatchQuery['transferBatch']>['transfers']['nodes'][number]

interface Days {
  readonly transferOn: string
  readonly today: string
}

interface RowActions {
  readonly recordResult: (draft: Omit<ResultDraft, 'returnFee'>) => void
  readonly onFee: (item: ReturnedItem) => void
  readonly onRecall: () => void
}

export function transferColumns(days: Days, actions: RowActions | undefined): readonly Column<Transfer>[] {
  return [
    {
      id: 'payee',
      header: '支払先',
      isHeading: true,
      cell: row => (
        <>
          {row.partnerName}
          <small className={styles.note}>
            {`振込${row.id} ${row.records.length > 0 ? '数件に分けて振込 ' : ''}${row.payments.map(each => `${each.agreementName}（${each.revenueGeneratedAtMonth}）`).join('、')}`}
          </small>
        </>
      ),
    },
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
        <ExplainedYen
          id={row.id}
          column="paymentIncludingTax"
          label={`振込${row.id} 振込額`}
          amount={row.transferAmount}
        />
      ),
    },
    {
      id: 'state',
      header: '状態',
      cell: row => (
        <span className={styles.words}>
          {row.hasReturnedRecord ? (
            <Badge tone="bad">一部組戻し</Badge>
          ) : (
            <Badge tone={TRANSFER_TONES[row.state]}>{row.stateLabel}</Badge>
          )}
          <small>{stateText(row, days)}</small>
        </span>
      ),
    },
    ...(actions ? [actionColumn(days, actions)] : []),
  ]
}

function stateText(row: Transfer, { transferOn, today }: Days): string {
  const on = row.returnedOn ?? row.paidOn
  const fee =
    row.returnFee > 0 &&
    `組戻手数料 ${row.returns.length > 1 ? `${row.returns.length}回 ` : ''}${formatInteger(row.returnFee)}円（当社負担）`
  return [
    row.state !== 'exported' && on && formatShortDay(on as Day),
    row.reason,
    fee,
    recallText(row, transferOn, today),
  ]
    .filter(Boolean)
    .join(' ')
}

function actionColumn({ transferOn, today }: Days, { recordResult, onRecall, onFee }: RowActions): Column<Transfer> {
  return {
    id: 'actions',
    header: '操作',
    cell: row => {
      const open = (state: ResultDraft['state']) =>
        recordResult({ state, transfers: [row], on: row.paidOn ?? undefined })
      const recallStep = recallStepOf(row, transferOn, today)
      // In a transfer with several records, each record has a fee of its own, so there is no button here.
      const fee = row.returns.length > 0 && row.records.length === 0 && (
        <Button tone="quiet" aria-label={`振込${row.id}の組戻手数料を修正`} onClick={() => onFee(row)}>
          組戻手数料を修正
        </Button>
      )
      if (recallStep) {
        return (
          <span className={styles.actions}>
            <RecallActions
              row={row}
              step={recallStep}
              onChange={onRecall}
              onRequestPaid={() => recordResult({ state: 'recalled', transfers: [row], on: transferOn })}
            />
            {fee}
          </span>
        )
      }
      if (row.state !== 'exported' && row.state !== 'paid') {
        return fee ? <span className={styles.actions}>{fee}</span> : NO_VALUE
      }
      return (
        <span className={styles.actions}>
          {row.state === 'exported' && !row.hasReturnedRecord && (
            <Button tone="quiet" aria-label={`振込${row.id}を支払済みにする`} onClick={() => open('paid')}>
              支払済みにする
            </Button>
          )}
          <Button tone="quiet" aria-label={`振込${row.id}を組戻しにする`} onClick={() => open('returned')}>
            組戻しにする
          </Button>
          {fee}
        </span>
      )
    },
  }
}
