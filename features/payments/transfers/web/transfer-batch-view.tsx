import { useApolloClient } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { saveBase64 } from '@pc/ui/data/save-base64.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { Pager, ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { ReasonDialog } from '@pc/ui/feedback/reason-dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import listStyles from '@pc/ui/list/list.module.css'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, formatShortDay, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconDownload } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { ExplainableAmounts, ExplainedYen } from '../../core/web/explained-yen.tsx'
import { TRANSFERS_PATH } from '../../links.ts'
import { TRANSFER_ROWS_PAGE_SIZE, type TransferBatchCondition } from '../../transfer-condition.ts'
import { CancelTransferBatchDocument } from './cancel-transfer-batch.gen.ts'
import { ExportTransferBatchDocument } from './export-transfer-batch.gen.ts'
import type { ReturnedItem } from './return-fee-dialog.tsx'
import type { Settling } from './settle-dialog.tsx'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import { TransferFileDocument } from './transfer-file.gen.ts'
import { RecallActions, recallStepOf, recallText } from './transfer-recall.tsx'
import { TransferRecords } from './transfer-records.tsx'
import { TransferResultTemplateDocument } from './transfer-result-template.gen.ts'
import { Deductions, PayeeAccount, TransferSums } from './transfer-sums.tsx'
import { TRANSFER_TONES } from './transfer-tones.ts'
import styles from './transfers.module.css'
import { BatchState } from './transfers-view.tsx'

const SettleDialog = lazy(() => import('./settle-dialog.tsx').then(module => ({ default: module.SettleDialog })))
const ReturnFeeDialog = lazy(() =>
  import('./return-fee-dialog.tsx').then(module => ({ default: module.ReturnFeeDialog })),
)

type Batch = NonNullable<TransferBatchQuery['transferBatch']>
type Transfer = Batch['transfers']['nodes'][number]

