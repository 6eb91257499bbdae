import type { Role } from '@pc/domain/access/role.ts'
import { ROLE_LABELS_JA } from '@pc/domain/access/role-labels.ja.ts'
import { tokyoDayOf } from '@pc/domain/month/tokyo-day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { isPublisherUser } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, NO_VALUE } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { ANNOUNCEMENT_CREATE_PATH, announcementPath } from '../links.ts'
import { AnnouncementsDocument, type AnnouncementsQuery } from './announcements.gen.ts'

type Row = NonNullable<AnnouncementsQuery['announcements']>['nodes'][number]

const PAGE_SIZE = 100
const ORDERS = ['STARTAT_DESC', 'STARTAT_ASC', 'UPDATEDAT_DESC', 'UPDATEDAT_ASC'] as const
const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'enabled', label: '公開' },
  { value: 'disabled', label: '非公開' },
] as const

/**
 * The list of announcements. Its filter is local state, because the segment of its address is the id of an
 * announcement.
 */
export function AnnouncementsView({ viewer }: ScreenProps<object, unknown>) {
  const [page, setPage] = useState(1)
  const [order, setOrder] = useState<(typeof ORDERS)[number]>('STARTAT_DESC')
  const [state, setState] = useState<(typeof STATES)[number]['value']>('all')
  const isStaff = viewer.can('write:update', 'insight:announcement.')
  const isReader = isPublisherUser(viewer)
  const media = useMedia()
  const [openedAt] = useState(() => Date.now())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) =>
    setOpened(before => new Set(before.has(key) ? [...before].filter(each => each !== key) : [...before, key]))
  const result = useOwnQuery(AnnouncementsDocument, {
    variables: {
      offset: (page - 1) * PAGE_SIZE,
      orderBy: order,
      param: state === 'all' ? {} : { enabled: state === 'enabled' },
      isStaff,
    },
  })
  const list = (result.data ?? result.previousData)?.announcements
  return (
    <ListScreen
      title="お知らせ"
      noun="お知らせ"
      columns={columnsFor({
        ...{ now: openedAt, onToggle: toggle, isReader },
        mediumName: isStaff ? media.nameOf : undefined,
      })}
      rows={groupedRows(list?.nodes ?? [], opened)}
      rowKey={row => row.id}
      total={list?.total ?? 0}
      page={page}
      pageSize={PAGE_SIZE}
      onPage={setPage}
      sort={sortOfOrder(order)}
      onSort={sort => setOrder(orderOfSort(sort, ORDERS) ?? order)}
      isLoading={result.loading}
      error={list ? undefined : result.error}
      retry={() => void result.refetch()}
      isFiltered={state !== 'all'}
      onClearFilters={() => setState('all')}
      filters={
        !isReader && (
          <SelectFilter
            label="掲載"
            options={STATES}
            value={state}
            onChange={next => {
              setState(next)
              setPage(1)
            }}
          />
        )
      }
      create={
        viewer.can('write:create', 'insight:announcement.')
          ? { label: 'お知らせを作成', address: addressOf(ANNOUNCEMENT_CREATE_PATH) }
          : undefined
      }
    />
  )
}

/** A row, and for the first of several like it what opens and closes the others. */
type GroupedRow = Row & { readonly group?: { readonly key: string; readonly others: number; readonly isOpen: boolean } }

/**
 * The system announces a close to each organisation under the same title. Those of one month are one row, until they are
 * opened.
 */
function groupedRows(rows: readonly Row[], opened: ReadonlySet<string>): readonly GroupedRow[] {
  const groups = Map.groupBy(
    rows,
    row => `${monthOfDay(tokyoDayOf(Date.parse(row.startAt)))} ${row.level} ${row.title}`,
  )
  return [...groups].flatMap(([key, [first, ...others]]): GroupedRow[] => {
    if (!first || others.length === 0) return first ? [first] : []
    const isOpen = opened.has(key)
    return [{ ...first, group: { key, others: others.length, isOpen } }, ...(isOpen ? others : [])]
  })
}

interface ColumnsOptions {
  readonly now: number
  readonly onToggle: (key: string) => void
  /** Readers see only what is published now: columns about that would say nothing. */
  readonly isReader: boolean
  /** Undefined: addressees are not shown. */
  readonly mediumName: ((id: string) => string) | undefined
}

const columnsFor = ({ now, onToggle, isReader, mediumName }: ColumnsOptions): readonly Column<GroupedRow>[] => [
  {
    id: 'title',
    header: 'タイトル',
    isHeading: true,
    cell: row => (
      <>
        <RowLink address={addressOf(announcementPath(row.id))} isWide>
          {row.title}
        </RowLink>
        {row.group && (
          <Button
            tone="quiet"
            aria-expanded={row.group.isOpen}
            aria-label={`「${row.title}」の同じお知らせ${row.group.others}件を${row.group.isOpen ? 'まとめる' : '表示'}`}
            onClick={() => onToggle(row.group!.key)}
          >
            {row.group.isOpen ? 'まとめる' : `ほか${row.group.others}件`}
          </Button>
        )}
      </>
    ),
  },
  {
    id: 'level',
    header: '重要度',
    cell: row => (row.level === 'warn' ? <Badge tone="warn">重要</Badge> : <Badge tone="ok">通常</Badge>),
  },
  ...(mediumName
    ? [{ id: 'targets', header: '宛先', cell: (row: GroupedRow) => targetsText(row.targets ?? [], mediumName) }]
    : []),
  ...columnsIf(!isReader, { id: 'state', header: '掲載', cell: row => <PeriodBadge row={row} now={now} /> }),
  { id: 'STARTAT', header: '掲載開始', isSortedByServer: true, cell: row => formatInstant(row.startAt) },
  { id: 'endAt', header: '掲載終了', cell: row => (row.endAt ? formatInstant(row.endAt) : NO_VALUE) },
  ...columnsIf(!isReader, {
    id: 'UPDATEDAT',
    header: '更新日時',
    isSortedByServer: true,
    cell: row => formatInstant(row.updatedAt),
  }),
]

const columnsIf = (isShown: boolean, column: Column<GroupedRow>) => (isShown ? [column] : [])

const MAX_NAMED_TARGETS = 2

/** 東都新聞社、編集者、ほか3件 */
function targetsText(targets: NonNullable<Row['targets']>, mediumName: (id: string) => string): string {
  if (targets.some(({ kind }) => kind === 'all')) return 'すべてのユーザー'
  const names = targets.map(({ mediumId, organizationName, role }) =>
    mediumId ? mediumName(mediumId) : role ? ROLE_LABELS_JA[role as Role].label : (organizationName ?? NO_VALUE),
  )
  const rest = names.length - MAX_NAMED_TARGETS
  return [...names.slice(0, MAX_NAMED_TARGETS), ...(rest > 0 ? [`ほか${rest}件`] : [])].join('、')
}

/** Whether the announcement is shown now: a published one also depends on its period. */
function PeriodBadge({ row, now }: { row: Row; now: number }) {
  if (!row.enabled) return <Badge tone="mute">非公開</Badge>
  if (Date.parse(row.startAt) > now) return <Badge tone="warn">掲載前</Badge>
  if (row.endAt && Date.parse(row.endAt) <= now) return <Badge tone="mute">終了</Badge>
  return <Badge tone="ok">掲載中</Badge>
}
