import { useApolloClient } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { isoMonthText, monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { loadPieces } from '@pc/ui/list/load-all.ts'
import { type Selection, selectionColumn, useSelection } from '@pc/ui/list/selection.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { lazy } from '@pc/ui/routing/lazy.ts'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { Suspense, useState } from 'react'
import { STATEMENTS_PATH } from '../links.ts'
import {
  STATEMENT_LIST_ORDERS,
  STATEMENT_PAGE_SIZE,
  type StatementCondition,
  statementCondition,
} from '../statement-condition.ts'
import { saveBundle } from './save-statement.ts'
import { STATEMENT_CSV_COLUMNS } from './statement-csv-columns.ts'
import { StatementFilters } from './statement-filters.tsx'
import { contractText, givenDayText, STATE_TONES, type StatementRow } from './statement-words.ts'
import { StatementsDocument, type StatementsQuery } from './statements.gen.ts'
import styles from './statements.module.css'
import { statementsQuery } from './statements-query.ts'

const StatementDialog = lazy(() =>
  import('./statement-dialog.tsx').then(module => ({ default: module.StatementDialog })),
)
const ConfirmStatementsDialog = lazy(() =>
  import('./confirm-statements-dialog.tsx').then(module => ({ default: module.ConfirmStatementsDialog })),
)
const StaffPanel = lazy(() => import('./staff-panel.tsx').then(module => ({ default: module.StaffPanel })))

/** The list of statements with their confirmation, files and search: for staff all, for a publisher its own. */
export function StatementsView(props: ScreenProps<StatementCondition, StatementsQuery>) {
  const { condition, setCondition, data, viewer } = props
  const media = useMedia()
  const client = useApolloClient()
  const list = data?.statements
  const rows = list?.nodes ?? []
  const selection = useSelection(rows.map(row => row.id))
  const isStaff = isStaffViewer(viewer)
  const mayConfirm = !isStaff && viewer.can('write:update', 'insight:statement.')
  const [isConfirming, setConfirming] = useState(false)
  const waiting = rows.filter(row => row.state === 'issued' && selection.ids.includes(row.id))
  const bulk = isStaff
    ? (ids: readonly string[]) => <BundleButton ids={ids} />
    : () => (
        <Button tone="primary" disabled={waiting.length === 0} onClick={() => setConfirming(true)}>
          {waiting.length === 0
            ? '確認待ちの支払通知書を選択してください'
            : `${formatInteger(waiting.length)}件を確認する`}
        </Button>
      )
  const change = (next: Partial<StatementCondition>) => setCondition({ page: 1, ...next })
  const close = () => setCondition({ id: undefined })
  const openAddress = (id: string) => addressOf(STATEMENTS_PATH, statementCondition.format({ ...condition, id }))
  return (
    <>
      <ListScreen
        title="支払通知書"
        noun="支払通知書"
        columns={columnsOf({ mediumName: media.nameOf, openAddress, ...(isStaff || mayConfirm ? { selection } : {}) })}
        rows={rows}
        rowKey={row => row.id}
        total={list?.total ?? 0}
        page={condition.page}
        pageSize={STATEMENT_PAGE_SIZE}
        onPage={page => setCondition({ page })}
        sort={sortOfOrder(condition.order)}
        onSort={sort => {
          const order = orderOfSort(sort, STATEMENT_LIST_ORDERS)
          if (order) change({ order })
        }}
        isLoading={props.isLoading}
        error={list ? undefined : props.error}
        retry={props.retry}
        isFiltered={isFiltered(condition)}
        onClearFilters={() => setCondition({ ...statementCondition.defaults, order: condition.order })}
        filters={<StatementFilters condition={condition} today={props.today} onChange={change} />}
        summary={
          <>
            {isStaff && (
              <Suspense fallback={null}>
                <StaffPanel viewer={viewer} today={props.today} onChange={props.retry} />
              </Suspense>
            )}
            {list && (
              <div className={styles.head}>
                <StateTabs counts={list.counts} state={condition.state} onState={state => change({ state })} />
                <p className={styles.sum}>
                  合計（税込） <b className="num">{formatInteger(list.sum)}</b>円
                </p>
              </div>
            )}
          </>
        }
        file={{
          fileName: '支払通知書一覧',
          columns: STATEMENT_CSV_COLUMNS,
          pieces: () =>
            loadPieces(async page => {
              const variables = { ...statementsQuery.variables(condition), ...page }
              return (await client.query({ query: StatementsDocument, variables })).data?.statements
            }),
        }}
        {...(isStaff || mayConfirm ? { selection, bulk } : {})}
      />
      <p className={styles.retention}>
        支払通知書は電子取引の記録として、発行の事業年度の申告期限から10年間保存します。発行した内容の変更や削除はできません。
      </p>
      {/* Hidden while one of the statements is open; afterwards it lists those that are still unconfirmed. */}
      {isConfirming && waiting.length > 0 && condition.id === undefined && (
        <Suspense fallback={null}>
          <ConfirmStatementsDialog
            statements={waiting}
            openAddress={openAddress}
            onClose={() => setConfirming(false)}
            onDone={props.retry}
          />
        </Suspense>
      )}
      {condition.id !== undefined && (
        <Suspense fallback={null}>
          <StatementDialog
            key={condition.id}
            id={condition.id}
            viewer={viewer}
            today={props.today}
            onClose={close}
            onChange={props.retry}
          />
        </Suspense>
      )}
    </>
  )
}

function isFiltered(condition: StatementCondition): boolean {
  const { order: _order, page: _page, id: _id, ...filters } = condition
  return statementCondition.format({ ...statementCondition.defaults, ...filters }) !== undefined
}

type Counts = NonNullable<StatementsQuery['statements']>['counts']

/** The states as tabs: each with its own count, which does not change with the tab. */
function StateTabs(props: {
  counts: Counts
  state: StatementCondition['state']
  onState: (state: StatementCondition['state']) => void
}) {
  const { counts, state, onState } = props
  const { issued, objected, confirmed, resolved, replaced } = counts
  const tabs = [
    ['current', 'すべて', issued + objected + confirmed + resolved],
    // This tab is shown only when a link has chosen it.
    ...(state === 'unconfirmed' ? ([['unconfirmed', '未確認', issued + objected]] as const) : []),
    ['issued', '確認待ち', issued],
    ['objected', '照会中', objected],
    ['confirmed', '確認済み', confirmed],
    ['resolved', '回答済み', resolved],
    ['replaced', '差替済み', replaced],
  ] as const
  return (
    <section className={styles.tabs} aria-label="確認の状況">
      {tabs.map(([value, label, count]) => (
        <button key={value} type="button" aria-pressed={value === state} onClick={() => onState(value)}>
          {label} <b className="num">{formatInteger(count)}</b>
          <span className="visually-hidden">件</span>
        </button>
      ))}
    </section>
  )
}

function BundleButton({ ids }: { ids: readonly string[] }) {
  const client = useApolloClient()
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      tone="primary"
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return
        setBusy(true)
        void saveBundle(client, ids).finally(() => setBusy(false))
      }}
    >
      {isBusy ? '作成しています…' : `${ids.length}件をZIPで保存`}
    </Button>
  )
}

