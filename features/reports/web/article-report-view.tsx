import type { ScreenProps } from '@pc/ui/define-route.ts'
import type { ContentCondition } from '../content-condition.ts'
import { ARTICLES_REPORT_PATH } from '../links.ts'
import type { ArticleReportQuery, ArticleRowFragment } from './articles-report.gen.ts'
import { ARTICLE_SERIES, articleSeriesValues, articleTiles } from './articles-report-view.tsx'
import { ContentDetail } from './content-detail.tsx'
import { type ArticleFigures, articleFigures } from './content-figures.ts'
import { ContentHeading } from './content-heading.tsx'
import { HeatTable } from './heat-table.tsx'

/** One article. */
export function ArticleReportView(props: ScreenProps<ContentCondition, ArticleReportQuery>) {
  const { ids, data, viewer } = props
  const stats = data?.stats
  const totals = stats?.totals
  const hasDetail = viewer.can('read:show', 'insight:revenue_detail.')
  return (
    <ContentDetail<ArticleFigures, ArticleRowFragment>
      {...props}
      noun="記事"
      stats={stats}
      heading={
        <ContentHeading
          listTitle="記事レポート"
          listPath={ARTICLES_REPORT_PATH}
          title={totals?.title ?? `記事 ${ids.articleId}`}
          url={totals?.url}
          publishedAt={totals?.publishedAt}
          mediumId={totals?.mediumId}
        />
      }
      figures={articleFigures(hasDetail)}
      tiles={articleTiles}
      series={ARTICLE_SERIES}
      seriesValues={articleSeriesValues}
      distributions={<HeatTable cells={totals?.demographics ?? []} />}
      fileName={`article-${ids.articleId}`}
      listPath={ARTICLES_REPORT_PATH}
    />
  )
}
