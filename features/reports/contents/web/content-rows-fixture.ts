import type { ArticleRowFragment } from './articles-report.gen.ts'
import type { VideoRowFragment } from './videos-report.gen.ts'

const DETAIL = {
  __typename: 'ContentRevenueDetail',
  productAdsRevenue: 9_000,
  retainedRevenue: 4_500,
  effectiveRate: 0.5,
}

/** An article, or a period of articles when it has a date. */
export function articleRow(more: Partial<ArticleRowFragment> = {}, isStaff = false): ArticleRowFragment {
  return {
    ...({ __typename: 'ArticleStats' } as object),
    ...{ articleId: '5', date: null, days: 1, daysWithData: 1, isComplete: true, hasBeenFinalized: true },
    ...{
      publisherId: '12',
      publisherName: 'あさひ出版',
      mediumId: '1',
      title: '秋の味覚を楽しむ',
      url: 'https://news.example/5',
    },
    ...{ publishedAt: '2026-11-01T00:00:00Z', createdAt: '2026-11-01T00:00:00Z' },
    ...{ impression: 12_345, click: 678, ctr: 678 / 12_345, watch: 500, publisherTotalRevenue: 4_500, rpm: 364.52 },
    ...{ engagedTime: null, averageEngagedTime: null, completions: null, completionRate: null },
    ...(isStaff ? { revenueDetail: DETAIL } : {}),
    compared: null,
    ...{ label: null, articles: null },
    ...more,
  }
}

export function videoRow(more: Partial<VideoRowFragment> = {}): VideoRowFragment {
  return {
    ...({ __typename: 'VideoStats' } as object),
    ...{ videoId: '70', date: null, days: 1, daysWithData: 1, isComplete: true, hasBeenFinalized: true },
    ...{
      publisherId: '12',
      publisherName: 'あさひ出版',
      mediumId: '1',
      title: '朝の体操',
      url: 'https://news.example/v/70',
      thumbnailURL: null,
    },
    ...{ duration: 125, publishedAt: '2026-11-01T00:00:00Z', createdAt: '2026-11-01T00:00:00Z' },
    ...{ impression: 1_000, click: 70, ctr: 0.07, watch: 900, watch3s: 500, play_time: 43_219 },
    ...{ average_play_time: 48.02, watch97p: 130, average_watch97p: 130 / 900 },
    ...{ publisherTotalRevenue: 4_500, rpm: 4_500, compared: null },
    ...more,
  }
}