function columnsOf(of: {
  mediumName: (id: string) => string
  openAddress: (id: string) => string
  selection?: Selection
}): Column<StatementRow>[] {
  const choice = of.selection
    ? [selectionColumn<StatementRow>(of.selection, { id: row => row.id, name: row => row.numberText })]
    : []
  return [
    ...choice,
    {
      id: 'number',
      header: '番号・契約',
      isHeading: true,
      cell: row => (
        <RowLink address={of.openAddress(row.id)}>
          <span className={styles.name}>
            {row.numberText}
            <small>{row.payeeName}</small>
            <small>{contractText(row)}</small>
          </span>
        </RowLink>
      ),
    },
    { id: 'DEEMEDON', header: '確認の状況', isSortedByServer: true, cell: row => <ConfirmationStatus row={row} /> },
    { id: 'MONTH', header: '発生月', isSortedByServer: true, cell: row => isoMonthText(row.month, NO_VALUE) },
    { id: 'ISSUEDON', header: '発行日', isSortedByServer: true, cell: row => givenDayText(row.issuedOn) },
    {
      id: 'TOTAL',
      header: '支払額（税込・円）',
      isFigure: true,
      isSortedByServer: true,
      cell: row => formatInteger(row.total),
    },
    { id: 'transfer', header: '振込金額（円）', isFigure: true, cell: row => formatInteger(row.transferAmount) },
    { id: 'due', header: '支払期日', cell: row => givenDayText(row.dueOn) },
    { id: 'medium', header: '媒体', cell: row => of.mediumName(row.mediumId) },
  ]
}

/** The short form of `stateNote`, for the list; the dialog shows the whole sentence. */
function confirmationNote({ state, deemedOn, confirmationMethod, isUntold }: StatementRow): string | undefined {
  if (state === 'issued' && isUntold) return '未通知（通知先がありません）'
  if (state === 'issued') return `期限 ${monthDayText(deemedOn as Day)}`
  return state === 'confirmed' && confirmationMethod === 'deemed' ? 'みなし確認' : undefined
}

function ConfirmationStatus({ row }: { row: StatementRow }) {
  const note = confirmationNote(row)
  return (
    <span className={styles.state}>
      <Badge tone={STATE_TONES[row.state]}>{row.stateLabel}</Badge>
      {note && <small>{note}</small>}
    </span>
  )
}
