import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { SegmentedControl } from '@pc/ui/filter/segmented-control.tsx'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { selectionColumn, useSelection } from '@pc/ui/list/selection.tsx'
import { useConditionList } from '@pc/ui/list/use-condition-list.ts'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant } from '@pc/ui/text/format.ts'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  ARTICLE_LIST_ORDERS,
  ARTICLE_PAGE_SIZE,
  type ArticleCondition,
  articleCondition,
} from '../article-condition.ts'
import type { MediumArticlesQuery } from './articles.gen.ts'
import { articlesQuery } from './articles-query.ts'
import { RemovalDialog } from './removal-dialog.tsx'
import { RemovalsView } from './removals-view.tsx'

type Row = NonNullable<MediumArticlesQuery['mediumArticles']>['nodes'][number]

const LIST = {
  condition: articleCondition,
  orders: ARTICLE_LIST_ORDERS,
  pageSize: ARTICLE_PAGE_SIZE,
  query: articlesQuery,
  list: (data: MediumArticlesQuery) => data.mediumArticles,
  notFilters: ['view'],
} as const

const VIEWS = [
  { value: 'listed', label: '掲載中' },
  { value: 'removed', label: '削除の記録' },
] as const

/** The list of articles, with search. Articles can be removed with a reason, and restored for some time. */
export function ArticlesView(props: ScreenProps<ArticleCondition, MediumArticlesQuery>) {
  const { condition, viewer } = props
  const media = useMedia()
  const { change, shown, pieces } = useConditionList(props, LIST)
  const { rows } = shown
  const selection = useSelection(rows.map(row => row.articleId))
  const [removing, setRemoving] = useState<readonly Row[]>([])
  const canRemove = viewer.can('write:delete', 'insight:medium_article.')
  const views = (
    <SegmentedControl label="表示する記事" options={VIEWS} value={condition.view} onChange={view => change({ view })} />
  )
  if (condition.view === 'removed') return <RemovalsView viewer={viewer} media={media} views={views} />
  return (
    <>
      <ListScreen
        title="記事"
        noun="記事"
        columns={[
          ...(canRemove
            ? [selectionColumn<Row>(selection, { id: row => row.articleId, name: row => `「${row.title}」` })]
            : []),
          ...columnsFor(media.nameOf, canRemove ? row => setRemoving([row]) : undefined),
        ]}
        {...shown}
        rowKey={row => row.articleId}
        filters={
          <>
            {views}
            <SearchFilter
              label="記事を検索"
              placeholder="タイトル・ID・URL"
              value={condition.q}
              onSearch={q => change({ q })}
            />
            <SelectFilter
              label="媒体"
              options={[{ value: '', label: 'すべて' }, ...media.options]}
              value={condition.mediumId ?? ''}
              onChange={id => change({ mediumId: id === '' ? undefined : id })}
            />
          </>
        }
        file={{
          fileName: '記事',
          columns: [
            { header: '記事ID', cell: row => row.articleId },
            { header: '媒体', cell: row => media.nameOf(row.mediumId) },
            { header: '媒体の記事ID', cell: row => row.mediumArticleId },
            { header: 'タイトル', cell: row => row.title },
            { header: 'URL', cell: row => row.url },
            { header: '公開日時', cell: row => formatInstant(row.publishedAt) },
          ],
          pieces,
        }}
        {...(canRemove ? { selection } : {})}
        bulk={ids => (
          <Button
            tone="danger"
            icon={<IconTrash size={16} aria-hidden />}
            onClick={() => setRemoving(rows.filter(row => ids.includes(row.articleId)))}
          >
            {`${ids.length}件を削除`}
          </Button>
        )}
      />
      {removing.length > 0 && (
        <RemovalDialog
          articles={removing}
          onClose={() => setRemoving([])}
          onChanged={() => {
            selection.clear()
            props.retry()
          }}
        />
      )}
    </>
  )
}

function columnsFor(
  mediumName: (id: string) => string,
  onRemove: ((row: Row) => void) | undefined,
): readonly Column<Row>[] {
  const removal: Column<Row> = {
    id: 'remove',
    header: '操作',
    cell: row => (
      <Button tone="quiet" aria-label={`「${row.title}」を削除`} onClick={() => onRemove?.(row)}>
        削除
      </Button>
    ),
  }
  return [
    {
      id: 'title',
      header: 'タイトル',
      isHeading: true,
      cell: row => (
        <a href={row.url} target="_blank" rel="noopener noreferrer">
          {row.title} <IconExternalLink size={13} aria-label="新しいタブで開く" />
        </a>
      ),
    },
    { id: 'ID', header: '記事ID', isFigure: true, isSortedByServer: true, cell: row => row.articleId },
    { id: 'medium', header: '媒体', cell: row => mediumName(row.mediumId) },
    { id: 'mediumArticleId', header: '媒体の記事ID', cell: row => row.mediumArticleId },
    { id: 'PUBLISHEDAT', header: '公開日時', isSortedByServer: true, cell: row => formatInstant(row.publishedAt) },
    ...(onRemove ? [removal] : []),
  ]
}