/** One bank file: its lines, its downloads, and what became of each. */
export function TransferBatchView(props: ScreenProps<TransferBatchCondition, TransferBatchQuery>) {
  const { data, viewer, condition, retry, ids } = props
  const [settling, setSettling] = useState<Settling>()
  const [feeOf, setFeeOf] = useState<ReturnedItem>()
  const rows = useRef<HTMLDivElement>(null)
  const batch = data?.transferBatch
  const maySend = viewer.can('write:update', 'insight:monthly_payment.')
  const backToRows = () => {
    retry()
    // The button that was pressed goes with its row's state.
    requestAnimationFrame(() => rows.current?.focus())
  }
  const title = batch?.kind === 'by_hand' ? `手作業の支払 ${ids.id}` : `振込データ ${ids.id}`
  return (
    <>
      <ScreenTop title={title} note={batch && <BatchState row={batch} />}>
        <a className={listStyles.secondary} href={addressOf(TRANSFERS_PATH)}>
          一覧へ
        </a>
        {batch && maySend && batch.kind === 'bank_file' && <BatchTools batch={batch} onChange={retry} />}
      </ScreenTop>
      <div className={styles.stack}>
        {batch && <Facts batch={batch} />}
        <div ref={rows} tabIndex={-1} className={styles.rows}>
          <Card
            title="振込の明細"
            flush
            tools={
              batch &&
              maySend &&
              batch.exportedCount > batch.partlyReturnedCount && (
                <Button
                  onClick={() =>
                    setSettling({
                      state: 'paid',
                      transfers: batch.transfers.nodes.filter(
                        each => each.state === 'exported' && !each.hasReturnedRecord,
                      ),
                      on: batch.transferOn,
                      returnFee: batch.usualReturnFee,
                    })
                  }
                >
                  表示中の振込を支払済みにする
                </Button>
              )
            }
          >
            <ExplainableAmounts kind="transfer" condition={condition} onChange={props.setCondition}>
              <DataTable
                caption="振込の明細"
                columns={columnsFor(
                  { transferOn: batch?.transferOn ?? '', today: props.today },
                  // What is sent again belongs to the batch of its transfer; its own records are below.
                  maySend && !isOfResent(batch)
                    ? {
                        settle: next => setSettling({ ...next, returnFee: batch?.usualReturnFee ?? 0 }),
                        onRecall: backToRows,
                        onFee: setFeeOf,
                      }
                    : undefined,
                )}
                rows={batch?.transfers.nodes ?? []}
                rowKey={row => row.id}
                isLoading={props.isLoading}
                {...(props.error && !data ? { failure: { retry } } : {})}
                empty={{ title: '振込データが見つかりません', hint: '一覧から選び直してください。' }}
              />
            </ExplainableAmounts>
          </Card>
        </div>
        <Pager
          page={condition.page}
          size={TRANSFER_ROWS_PAGE_SIZE}
          total={batch?.transfers.total ?? 0}
          onPage={page => props.setCondition({ page })}
        />
        {batch && (
          <TransferRecords
            batch={batch}
            today={props.today}
            actions={
              maySend
                ? { settle: next => setSettling({ ...next, returnFee: batch.usualReturnFee }), onFee: setFeeOf }
                : undefined
            }
          />
        )}
      </div>
      {feeOf && (
        <Suspense fallback={null}>
          <ReturnFeeDialog
            item={feeOf}
            onClose={() => setFeeOf(undefined)}
            onDone={() => {
              setFeeOf(undefined)
              backToRows()
            }}
          />
        </Suspense>
      )}
      {settling && (
        <Suspense fallback={null}>
          <SettleDialog
            settling={settling}
            today={props.today}
            onClose={() => setSettling(undefined)}
            onDone={() => {
              setSettling(undefined)
              backToRows()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** A file of records that came back. */
function isOfResent(batch: Batch | null | undefined): boolean {
  return batch != null && batch.sentAgainCount > 0 && batch.kind === 'bank_file'
}

function Facts({ batch }: { batch: Batch }) {
  const facts = [
    ['振込指定日', dayText(batch.transferOn as Day)],
    ['支払期日', dayText(batch.dueOn as Day)],
    batch.sentAgainCount > 0
      ? (['送り直し', `${formatInteger(batch.sentAgainCount)}件（振込は元の振込データに含まれます）`] as const)
      : (['振込', `${formatInteger(batch.transferCount)}件（支払 ${formatInteger(batch.paymentCount)}件）`] as const),
    ['作成', `${formatInstant(batch.createdAt)} ${batch.createdByEmail ?? ''}`],
    [
      '出力',
      batch.exportedAt ? formatInstant(batch.exportedAt) : batch.kind === 'by_hand' ? '対象外' : 'まだ出力していません',
    ],
    ...(batch.notes === '' ? [] : [['取消の理由', batch.notes] as const]),
  ] as const
  return (
    <Card title="内容">
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {batch.sentAgainCount > 0 ? (
        <p className={styles.figures}>
          {`送り直す金額 ${formatInteger(batch.sentAgainAmount)}円（当社負担の銀行手数料 ${formatInteger(batch.sentAgainFee)}円）`}
        </p>
      ) : (
        <TransferSums sums={batch} />
      )}
      {batch.fileSha256 && (
        <p className={styles.hash}>
          ファイルのSHA-256 <code>{batch.fileSha256}</code>
        </p>
      )}
    </Card>
  )
}

function BatchTools({ batch, onChange }: { batch: Batch; onChange: () => void }) {
  const client = useApolloClient()
  const exportBatch = useSubmission(ExportTransferBatchDocument)
  const cancel = useSubmission(CancelTransferBatchDocument)
  const [isCancelling, setCancelling] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // What failed has its toast already, by the console's error catalogue.
  const attempt = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch {
    } finally {
      setBusy(false)
      onChange()
    }
  }
  const download = async (query: typeof TransferFileDocument | typeof TransferResultTemplateDocument) => {
    const asked = { variables: { id: batch.id }, fetchPolicy: 'no-cache', errorPolicy: 'none' } as const
    if (query === TransferFileDocument) {
      const { data } = await client.query({ query: TransferFileDocument, ...asked })
      const file = data?.transferFile
      if (file) saveBase64(file.fileName, file.contentBase64)
    } else {
      const { data } = await client.query({ query: TransferResultTemplateDocument, ...asked })
      const file = data?.transferResultTemplate
      if (file) saveBase64(file.fileName, file.contentBase64)
    }
  }
  const first = () =>
    attempt(async () => {
      const isAgreed = await confirm({
        title: `振込データ${batch.id}を出力しますか？`,
        body: `${formatInteger(batch.transferCount + batch.sentAgainCount)}件、合計 ${formatInteger(batch.transferAmount + batch.sentAgainAmount)}円のファイルを出力します。支払は「振込データ作成済み」になり、この振込データは取り消せなくなります。`,
        action: '出力する',
      })
      if (!isAgreed) return
      await exportBatch({ id: batch.id })
      await download(TransferFileDocument)
      showToast({ tone: 'success', message: '振込データを出力しました。銀行に送信してください。' })
    })
  const isGivenUp = batch.sentAgainCount > 0 && batch.sentAgainPlannedCount === 0 && !batch.exportedAt
  if (batch.cancelledCount > 0 || isGivenUp) return null
  if (!batch.exportedAt) {
    return (
      <>
        <Button aria-disabled={isBusy} onClick={() => !isBusy && setCancelling(true)}>
          取り消す
        </Button>
        <Button
          tone="primary"
          aria-disabled={isBusy}
          icon={<IconDownload size={16} aria-hidden />}
          onClick={() => void first()}
        >
          振込データを出力する
        </Button>
        {isCancelling && (
          <ReasonDialog
            title="振込データの取り消し"
            about={batch.id}
            note="銀行には何も送られていません。支払は「これから振り込む支払」に戻ります。"
            label="取り消す理由"
            action="取り消す"
            maxLength={200}
            onClose={() => setCancelling(false)}
            onSubmit={async reason => {
              await cancel({ id: batch.id, reason })
              setCancelling(false)
              showToast({ tone: 'success', message: `振込データ${batch.id}を取り消しました。` })
              onChange()
            }}
          />
        )}
      </>
    )
  }
  return (
    <>
      <Button aria-disabled={isBusy} onClick={() => void attempt(() => download(TransferResultTemplateDocument))}>
        結果の記入用CSV
      </Button>
      <Button
        aria-disabled={isBusy}
        icon={<IconDownload size={16} aria-hidden />}
        onClick={() => void attempt(() => download(TransferFileDocument))}
      >
        振込データをダウンロード
      </Button>
    </>
  )
}

interface Days {
  readonly transferOn: string
  readonly today: string
}

interface RowActions {
  readonly settle: (settling: Omit<Settling, 'returnFee'>) => void
  readonly onFee: (item: ReturnedItem) => void
  readonly onRecall: () => void
}

function columnsFor(days: Days, actions: RowActions | undefined): readonly Column<Transfer>[] {
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

function actionColumn({ transferOn, today }: Days, { settle, onRecall, onFee }: RowActions): Column<Transfer> {
  return {
    id: 'actions',
    header: '操作',
    cell: row => {
      const open = (state: Settling['state']) => settle({ state, transfers: [row], on: row.paidOn ?? undefined })
      const recallStep = recallStepOf(row, transferOn, today)
      // Of one that has several records, each has its own.
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
              onRequestPaid={() => settle({ state: 'recalled', transfers: [row], on: transferOn })}
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
