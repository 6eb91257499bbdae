import { isoMonthText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { FoldingCard } from '@pc/ui/elements/folding-card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import listStyles from '@pc/ui/list/list.module.css'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { Message } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type BoardRow,
  JOB_STATES,
  kindLabel,
  type ManualOperation,
  methodLabel,
} from '../../core/web/manual-operation-words.ts'
import type { MonthCloseQuery } from '../../core/web/month-close.gen.ts'
import styles from '../../core/web/month-close.module.css'
import { manualOperationCreatePath } from '../../links.ts'
import { manualOperationDraftCondition } from '../../manual-operation-draft-condition.ts'
import { type MonthCloseCondition, shownMonth } from '../../month-close-condition.ts'
import { CloseBoard } from './close-board.tsx'
import { CloseLog } from './close-log.tsx'
import { useBoardWatch } from './use-board-watch.ts'
import { useWithdrawing } from './use-withdrawing.ts'
import { ViolationsBanner } from './violations-banner.tsx'

/** The adjustments of a month with the state of their jobs, and the board that closes the month. */
export function MonthCloseView(props: ScreenProps<MonthCloseCondition, MonthCloseQuery>) {
  const { condition, setCondition, data, viewer, today, retry } = props
  const media = useMedia()
  const month = shownMonth(condition, today)
  const operation = data?.monthlyDividendManualOperations?.nodes[0]
  const manualOperations = operation?.dividends ?? []
  const { computing, noteCompute } = useComputing(data?.monthCloseBoard)
  useBoardWatch({ rows: data?.monthCloseBoard ?? [], manualOperations, isComputing: computing.size > 0, retry })
  const withdraw = useWithdrawing(media.nameOf, retry)
  const open = new Set(data?.monthCloseBoard?.flatMap(row => (row.finalizedAt === null ? [row.mediumId] : [])))
  const isOpen = open.size > 0
  const hasFailed = props.error !== undefined && !data
  const [isListOpen, setListOpen] = useState<boolean>()
  const [isLogOpen, setLogOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const showEntries = () => {
    setListOpen(true)
    list.current?.scrollIntoView({ block: 'center' })
    list.current?.focus({ preventScroll: true })
  }
  const mayCreate = viewer.can('write:create', 'insight:dividend.')
  const createAddress = (draft: Partial<typeof manualOperationDraftCondition.defaults>) =>
    addressOf(
      manualOperationCreatePath(operation?.id ?? month),
      manualOperationDraftCondition.format({ ...manualOperationDraftCondition.defaults, ...draft }),
    )
  const curesOf = (row: ManualOperation) => {
    if (row.jobStatus !== 'failed' || !mayCreate || !open.has(row.mediumId) || isCured(row, manualOperations)) return
    const { kind, mediumId, dividendMethod: method, extraRevenue } = row
    return {
      again: createAddress({ month, kind, mediumId, method, amount: String(extraRevenue) }),
      withdraw: () => void withdraw(row),
      reset: viewer.can('write:delete', 'insight:dividend.')
        ? createAddress({ month, kind: 'reset', mediumId })
        : undefined,
    }
  }
  return (
    <>
      <ScreenTop title="分配金調整">
        <MonthPicker label="対象月" value={month} today={today} onChange={next => setCondition({ month: next })} />
        <a className={listStyles.secondary} href="/docs/first-close.html" target="_blank" rel="noreferrer">
          はじめての月次締め
        </a>
        {mayCreate && isOpen && (
          <a className={listStyles.create} href={createAddress({ month })}>
            <IconPlus size={16} aria-hidden />
            調整を登録
          </a>
        )}
      </ScreenTop>
      <div className={styles.stack}>
        <ViolationsBanner violations={data?.invariantViolations ?? []} mediumName={media.nameOf} />
        {data?.monthCloseBoard && data.monthCloseBoard.length > 0 && (
          <CloseBoard
            month={month}
            rows={data.monthCloseBoard}
            operation={operation}
            viewer={viewer}
            computing={computing}
            onCompute={noteCompute}
            onShowEntries={showEntries}
            onChange={retry}
          />
        )}
        {data?.monthCloseBoard?.length === 0 && (
          <Card title="月次締め" note={`${monthText(month)}分`}>
            <Message title="この月に締める媒体はありません">
              契約のある媒体を、ここで締めます。媒体ごとに、最初に確定した月から始まります。
            </Message>
          </Card>
        )}
        <div ref={list} tabIndex={-1}>
          <FoldingCard
            title="調整の一覧"
            note={`${monthText(month)}分 ${formatInteger(manualOperations.length)}件`}
            flush
            isOpen={isListOpen ?? (props.isLoading || hasFailed || (isOpen && manualOperations.length > 0))}
            onToggle={setListOpen}
          >
            <DataTable
              caption="調整の一覧"
              columns={columnsFor(media.nameOf, row => (
                <JobState row={row} all={manualOperations} cures={curesOf(row)} />
              ))}
              rows={manualOperations}
              rowKey={row => row.id}
              isLoading={props.isLoading}
              {...(hasFailed ? { failure: { retry } } : {})}
              empty={
                mayCreate && isOpen
                  ? {
                      title: 'この月の調整はまだありません',
                      hint: '「調整を登録」から、分配や個別調整を登録できます。',
                    }
                  : { title: 'この月の調整はありません' }
              }
            />
            {operation && (
              <p className={styles.sum}>
                {`分配金合計 ${formatInteger(operation.dividendExtraRevenue)}円（支払 ${formatInteger(operation.dividendExtraRevenuePayment)}円 / 破棄 ${formatInteger(operation.dividendExtraRevenueDiscard)}円）`}
              </p>
            )}
          </FoldingCard>
        </div>
        {data?.monthCloseLog && (
          <CloseLog entries={data.monthCloseLog} mediumName={media.nameOf} isOpen={isLogOpen} onToggle={setLogOpen} />
        )}
      </div>
    </>
  )
}

/** A requested computation counts as ended when the board shows another time of computation, or after this time. */
const MAX_COMPUTATION_MS = 180_000

function useComputing(rows: readonly BoardRow[] | null | undefined) {
  const [requested, setRequested] = useState<ReadonlyMap<string, { before: string | null; until: number }>>(new Map())
  const [now, setNow] = useState(0)
  const computing = new Set(
    [...requested].flatMap(([mediumId, { before, until }]) => {
      const row = rows?.find(each => each.mediumId === mediumId)
      return row && row.computedAt === before && now < until ? [mediumId] : []
    }),
  )
  const notified = useRef(new Set<string>())
  useEffect(() => {
    if (!rows) return
    setNow(Date.now())
    for (const [mediumId, { before, until }] of requested) {
      const row = rows.find(each => each.mediumId === mediumId)
      if (!row || row.computedAt === before || notified.current.has(`${mediumId}/${until}`)) continue
      notified.current.add(`${mediumId}/${until}`)
      showToast({ tone: 'success', message: `${row.mediumName}を計算しました。` })
    }
  }, [rows, requested])
  const noteCompute = (row: BoardRow) => {
    const until = Date.now() + MAX_COMPUTATION_MS
    setRequested(map => new Map(map).set(row.mediumId, { before: row.computedAt, until }))
  }
  return { computing, noteCompute }
}

function columnsFor(
  mediumName: (id: string) => string,
  state: (row: ManualOperation) => ReactNode,
): Column<ManualOperation>[] {
  return [
    {
      id: 'kind',
      header: '種類',
      isHeading: true,
      cell: row => (
        <>
          {kindLabel(row.kind)}
          {row.notes && <small className={styles.note}>{row.notes}</small>}
        </>
      ),
    },
    { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
    { id: 'method', header: '方法', cell: row => methodLabel(row.dividendMethod) },
    { id: 'amount', header: '金額（円）', isFigure: true, cell: row => formatInteger(row.extraRevenue) },
    { id: 'month', header: '発生月', cell: row => isoMonthText(row.extraRevenueMonth, NO_VALUE) },
    { id: 'status', header: '状態', cell: state },
    { id: 'user', header: '登録者', cell: row => row.user.email ?? NO_VALUE },
    { id: 'at', header: '登録日時', cell: row => formatInstant(row.createdAt) },
  ]
}

/**
 * Whether a failed entry no longer prevents the close: it was withdrawn, or a later success of the same kind or a later
 * reset replaces it. `unresolvedFailures` on the server is the same rule.
 */
function isCured(failed: ManualOperation, all: readonly ManualOperation[]): boolean {
  if (failed.withdrawnAt !== null) return true
  return all.some(
    each =>
      each.mediumId === failed.mediumId &&
      each.jobStatus === 'success' &&
      Number(each.id) > Number(failed.id) &&
      (each.kind === failed.kind || each.kind === 'reset'),
  )
}

/** What can be done about a failed entry: enter it again, withdraw it, or reset the month (administrators only). */
interface Cures {
  readonly again: string
  readonly withdraw: () => void
  readonly reset: string | undefined
}

function JobState({
  row,
  all,
  cures,
}: {
  row: ManualOperation
  all: readonly ManualOperation[]
  cures: Cures | undefined
}) {
  const { label, tone } = JOB_STATES[row.jobStatus]
  return (
    <span className={styles.state}>
      <Badge tone={tone}>{label}</Badge>
      {row.jobStatus === 'running' && (
        <progress value={row.progress} max={100} aria-label={`処理の進み具合 ${row.progress}%`} />
      )}
      {row.reversedByDividendId && <Badge tone="mute">取り消し済み</Badge>}
      {row.jobStatus === 'failed' && isCured(row, all) && (
        <Badge tone="mute">{row.withdrawnAt === null ? '対応済み' : '取り下げ済み'}</Badge>
      )}
      {row.failureText && <small>{row.failureText}</small>}
      {cures && <a href={cures.again}>内容を直して登録し直す</a>}
      {cures && (
        <button type="button" onClick={cures.withdraw}>
          この調整を取り下げる
        </button>
      )}
      {cures?.reset && <a href={cures.reset}>この媒体の調整をすべて取り消す</a>}
    </span>
  )
}
