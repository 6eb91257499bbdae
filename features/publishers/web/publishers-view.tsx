import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { ListScreen, RowLink, SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstantDay, formatRateUnits, NO_VALUE } from '@pc/ui/text/format.ts'
import { PUBLISHER_CREATE_PATH, PUBLISHER_FROM_STAGING_PATH, publisherEditPath } from '../links.ts'
import {
  PUBLISHER_LIST_ORDERS,
  PUBLISHER_PAGE_SIZE,
  type PublisherCondition,
  publisherCondition,
} from '../publisher-condition.ts'
import type { PublishersQuery } from './publishers.gen.ts'
import { publishersQuery } from './publishers-query.ts'

type Row = NonNullable<PublishersQuery['publishers']>['nodes'][number]

const LIST = {
  condition: publisherCondition,
  orders: PUBLISHER_LIST_ORDERS,
  pageSize: PUBLISHER_PAGE_SIZE,
  query: publishersQuery,
  list: (data: PublishersQuery) => data.publishers,
} as const

const STATES = [
  { value: 'enabled', label: '有効' },
  { value: 'disabled', label: '無効' },
  { value: 'all', label: 'すべて' },
] as const

/** The list of publishers. */
export function PublishersView(props: ScreenProps<PublisherCondition, PublishersQuery>) {
  const { condition, viewer } = props
  const media = useMedia()
  const canCreate = viewer.can('write:create', 'insight:publisher.')
  const { change, shown, pieces } = useConditionList(props, LIST)
  return (
    <ListScreen
      title="パブリッシャー"
      noun="パブリッシャー"
      columns={columnsFor(media.nameOf, isStaffViewer(viewer))}
      {...shown}
      rowKey={row => row.id}
      filters={
        <>
          <SearchFilter
            label="パブリッシャーを検索"
            placeholder="名前・よみがな・組織名"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => change({ state })} />
        </>
      }
      actions={
        canCreate && (
          <SecondaryLink address={addressOf(PUBLISHER_FROM_STAGING_PATH)}>取り込み待ちから登録</SecondaryLink>
        )
      }
      create={canCreate ? { label: 'パブリッシャーを登録', address: addressOf(PUBLISHER_CREATE_PATH) } : undefined}
      file={{
        fileName: 'パブリッシャー',
        columns: [
          { header: 'ID', cell: row => row.id },
          { header: '名前', cell: row => row.name },
          { header: 'よみがな', cell: row => row.kana },
          { header: '組織', cell: row => row.organization?.name },
          { header: '契約条件（件）', cell: row => row.agreementPublisherRules?.length },
          { header: '状態', cell: row => (row.enabled ? '有効' : '無効') },
          { header: '更新日', cell: row => formatInstantDay(row.updatedAt) },
        ],
        pieces,
      }}
    />
  )
}

function columnsFor(mediumName: (id: string) => string, isStaff: boolean): Column<Row>[] {
  return [
    {
      id: 'NAME',
      header: 'パブリッシャー',
      isHeading: true,
      isSortedByServer: true,
      cell: row => <RowLink address={addressOf(publisherEditPath(row.id))}>{row.name}</RowLink>,
    },
    // Staff needs the id for files of adjustments and statistics, which name publishers by it.
    ...(isStaff ? [{ id: 'id', header: 'パブリッシャーID', cell: (row: Row) => row.id }] : []),
    { id: 'organization', header: '組織', cell: row => row.organization?.name ?? NO_VALUE },
    { id: 'rules', header: '契約条件（支払率）', cell: row => rulesText(row, mediumName) },
    {
      id: 'state',
      header: '状態',
      cell: row => (row.enabled ? <Badge tone="ok">有効</Badge> : <Badge tone="mute">無効</Badge>),
    },
    { id: 'UPDATEDAT', header: '更新日', isSortedByServer: true, cell: row => formatInstantDay(row.updatedAt) },
  ]
}

function rulesText(row: Row, mediumName: (id: string) => string): string {
  const rules = row.agreementPublisherRules ?? []
  if (rules.length === 0) return NO_VALUE
  return rules
    .map(({ mediumId, paymentRate }) =>
      `${mediumName(mediumId)} ${paymentRate ? formatRateUnits(paymentRate.paymentRate) : ''}`.trim(),
    )
    .join('、')
}
