import { chosenRange } from '@pc/domain/condition/default-range.ts'
import type { LabelParam, REPORT_FILTERS } from '@pc/domain/condition/entity-filter.ts'
import { countFilters, FILTER_CONDITIONS, hasFilter, hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import { isMinChangeSet } from '@pc/domain/report/order-by-change.ts'
import { RangePicker } from '@pc/ui/filter/range-picker.tsx'
import { isSortableBy, orderOfSort, sortOfOrder } from '@pc/ui/list/list-order.ts'
import { ListScreen, RowLink } from '@pc/ui/list/list-screen.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { IconMinus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { ChangeOrderFilter } from '../../core/web/change-order-filter.tsx'
import { type ExplainRows, RANKING_METRICS, useExplanation } from '../../core/web/explanation.tsx'
import { figureColumns } from '../../core/web/figure-columns.tsx'
import { ArticlesOnlyNote, LabelFilters, valuesOfArticles } from '../../core/web/label-filters.tsx'
import type { PublisherFigures } from '../../core/web/publisher-figures.ts'
import { articlesAddress, dashboardAddress, videosAddress } from '../../core/web/publisher-links.ts'
import { descriptionOf } from '../../core/web/report-figures.tsx'
import { ComparisonFilter, EntityFilters, nothingIn, PeriodNote } from '../../core/web/report-parts.tsx'
import { useReportTools } from '../../core/web/report-tools.tsx'
import { RANKING_COLUMNS } from '../../ranking-columns.ts'
import { RANKING_ORDERS, RANKING_PAGE_SIZE, type RankingCondition, rankingCondition } from '../../ranking-condition.ts'
import { headerOf, type ReportColumn } from '../../report-columns.ts'
import type { PublisherRankingQuery } from './publisher-ranking.gen.ts'
import styles from './publisher-ranking.module.css'
import { RANKING_VALUES } from './ranking-values.ts'

type Props = ScreenProps<RankingCondition, PublisherRankingQuery>
type Row = NonNullable<PublisherRankingQuery['ranking']>['nodes'][number]
const NO_ROWS: readonly Row[] = []
const VALUES_OF_ARTICLES = valuesOfArticles(RANKING_VALUES)

/** Publishers ranked by a figure, with their change of rank. Staff only. */
export function PublisherRankingView(props: Props) {
  const { condition, setCondition, today, viewer, data } = props
  const tools = useReportTools({
    ...{ screen: 'publisher-ranking', tables: ['publisher-ranking'], report: 'publisher-ranking' },
    ...{ allColumns: RANKING_COLUMNS, definition: rankingCondition, condition, setCondition, viewer },
  })
  const list = data?.ranking
  const range = chosenRange(condition, today)
  const { from, to, mediumId, sectionId, compareWith, orderOf } = condition
  const { explain, drawer } = useExplanation<Row>({
    ...{ metrics: RANKING_METRICS, columns: tools.columns },
    figureOf: row => ({
      ...{ range, compareWith },
      filter: row ? { ...condition, publisherId: [row.publisherId] } : condition,
      name: row && `パブリッシャー「${nameOf(row)}」`,
    }),
  })
  const columns = useMemo(
    () =>
      columnsFor({ from, to, mediumId, sectionId, compareWith }, viewer, tools.columns, list?.totals, explain, orderOf),
    [from, to, mediumId, sectionId, compareWith, viewer, tools.columns, list?.totals, explain, orderOf],
  )
  const change = (next: Partial<RankingCondition>) => setCondition({ page: 1, ...next })
  return (
    <ListScreen
      title="パブリッシャーランキング"
      noun="パブリッシャー"
      columns={columns}
      rows={tools.isKnown ? (list?.nodes ?? NO_ROWS) : NO_ROWS}
      rowKey={row => row.publisherId}
      // No totals when a minimum change hides rows: they would not match the listed ones.
      totalLabel={list?.totals && !isMinChangeSet(condition) ? '合計' : undefined}
      total={list?.total ?? 0}
      page={condition.page}
      pageSize={RANKING_PAGE_SIZE}
      onPage={page => setCondition({ page })}
      sort={sortOfOrder(condition.order)}
      onSort={sort => {
        const order = orderOfSort(sort, RANKING_ORDERS)
        if (order) change({ order })
      }}
      isLoading={props.isLoading || !tools.isKnown}
      error={list ? undefined : props.error}
      retry={props.retry}
      nothing={nothingIn('パブリッシャー')}
      isFiltered={hasFilter(condition) || isMinChangeSet(condition)}
      filterCount={countFilters(condition) + Number(isMinChangeSet(condition))}
      onClearFilters={() => change({ ...FILTER_CONDITIONS.ranking.defaults, minChange: '' })}
      actions={
        <>
          <RangePicker
            label="集計期間"
            value={range}
            today={today}
            onChange={next => change({ from: next?.from, to: next?.to })}
          />
          {tools.toolbar({ range, total: list?.total, pin: { report: 'ranking', range, ...condition } })}
        </>
      }
      filters={
        <>
          <EntityFilters condition={condition} onChange={change} viewer={viewer} />
          <LabelFilters report="ranking" condition={condition} onChange={change} viewer={viewer} />
          <ComparisonFilter
            value={condition.compareWith}
            isOptional={false}
            onChange={compareWith => change({ compareWith })}
          />
          <ChangeOrderFilter value={condition} onChange={change} order={condition.order} columns={tools.columns} />
        </>
      }
      summary={
        <>
          <PeriodNote range={range} compareWith={condition.compareWith} stats={list} />
          {hasLabels(condition) && <ArticlesOnlyNote />}
          {drawer}
        </>
      }
    />
  )
}

type Totals = NonNullable<PublisherRankingQuery['ranking']>['totals']

/** Conditions that a row's links keep. Label filters are among them, because they change which figures there are. */
type Kept = 'from' | 'to' | 'mediumId' | 'compareWith' | (LabelParam & keyof typeof REPORT_FILTERS.ranking)

function columnsFor(
  kept: Pick<RankingCondition, Kept>,
  viewer: Props['viewer'],
  columns: readonly ReportColumn[],
  totals: Totals | undefined,
  explain: ExplainRows<Row>,
  orderOf: RankingCondition['orderOf'],
): Column<Row>[] {
  const values = hasLabels(kept) ? VALUES_OF_ARTICLES : RANKING_VALUES
  const conditionOf = ({ publisherId }: Row) => ({ ...kept, publisherId: [publisherId] })
  const contents = [
    { label: '記事', resource: 'insight:article_stats.' as const, addressOf: articlesAddress },
    { label: '動画', resource: 'insight:video_stats.' as const, addressOf: videosAddress },
  ].filter(({ resource }) => viewer.can('read:list', resource))
  const isSortable = isSortableBy(RANKING_ORDERS)
  return columns.flatMap((column): Column<Row>[] => {
    const about = { id: column.id, header: headerOf(column), description: descriptionOf(column) }
    switch (column.id) {
      case 'rank':
        return [{ ...about, width: 98, cell: row => <Rank row={row} isCompared={Boolean(totals?.compared)} /> }]
      case 'publisher':
        return [
          {
            ...about,
            isHeading: true,
            cell: row => (
              <span className={styles.name}>
                <RowLink address={dashboardAddress(conditionOf(row))}>{nameOf(row)}</RowLink>
              </span>
            ),
          },
          {
            id: 'contents',
            header: '内訳',
            description: 'このパブリッシャーの記事と動画を、同じ期間で開きます。',
            cell: row => (
              <span className={styles.contents}>
                {contents.map(content => (
                  <a
                    key={content.label}
                    href={content.addressOf(conditionOf(row))}
                    aria-label={`${nameOf(row)}の${content.label}`}
                  >
                    {content.label}
                  </a>
                ))}
              </span>
            ),
          },
        ]
      case 'publisherId':
        return [{ ...about, cell: row => <span className="num">{row.publisherId}</span> }]
      default:
        return figureColumns<PublisherFigures, Row>({
          ...{ columns: [column], values, totals, isCompared: true, isSortable, explain, orderOf },
        })
    }
  })
}

function nameOf({ publisherId, publisherName }: Row): string {
  return publisherName ?? `ID ${publisherId}`
}

function Rank({ row, isCompared }: { row: Row; isCompared: boolean }) {
  return (
    <span className={styles.rank}>
      <b>{formatInteger(row.rank)}</b>
      {isCompared && <RankChange change={row.rankChange} />}
    </span>
  )
}

function RankChange({ change }: { change: number | null }) {
  if (change === null) return <span className={styles.rankChange}>初登場</span>
  if (change === 0) {
    return (
      <span className={styles.rankChange}>
        <IconMinus size={12} aria-hidden />
        <span className="visually-hidden">順位は変わりません</span>
      </span>
    )
  }
  return (
    <span className={styles.rankChange} data-direction={change > 0 ? 'up' : 'down'}>
      {formatInteger(Math.abs(change))}
      <span className="visually-hidden">{change > 0 ? 'つ上昇' : 'つ下降'}</span>
    </span>
  )
}
