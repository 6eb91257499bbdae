import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Badge } from '@pc/ui/elements/card.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { ListScreen, RowLink, SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, formatInstantDay, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { FEED_LIST_ORDERS, FEED_PAGE_SIZE, type FeedCondition, feedCondition } from '../feed-condition.ts'
import { FEED_CREATE_PATH, FEED_FROM_STAGING_PATH, feedEditPath } from '../links.ts'
import { FEED_ERROR_WORDS, FEED_STATE_WORDS, FEED_TYPE_OPTIONS } from './feed-words.ts'
import type { FeedsQuery } from './feeds.gen.ts'
import { feedsQuery } from './feeds-query.ts'

type Row = NonNullable<FeedsQuery['feeds']>['nodes'][number]

const LIST = {
  condition: feedCondition,
  orders: FEED_LIST_ORDERS,
  pageSize: FEED_PAGE_SIZE,
  query: feedsQuery,
  list: (data: FeedsQuery) => data.feeds,
} as const

const ALL = { value: 'all', label: 'すべて' } as const
const STATES = [{ value: 'enabled', label: '有効' }, { value: 'disabled', label: '無効' }, ALL] as const
const HEALTHS = [
  ALL,
  ...(['ok', 'quiet', 'failing', 'outage', 'unchecked'] as const).map(value => ({
    value,
    label: FEED_STATE_WORDS[value][0],
  })),
] as const

/** The list of feeds with their health. */
export function FeedsView(props: ScreenProps<FeedCondition, FeedsQuery>) {
  const { condition, viewer } = props
  const media = useMedia()
  const canCreate = viewer.can('write:create', 'insight:feed.')
  const { change, shown, pieces } = useConditionList(props, LIST)
  return (
    <ListScreen
      title="フィード"
      noun="フィード"
      columns={columnsFor(media.nameOf)}
      {...shown}
      rowKey={row => row.id}
      filters={
        <>
          <SearchFilter
            label="フィードを検索"
            placeholder="名前・URL"
            value={condition.q}
            onSearch={q => change({ q })}
          />
          <SelectFilter
            label="媒体"
            options={[{ value: '', label: 'すべて' }, ...media.options]}
            value={condition.mediumId ?? ''}
            onChange={id => change({ mediumId: id === '' ? undefined : id })}
          />
          <SelectFilter
            label="種別"
            options={[ALL, ...FEED_TYPE_OPTIONS]}
            value={condition.type}
            onChange={type => change({ type })}
          />
          <SelectFilter
            label="稼働状況"
            options={HEALTHS}
            value={condition.health}
            onChange={health => change({ health })}
          />
          <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => change({ state })} />
        </>
      }
      actions={
        canCreate && <SecondaryLink address={addressOf(FEED_FROM_STAGING_PATH)}>取り込み待ちから登録</SecondaryLink>
      }
      create={canCreate ? { label: 'フィードを登録', address: addressOf(FEED_CREATE_PATH) } : undefined}
      file={{
        fileName: 'フィード',
        columns: [
          { header: 'ID', cell: row => row.id },
          { header: '名前', cell: row => row.name },
          { header: 'パブリッシャー', cell: row => row.publisher?.name },
          { header: '媒体', cell: row => media.nameOf(row.mediumId) },
          { header: '種別', cell: row => row.type },
          { header: 'URL', cell: row => row.url },
          { header: '稼働状況', cell: row => FEED_STATE_WORDS[row.health.state][0] },
          { header: '状態', cell: row => (row.enabled ? '有効' : '無効') },
        ],
        pieces,
      }}
    />
  )
}

function columnsFor(mediumName: (id: string) => string): Column<Row>[] {
  return [
    {
      id: 'NAME',
      header: 'フィード',
      isHeading: true,
      isSortedByServer: true,
      cell: row => <RowLink address={addressOf(feedEditPath(row.id))}>{row.name}</RowLink>,
    },
    { id: 'publisher', header: 'パブリッシャー', cell: row => row.publisher?.name ?? NO_VALUE },
    { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
    { id: 'type', header: '種別', cell: row => row.type },
    { id: 'health', header: '稼働状況', cell: row => <HealthBadge health={row.health} /> },
    {
      id: 'volume',
      header: '前日の記事数',
      isFigure: true,
      cell: row => (row.health.volumeItems === null ? NO_VALUE : formatInteger(row.health.volumeItems)),
    },
    {
      id: 'state',
      header: '状態',
      cell: row => (row.enabled ? <Badge tone="ok">有効</Badge> : <Badge tone="mute">無効</Badge>),
    },
    { id: 'UPDATEDAT', header: '更新日', isSortedByServer: true, cell: row => formatInstantDay(row.updatedAt) },
  ]
}

function HealthBadge({ health }: { health: Row['health'] }) {
  const [label, tone, meaning] = FEED_STATE_WORDS[health.state]
  const reason = health.errorClass ? `${FEED_ERROR_WORDS[health.errorClass]}。` : ''
  const since = health.failingSince ? `${formatInstant(health.failingSince)} から。` : ''
  return (
    <Badge tone={tone} title={`${meaning}。${reason}${since}`}>
      {label}
    </Badge>
  )
}
