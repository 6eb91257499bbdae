import type { Day } from '@pc/domain/month/day.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger, formatShortDay, NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense, useState } from 'react'
import { transferBatchPath } from '../../links.ts'
import type { ResultDraft } from './record-result-dialog.tsx'
import type { Resending } from './resend-dialog.tsx'
import type { ReturnedItem } from './return-fee-dialog.tsx'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import { TRANSFER_TONES } from './transfer-tones.ts'
import styles from './transfers.module.css'

const ResendDialog = lazy(() => import('./resend-dialog.tsx').then(module => ({ default: module.ResendDialog })))

type Batch = NonNullable<TransferBatchQuery['transferBatch']>
type Transfer = Batch['transfers']['nodes'][number]
type Row = Transfer['records'][number] & { readonly transfer: Transfer; readonly returns: Transfer['returns'] }

interface RecordActions {
  readonly recordResult: (draft: Omit<ResultDraft, 'returnFee'>) => void
  readonly onFee: (item: ReturnedItem) => void
}

const returnsOf = (transfer: Transfer, id: string) => transfer.returns.filter(each => each.returnedId === id)

const openOf = (transfer: Transfer) => transfer.records.filter(each => each.state === 'returned' && !each.isSentAgain)

/** The records of transfers above the limit, each with its state and, when it came back, the way to send it again. */
export function TransferRecords(props: { batch: Batch; today: string; actions: RecordActions | undefined }) {
  const { batch, today, actions } = props
  const [resending, setResending] = useState<Resending>()
  const split = batch.transfers.nodes.filter(transfer => transfer.records.length > 0)
  if (split.length === 0) return null
  const partly = split.filter(transfer => transfer.hasReturnedRecord)
  return (
    <Card
      title="数件に分けた振込"
      note={`1件の限度額（${formatInteger(batch.transferLimit)}円）を超える振込です。すべての件が支払済みになると、振込も支払済みになります。手数料は1件ごとにかかり、支払先の負担は1件目の分だけです。`}
      flush
    >
      {partly.map(transfer => (
        <Returned key={transfer.id} transfer={transfer} onResend={actions && setResending} />
      ))}
      <DataTable<Row>
        caption="数件に分けた振込"
        columns={columnsFor(batch, today, actions)}
        rows={split.flatMap(transfer =>
          transfer.records.map(record => ({ ...record, transfer, returns: returnsOf(transfer, record.id) })),
        )}
        rowKey={row => row.id}
        empty={{ title: '分けた振込はありません' }}
      />
      {resending && (
        <Suspense>
          <ResendDialog resending={resending} today={today} onClose={() => setResending(undefined)} />
        </Suspense>
      )}
    </Card>
  )
}

function Returned(props: { transfer: Transfer; onResend: ((resending: Resending) => void) | undefined }) {
  const { transfer, onResend } = props
  const { id: transferId, partnerName } = transfer
  const open = openOf(transfer)
  const ids = open.map(each => each.id)
  const amount = open.reduce((sum, each) => sum + each.amount, 0)
  return (
    <div className={styles.partly} role="status">
      <p>
        {`${partnerName}への振込${transferId}のうち、${ids.join('・')}（${formatInteger(amount)}円）が組戻しになりました。この分を送り直すか、ほかの方法で支払ってから支払済みにしてください。すべての件が組戻しになると、支払は「これから振り込む支払」に戻ります。`}
      </p>
      {onResend && (
        <Button
          tone="primary"
          aria-label={`振込${transferId}の組戻しになった件を送り直す`}
          onClick={() => onResend({ transferId, partnerName, ids, amount })}
        >
          送り直す
        </Button>
      )}
    </div>
  )
}

function columnsFor(batch: Batch, today: string, actions: RecordActions | undefined): readonly Column<Row>[] {
  return [
    { id: 'id', header: '番号', isHeading: true, cell: row => row.id },
    { id: 'payee', header: '支払先', cell: row => row.transfer.partnerName },
    { id: 'amount', header: '振込額（円）', isFigure: true, cell: row => formatInteger(row.amount) },
    { id: 'fee', header: '銀行手数料（円）', isFigure: true, cell: row => formatInteger(row.fee) },
    {
      id: 'batch',
      header: '振込データ',
      cell: row =>
        row.batchId === batch.id ? (
          'この振込データ'
        ) : (
          <a className={styles.link} href={addressOf(transferBatchPath(row.batchId))}>
            {row.batchId}
          </a>
        ),
    },
    {
      id: 'state',
      header: '状態',
      cell: row => (
        <span className={styles.words}>
          <Badge tone={TRANSFER_TONES[row.state]}>{row.stateLabel}</Badge>
          <small>{stateText(row)}</small>
        </span>
      ),
    },
    ...(actions ? [actionColumn(today, actions)] : []),
  ]
}

function stateText(row: Row): string {
  const on = row.returnedOn ?? row.paidOn
  const fee = row.returns.reduce((sum, each) => sum + each.fee, 0)
  const again = row.isSentAgain
    ? row.transfer.records.filter(each => each.replacesId === row.id && each.state !== 'cancelled')
    : []
  return [
    on && formatShortDay(on as Day),
    row.reason,
    row.replacesId && `${row.replacesId}の送り直し`,
    fee > 0 && `組戻手数料 ${formatInteger(fee)}円（当社負担）`,
    again.length > 0 && `${again.map(each => each.id).join('・')}で送り直し済み`,
  ]
    .filter(Boolean)
    .join(' ')
}

function actionColumn(today: string, { recordResult, onFee }: RecordActions): Column<Row> {
  return {
    id: 'actions',
    header: '操作',
    cell: row => {
      const named = [{ id: row.id, partnerName: row.transfer.partnerName, transferAmount: row.amount }]
      const fee = row.returns.length > 0 && (
        <Button
          tone="quiet"
          aria-label={`振込${row.id}の組戻手数料を修正`}
          onClick={() => onFee({ id: row.id, partnerName: row.transfer.partnerName, returns: row.returns })}
        >
          組戻手数料を修正
        </Button>
      )
      const isElsewhere = row.state === 'returned' && !row.isSentAgain && row.transfer.state === 'exported'
      if (isElsewhere) {
        const note = '銀行の画面など、ほかの方法でこの件を支払ったことを確認してください。'
        return (
          <span className={styles.actions}>
            <Button
              tone="quiet"
              aria-label={`振込${row.id}をほかの方法で支払済みにする`}
              onClick={() => recordResult({ state: 'paid', transfers: named, on: undefined, note })}
            >
              ほかの方法で支払済みにする
            </Button>
            {fee}
          </span>
        )
      }
      // Before the day only the whole transfer can be recalled, so a record has no result yet.
      const canRecordResult = (row.state === 'exported' && row.transferOn <= today) || row.state === 'paid'
      if (!canRecordResult) return fee ? <span className={styles.actions}>{fee}</span> : NO_VALUE
      const note =
        '組戻しになった件だけを登録します。残りの件が支払済みのあいだ、支払は「振込データ作成済み」のままです。'
      return (
        <span className={styles.actions}>
          {row.state === 'exported' && (
            <Button
              tone="quiet"
              aria-label={`振込${row.id}を支払済みにする`}
              onClick={() => recordResult({ state: 'paid', transfers: named, on: row.transferOn })}
            >
              支払済みにする
            </Button>
          )}
          <Button
            tone="quiet"
            aria-label={`振込${row.id}を組戻しにする`}
            onClick={() => recordResult({ state: 'returned', transfers: named, on: undefined, note })}
          >
            組戻しにする
          </Button>
          {fee}
        </span>
      )
    },
  }
}
