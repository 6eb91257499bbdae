import { isRetired } from '@pc/domain/medium/medium.ts'
import { type Day, day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { agreementCondition } from '@pc/features/agreements/agreement-condition.ts'
import { AGREEMENTS_PATH } from '@pc/features/agreements/links.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstantDay, formatInteger } from '@pc/ui/text/format.ts'
import { MEDIUM_CREATE_PATH, mediumEditPath } from '../links.ts'
import { MEDIUM_LIST_ORDERS, MEDIUM_PAGE_SIZE, type MediumCondition, mediumCondition } from '../medium-condition.ts'
import type { MediaQuery } from './media.gen.ts'
import { mediaQuery } from './media-query.ts'

type Row = NonNullable<MediaQuery['media']>['nodes'][number]

const LIST = {
  condition: mediumCondition,
  orders: MEDIUM_LIST_ORDERS,
  pageSize: MEDIUM_PAGE_SIZE,
  query: mediaQuery,
  list: (data: MediaQuery) => data.media,
} as const

const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'active', label: '利用中' },
  { value: 'retired', label: '終了' },
] as const

/** The list of media, by default in the order in which filters list them. */
export function MediaView(props: ScreenProps<MediumCondition, MediaQuery>) {
  const { condition, viewer, today } = props
  const { change, shown } = useConditionList(props, LIST)
  const create = viewer.can('write:create', 'insight:medium.')
    ? { label: '媒体を登録', address: addressOf(MEDIUM_CREATE_PATH) }
    : undefined
  return (
    <ListScreen
      title="媒体"
      noun="媒体"
      columns={columnsOn(today)}
      {...shown}
      rowKey={row => row.id}
      nothing={{
        title: '媒体はまだありません',
        hint: create
          ? '契約は媒体ごとに結びます。「媒体を登録」から、最初の媒体を登録してください。'
          : '契約は媒体ごとに結びます。管理者に媒体の登録を依頼してください。',
      }}
      filters={
        <>
          <SearchFilter
            label="媒体を検索"
            placeholder="媒体名・コード・番号"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => change({ state })} />
        </>
      }
      create={create}
    />
  )
}

const columnsOn = (today: Day): readonly Column<Row>[] => [
  {
    id: 'DISPLAYORDER',
    header: '表示順',
    isSortedByServer: true,
    isFigure: true,
    cell: row => formatInteger(row.displayOrder),
  },
  {
    id: 'NAME',
    header: '媒体名',
    isHeading: true,
    isSortedByServer: true,
    cell: row => (
      <RowLink address={addressOf(mediumEditPath(row.id))} isWide>
        {row.name}
      </RowLink>
    ),
  },
  { id: 'ID', header: '媒体番号', isSortedByServer: true, cell: row => row.id },
  { id: 'code', header: 'コード', cell: row => row.code },
  { id: 'state', header: '状態', cell: row => <StateBadge row={row} today={today} /> },
  { id: 'agreements', header: '有効な契約', cell: row => <Agreements row={row} /> },
  { id: 'UPDATEDAT', header: '更新日', isSortedByServer: true, cell: row => formatInstantDay(row.updatedAt) },
]

function StateBadge({ row, today }: { row: Row; today: Day }) {
  if (row.retiredOn === null) return <Badge tone="ok">利用中</Badge>
  const retiredOn = day(row.retiredOn)
  const text = dayText(retiredOn)
  return isRetired({ retiredOn }, today) ? (
    <Badge tone="mute">{`${text} 終了`}</Badge>
  ) : (
    <Badge tone="warn">{`${text} 終了予定`}</Badge>
  )
}

function Agreements({ row }: { row: Row }) {
  const text = `${formatInteger(row.liveAgreementCount)}件`
  if (row.liveAgreementCount === 0) return text
  const condition = { ...agreementCondition.defaults, mediumId: row.id }
  return <a href={addressOf(AGREEMENTS_PATH, agreementCondition.format(condition))}>{text}</a>
}
