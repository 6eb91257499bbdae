import { useApolloClient } from '@apollo/client/react'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { ListScreen } from '@pc/ui/list/list-screen.tsx'
import { isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstant, NO_VALUE } from '@pc/ui/text/format.ts'
import { type ReactNode, useState } from 'react'
import {
  MediumArticleRemovalsDocument,
  type MediumArticleRemovalsQuery,
  RestoreMediumArticleDocument,
} from './articles.gen.ts'

type Row = NonNullable<MediumArticleRemovalsQuery['mediumArticleRemovals']>['nodes'][number]

interface RemovalsViewProps {
  viewer: Viewer
  media: { nameOf(id: string): string }
  /** The tabs that lead back to the list of articles. */
  views: ReactNode
}

const PAGE_SIZE = 100

/** The log of removed articles: by whom, why, and until when each can be restored. */
export function RemovalsView({ viewer, media, views }: RemovalsViewProps) {
  const [page, setPage] = useState(1)
  const client = useApolloClient()
  const isStaff = isStaffViewer(viewer)
  const result = useOwnQuery(MediumArticleRemovalsDocument, {
    variables: { offset: (page - 1) * PAGE_SIZE, param: {}, isStaff },
  })
  const list = (result.data ?? result.previousData)?.mediumArticleRemovals
  const restore = async (row: Row) => {
    const isAgreed = await confirm({
      title: `「${row.article.title}」の削除を取り消しますか？`,
      body: '記事は媒体にもう一度掲載されます。',
      action: '削除を取り消す',
    })
    if (!isAgreed) return
    try {
      await client.mutate({ mutation: RestoreMediumArticleDocument, variables: { removalId: row.id } })
      showToast({ tone: 'success', message: '削除を取り消しました。' })
    } catch {
      // The client's error handling has shown the refusal.
    }
    void result.refetch()
  }
  return (
    <ListScreen
      title="記事"
      noun="削除の記録"
      columns={columnsFor(media.nameOf, isStaff, row => void restore(row))}
      rows={list?.nodes ?? []}
      rowKey={row => row.id}
      total={list?.total ?? 0}
      page={page}
      pageSize={PAGE_SIZE}
      onPage={setPage}
      isLoading={result.loading}
      error={list ? undefined : result.error}
      retry={() => void result.refetch()}
      isFiltered={false}
      onClearFilters={() => {}}
      filters={views}
    />
  )
}

function columnsFor(
  mediumName: (id: string) => string,
  isStaff: boolean,
  onRestore: (row: Row) => void,
): readonly Column<Row>[] {
  const by: Column<Row> = { id: 'by', header: '削除した人', cell: row => row.removedByEmail ?? NO_VALUE }
  return [
    { id: 'title', header: 'タイトル', isHeading: true, cell: row => row.article.title },
    { id: 'medium', header: '媒体', cell: row => mediumName(row.article.mediumId) },
    { id: 'reason', header: '理由', cell: row => row.reason },
    { id: 'removedAt', header: '削除日時', cell: row => formatInstant(row.removedAt) },
    ...(isStaff ? [by] : []),
    { id: 'state', header: '取り消し', cell: row => <Undo row={row} onRestore={() => onRestore(row)} /> },
  ]
}

function Undo({ row, onRestore }: { row: Row; onRestore: () => void }) {
  if (row.restoredAt)
    return (
      <Badge tone="ok" title={formatInstant(row.restoredAt)}>
        取り消し済み
      </Badge>
    )
  if (!row.canBeUndone) return <Badge tone="mute">期限終了</Badge>
  return (
    <Button
      aria-label={`「${row.article.title}」の削除を取り消す`}
      title={`${formatInstant(row.undoUntil)} まで取り消せます`}
      onClick={onRestore}
    >
      取り消す
    </Button>
  )
}
