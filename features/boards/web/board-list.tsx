import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge } from '@pc/ui/elements/card.tsx'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { lazyPart } from '@pc/ui/routing/lazy-part.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInstantDay } from '@pc/ui/text/format.ts'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { boardCondition } from '../board-condition.ts'
import { BOARDS_PATH } from '../links.ts'
import { type BoardsProps, ownerText } from './board-words.ts'
import { BoardsDocument, type BoardsQuery } from './boards.gen.ts'

type Row = BoardsQuery['boards']['nodes'][number]
const PAGE_SIZE = 100

const BoardDialog = lazyPart(async () => (await import('./board-dialog.tsx')).BoardDialog)

/** The list of own and shared boards. */
export function BoardList({ viewer, setCondition }: BoardsProps) {
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const result = useOwnQuery(BoardsDocument, { variables: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } })
  const list = (result.data ?? result.previousData)?.boards
  return (
    <>
      <ListScreen
        title="ボード"
        noun="ボード"
        columns={COLUMNS}
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
        filters={
          <p style={{ margin: 0, color: 'var(--fg2)' }}>
            レポートの「…」にある「ボードに追加」で、よく見るグラフ・表・数値を1つの画面にまとめられます。
          </p>
        }
        actions={
          viewer.can('write:update', 'insight:board.') && (
            <Button tone="primary" icon={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              ボードを作成
            </Button>
          )
        }
      />
      {isCreating && (
        <Suspense>
          <BoardDialog
            viewer={viewer}
            onClose={() => setCreating(false)}
            onSaved={board => setCondition({ board: board.id })}
          />
        </Suspense>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: '名前',
    isHeading: true,
    cell: row => (
      <RowLink address={addressOf(BOARDS_PATH, boardCondition.format({ board: row.id }))}>{row.name}</RowLink>
    ),
  },
  { id: 'tiles', header: 'タイル', cell: row => `${row.tiles.length}枚` },
  {
    id: 'shared',
    header: '公開範囲',
    cell: row => (row.sharedRoles.length > 0 ? <Badge tone="ok">共有中</Badge> : <Badge tone="mute">自分だけ</Badge>),
  },
  { id: 'owner', header: '作成者', cell: row => ownerText(row) },
  { id: 'updatedAt', header: '更新日', cell: row => formatInstantDay(row.updatedAt) },
]
