import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { Pager, ScreenTop } from '@pc/ui/elements/list-top.tsx'
import listStyles from '@pc/ui/list/list.module.css'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { Suspense, useRef, useState } from 'react'
import { ExplainableAmounts } from '../../core/web/explained-yen.tsx'
import { TRANSFERS_PATH } from '../../links.ts'
import { TRANSFER_ROWS_PAGE_SIZE, type TransferBatchCondition } from '../../transfer-condition.ts'
import type { ResultDraft } from './record-result-dialog.tsx'
import type { ReturnedItem } from './return-fee-dialog.tsx'
import type { TransferBatchQuery } from './transfer-batch.gen.ts'
import { BatchTools } from './transfer-batch-tools.tsx'
import { transferColumns } from './transfer-columns.tsx'
import { TransferRecords } from './transfer-records.tsx'
import { TransferSums } from './transfer-sums.tsx'
import styles from './transfers.module.css'
import { BatchState } from './transfers-view.tsx'

const RecordResultDialog = lazy(() =>
  import('./record-result-dialog.tsx').then(module => ({ default: module.RecordResultDialog })),
)
const ReturnFeeDialog = lazy(() =>
  import('./return-fee-dialog.tsx').then(module => ({ default: module.ReturnFeeDialog })),
)

type Batch = NonNullable<TransferBatchQuery['transferBatch']>

/** One bank file: its lines, its downloads, and what became of each. */
export function TransferBatchView(props: ScreenProps<TransferBatchCondition, TransferBatchQuery>) {
  const { data, viewer, condition, retry, ids } = props
  const [draft, setDraft] = useState<ResultDraft>()
  const [feeOf, setFeeOf] = useState<ReturnedItem>()
  const rows = useRef<HTMLDivElement>(null)
  const batch = data?.transferBatch
  const maySend = viewer.can('write:update', 'insight:monthly_payment.')
  const backToRows = () => {
    retry()
    // The pressed button disappears when its row changes state, so the focus moves to the rows.
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
        {batch && batch.findings.length > 0 && <Findings batch={batch} />}
        {batch && <Facts batch={batch} />}
        <div ref={rows} tabIndex={-1} className={styles.rows}>
          <Card
            title="振込の明細"
            {...(batch && maySend && batch.exportedCount > 0 && batch.transferOn > props.today
              ? { note: `振込指定日（${dayText(batch.transferOn as Day)}）から、結果を登録できます` }
              : {})}
            flush
            tools={
              batch &&
              maySend &&
              batch.exportedCount > batch.partlyReturnedCount &&
              batch.transferOn <= props.today && (
                <Button
                  onClick={() =>
                    setDraft({
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
                columns={transferColumns(
                  { transferOn: batch?.transferOn ?? '', today: props.today },
                  // In a batch that sends records again, results are recorded per record in the table below.
                  maySend && !isOfResent(batch)
                    ? {
                        recordResult: next => setDraft({ ...next, returnFee: batch?.usualReturnFee ?? 0 }),
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
                ? { recordResult: next => setDraft({ ...next, returnFee: batch.usualReturnFee }), onFee: setFeeOf }
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
      {draft && (
        <Suspense fallback={null}>
          <RecordResultDialog
            draft={draft}
            today={props.today}
            onClose={() => setDraft(undefined)}
            onDone={() => {
              setDraft(undefined)
              backToRows()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Whether the batch sends returned records again. */
function isOfResent(batch: Batch | null | undefined): boolean {
  return batch != null && batch.sentAgainCount > 0 && batch.kind === 'bank_file'
}

/** The findings about a file that is not written yet. */
function Findings({ batch }: { batch: Batch }) {
  return (
    <section className={styles.problem} aria-label="出力前の確認">
      <p>出力する前に確認が必要な支払があります。</p>
      <ul>
        {batch.findings.map(each => (
          <li key={[each.code, ...each.monthlyPaymentIds].join(' ')}>{each.message}</li>
        ))}
      </ul>
    </section>
  )
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
    ...(batch.notes === '' ? [] : [['取り消しの理由', batch.notes] as const]),
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
