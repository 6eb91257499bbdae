import { useQuery } from '@apollo/client/react'
import type { Day } from '@pc/domain/month/day.ts'
import { formatYearMonth, monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { FoldingCard } from '@pc/ui/elements/folding-card.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import type { Column, Sort } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import styles from './retention.module.css'
import { ScreenUseDocument, type ScreenUseQuery } from './screen-use.gen.ts'

type Use = NonNullable<ScreenUseQuery['screenUse']>[number]

const COLUMNS: readonly Column<Use>[] = [
  {
    id: 'screen',
    header: '画面',
    isHeading: true,
    sortValue: use => use.title ?? use.path,
    cell: use => (
      <span className={styles.text}>
        {use.title ?? use.path}
        {use.title !== null && <small>{use.path}</small>}
      </span>
    ),
  },
  {
    id: 'views',
    header: '閲覧（回）',
    isFigure: true,
    sortValue: use => use.views,
    cell: use => formatInteger(use.views),
  },
  {
    id: 'last',
    header: '最後の閲覧',
    sortValue: use => use.lastViewedAt,
    cell: use => formatInstant(use.lastViewedAt),
  },
]

/** Which screens are used in a month, from the kept page views. */
export function ScreenUseCard({ today }: { today: Day }) {
  const [isOpen, setOpen] = useState(false)
  const [month, setMonth] = useState<YearMonth>(monthOfDay(today))
  return (
    <FoldingCard
      title="画面の利用状況"
      note="ページ閲覧の記録から、画面ごとに数えます"
      tools={<MonthPicker label="対象月" value={month} today={today} onChange={setMonth} />}
      flush
      isOpen={isOpen}
      onToggle={setOpen}
    >
      <ScreenUseTable month={month} />
    </FoldingCard>
  )
}

function ScreenUseTable({ month }: { month: YearMonth }) {
  const [sort, setSort] = useState<Sort>({ columnId: 'views', isDescending: true })
  const { data, loading, error, refetch } = useQuery(ScreenUseDocument, {
    variables: { month: formatYearMonth(month) },
    fetchPolicy: 'network-only',
  })
  return (
    <DataTable<Use>
      caption="画面の利用状況"
      rows={data?.screenUse ?? []}
      rowKey={use => use.path}
      columns={COLUMNS}
      sort={sort}
      onSort={setSort}
      isLoading={loading}
      {...(error ? { failure: { retry: () => void refetch() } } : {})}
      empty={{
        title: 'この月に閲覧された画面はありません',
        hint: '外部のアクセス解析を設定している間の閲覧は、ここに含まれません。',
      }}
    />
  )
}
