import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { Pager, ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import listStyles from '@pc/ui/list/list.module.css'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconUpload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { MONTH_CLOSE_PATH, PAYMENTS_BY_AGREEMENT_PATH, transferBatchPath } from '../../links.ts'
import { TRANSFER_PAGE_SIZE, type TransferCondition } from '../../transfer-condition.ts'
import { JournalCard } from './journal-card.tsx'
import { LegalDeadlines } from './legal-deadlines.tsx'
import type { PayableDay } from './payable-day.ts'
import type { TransfersQuery } from './transfers.gen.ts'
import styles from './transfers.module.css'

const CreateDialog = lazy(async () => ({
  default: (await import('./transfer-create-dialog.tsx')).TransferCreateDialog,
}))
const ResultDialog = lazy(async () => ({
  default: (await import('./transfer-result-dialog.tsx')).TransferResultDialog,
}))

const WAITING = [
  { value: 'all', label: 'すべて' },
  { value: 'recall', label: '組戻しの承認待ち' },
] as const

type Batch = NonNullable<TransfersQuery['transferBatches']>['nodes'][number]

/** Payments that are to be sent, batches with their results, and the journal. */
export function TransfersView(props: ScreenProps<TransferCondition, TransfersQuery>) {
  const { condition, setCondition, data, viewer, today, retry } = props
  const [chosen, setChosen] = useState<PayableDay>()
  const maySend = viewer.can('write:update', 'insight:monthly_payment.')
  const day = chosen ?? (condition.dialog === 'create' && maySend ? data?.payableDays?.[0] : undefined)
  const closeDialog = () => setCondition({ dialog: 'none' })
  const isWaiting = condition.waiting === 'recall'
  const failure = props.error && !data ? { failure: { retry } } : {}
  return (
    <>
      <ScreenTop title="振込">
        <a className={listStyles.secondary} href={addressOf(MONTH_CLOSE_PATH)}>
          月次締めへ
        </a>
        {maySend && (
          <Button icon={<IconUpload size={16} aria-hidden />} onClick={() => setCondition({ dialog: 'result' })}>
            銀行の結果を取り込む
          </Button>
        )}
      </ScreenTop>
      <div className={styles.stack}>
        {!isWaiting && data?.legalDeadlines && <LegalDeadlines deadlines={data.legalDeadlines} />}
        {!isWaiting && (
          <Card title="これから振り込む支払" note="確定済みで、まだ振込データに入っていないもの" flush>
            <DataTable
              caption="これから振り込む支払"
              columns={payableColumns(maySend ? setChosen : undefined)}
              rows={data?.payableDays ?? []}
              rowKey={row => row.dueOn}
              isLoading={props.isLoading}
              {...failure}
              empty={{
                title: 'これから振り込む支払はありません',
                hint: '月次締めで月を確定すると、支払期日ごとにここに表示されます。',
              }}
            />
            {data?.unpaidReasons && data.unpaidReasons.length > 0 && <Unpaid reasons={data.unpaidReasons} />}
          </Card>
        )}
        <Card
          title="振込データ"
          tools={
            <SegmentedControl
              label="表示する振込データ"
              options={WAITING}
              value={condition.waiting}
              onChange={waiting => setCondition({ waiting, page: 1 })}
            />
          }
          flush
        >
          <DataTable
            caption="振込データの一覧"
            columns={BATCH_COLUMNS}
            rows={data?.transferBatches?.nodes ?? []}
            rowKey={row => row.id}
            isLoading={props.isLoading}
            {...failure}
            empty={
              isWaiting
                ? { title: '承認待ちの組戻しはありません' }
                : { title: '振込データはまだありません', hint: '上の一覧から、支払期日を選んで作成してください。' }
            }
          />
        </Card>
        <Pager
          page={condition.page}
          size={TRANSFER_PAGE_SIZE}
          total={data?.transferBatches?.total ?? 0}
          onPage={page => setCondition({ page })}
        />
        {viewer.can('read:show', 'insight:revenue_detail.') && <JournalCard today={today} />}
      </div>
      <Suspense>
        {day && (
          <CreateDialog
            day={day}
            onClose={() => {
              setChosen(undefined)
              closeDialog()
            }}
          />
        )}
        {condition.dialog === 'create' && maySend && !chosen && data?.payableDays?.length === 0 && (
          <Dialog title="振込データを作成できる支払がありません" onClose={closeDialog}>
            <p>確定済みで、まだ振込データに入っていない支払がありません。月次締めで月を確定すると作成できます。</p>
          </Dialog>
        )}
        {condition.dialog === 'result' && maySend && (
          <ResultDialog
            today={today}
            onClose={() => {
              closeDialog()
              retry()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

function payableColumns(create: ((row: PayableDay) => void) | undefined): readonly Column<PayableDay>[] {
  return [
    {
      id: 'due',
      header: '支払期日',
      isHeading: true,
      cell: row => (
        <span className={styles.words}>
          {dayText(row.dueOn as Day)}
          {row.isLate && <Badge tone="bad">期日を過ぎています</Badge>}
        </span>
      ),
    },
    { id: 'count', header: '支払（件）', isFigure: true, cell: row => formatInteger(row.paymentCount) },
    {
      id: 'returned',
      header: 'うち組戻し（件）',
      isFigure: true,
      cell: row => (row.returnedPaymentCount === 0 ? NO_VALUE : formatInteger(row.returnedPaymentCount)),
    },
    {
      id: 'including',
      header: '支払額（税込・円）',
      isFigure: true,
      cell: row => formatInteger(row.paymentIncludingTax),
    },
    ...(create
      ? [
          {
            id: 'create',
            header: '操作',
            cell: (row: PayableDay) => (
              <Button onClick={() => create(row)} aria-label={`${dayText(row.dueOn as Day)}期日の振込データを作成`}>
                振込データを作成
              </Button>
            ),
          },
        ]
      : []),
  ]
}

function Unpaid({ reasons }: { reasons: NonNullable<TransfersQuery['unpaidReasons']> }) {
  return (
    <div className={styles.unpaid}>
      <h3>直近の確定月で支払にならなかったもの</h3>
      <ul>
        {reasons.map(reason => (
          <li key={reason.reason}>
            {reason.text}
            <span className="num">{`${formatInteger(reason.paymentCount)}件 / 繰越 ${formatInteger(reason.carriedOverToNext)}円`}</span>
          </li>
        ))}
      </ul>
      <a href={addressOf(PAYMENTS_BY_AGREEMENT_PATH)}>契約別の支払で確認する</a>
    </div>
  )
}

const BATCH_COLUMNS: readonly Column<Batch>[] = [
  {
    id: 'id',
    header: '番号',
    isHeading: true,
    cell: row => (
      <a className={styles.link} href={addressOf(transferBatchPath(row.id))}>
        {row.kind === 'by_hand' ? `手作業 ${row.id}` : `振込データ ${row.id}`}
      </a>
    ),
  },
  { id: 'state', header: '状態', cell: row => <BatchState row={row} /> },
  { id: 'on', header: '振込指定日', cell: row => dayText(row.transferOn as Day) },
  { id: 'due', header: '支払期日', cell: row => dayText(row.dueOn as Day) },
  {
    id: 'count',
    header: '振込（件）',
    isFigure: true,
    cell: row => formatInteger(row.transferCount + row.sentAgainCount),
  },
  {
    id: 'amount',
    header: '振込額（円）',
    isFigure: true,
    cell: row => formatInteger(row.transferAmount + row.sentAgainAmount),
  },
  { id: 'by', header: '作成者', cell: row => <span className={styles.person}>{row.createdByEmail ?? NO_VALUE}</span> },
  { id: 'at', header: '作成日時', cell: row => formatInstant(row.createdAt) },
]

/** One word when all transfers of the batch have the same state, otherwise the count of each state. */
export function BatchState({
  row,
}: {
  row: Pick<
    Batch,
    | 'transferCount'
    | 'plannedCount'
    | 'exportedCount'
    | 'paidCount'
    | 'returnedCount'
    | 'cancelledCount'
    | 'recallRequestCount'
    | 'sentAgainCount'
    | 'sentAgainPlannedCount'
    | 'partlyReturnedCount'
    | 'recalledPaymentRequestCount'
  >
}) {
  const parts = [
    { count: row.plannedCount, label: '出力待ち', tone: 'warn' },
    { count: row.exportedCount - row.partlyReturnedCount, label: '結果待ち', tone: 'warn' },
    { count: row.partlyReturnedCount, label: '一部組戻し', tone: 'bad' },
    { count: row.paidCount, label: '支払済み', tone: 'ok' },
    { count: row.returnedCount, label: '組戻し', tone: 'bad' },
    { count: row.cancelledCount, label: '取り消し', tone: 'mute' },
  ] as const
  return (
    <span className={styles.words}>
      {parts
        .filter(part => part.count > 0)
        .map(part => (
          <Badge key={part.label} tone={part.tone}>
            {part.count === row.transferCount ? part.label : `${part.label} ${formatInteger(part.count)}件`}
          </Badge>
        ))}
      {row.sentAgainCount > 0 && (
        <Badge tone={row.sentAgainPlannedCount > 0 ? 'warn' : 'mute'}>
          {row.sentAgainPlannedCount > 0 ? '送り直し（出力待ち）' : '送り直し'}
        </Badge>
      )}
      {row.recallRequestCount > 0 && (
        <Badge tone="bad">{`組戻しの承認待ち ${formatInteger(row.recallRequestCount)}件`}</Badge>
      )}
      {row.recalledPaymentRequestCount > 0 && (
        <Badge tone="bad">{`銀行が支払った組戻し ${formatInteger(row.recalledPaymentRequestCount)}件`}</Badge>
      )}
    </span>
  )
}
