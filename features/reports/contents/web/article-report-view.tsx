import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { ARTICLE_COLUMNS } from '../../article-columns.ts'
import { ARTICLE_DATE_ORDERS, type ContentCondition, contentCondition } from '../../content-condition.ts'
import { Demographics } from '../../core/web/demographics.tsx'
import { ARTICLE_METRICS } from '../../core/web/explanation.tsx'
import { publisherOfContent } from '../../core/web/publisher-links.ts'
import { useReportTools } from '../../core/web/report-tools.tsx'
import { ARTICLES_REPORT_PATH } from '../../links.ts'
import { labelFacts } from './article-labels.tsx'
import type { ArticleReportQuery, ArticleRowFragment } from './articles-report.gen.ts'
import { ARTICLE_SERIES, articleSeriesValues, articleTiles } from './articles-report-view.tsx'
import { ContentDetail } from './content-detail.tsx'
import { ARTICLE_VALUES, type ArticleFigures } from './content-figures.ts'
import { ContentHeading } from './content-heading.tsx'

/** The report of one article. */
export function ArticleReportView(props: ScreenProps<ContentCondition, ArticleReportQuery>) {
  const { ids, data, viewer } = props
  const stats = data?.stats
  const totals = stats?.totals
  // `content` is set even when the range has no data of the article.
  const about = stats?.content ?? totals
  const { condition, setCondition } = props
  const tools = useReportTools({
    ...{ screen: 'article', tables: ['article'], report: 'article', definition: contentCondition },
    ...{ allColumns: ARTICLE_COLUMNS.article, condition, setCondition, viewer },
  })
  return (
    <ContentDetail<ArticleFigures, ArticleRowFragment>
      {...props}
      noun="記事"
      of="article"
      metrics={ARTICLE_METRICS}
      stats={stats}
      heading={
        <ContentHeading
          listTitle="記事レポート"
          listPath={ARTICLES_REPORT_PATH}
          title={about?.title ?? (stats ? `記事 ${ids.articleId}` : '記事')}
          url={about?.url}
          publishedAt={about?.publishedAt}
          mediumId={about?.mediumId}
          publisher={publisherOfContent(about, condition)}
          facts={labelFacts(stats?.articleLabels ?? [], condition)}
        />
      }
      tools={tools}
      itemId={ids.articleId ?? ''}
      publisherId={ids.publisherId ?? ''}
      mediumId={about?.mediumId}
      values={ARTICLE_VALUES}
      orders={ARTICLE_DATE_ORDERS}
      tiles={articleTiles}
      series={ARTICLE_SERIES}
      seriesValues={articleSeriesValues}
      distributions={<Demographics cells={totals?.demographics ?? []} />}
      listPath={ARTICLES_REPORT_PATH}
    />
  )
}
