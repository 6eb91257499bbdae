/** Screens of the reports. */
export const DASHBOARD_PATH = '/reports/dashboard'
export const PUBLISHER_RANKING_PATH = '/reports/publisher-ranking'
export const FEE_FAIRNESS_PATH = '/reports/publisher-ranking/fairness'
export const ARTICLES_REPORT_PATH = '/reports/articles'
export const ARTICLE_REPORT_PATH = '/reports/articles/$articleId/$publisherId'
export const VIDEOS_REPORT_PATH = '/reports/video'
export const VIDEO_REPORT_PATH = '/reports/video/$videoId/$publisherId'
export const REPORT_EMAILS_PATH = '/reports/mails'

export function articleReportPath(articleId: string, publisherId: string): `/${string}` {
  return `${ARTICLES_REPORT_PATH}/${articleId}/${publisherId}`
}

export function videoReportPath(videoId: string, publisherId: string): `/${string}` {
  return `${VIDEOS_REPORT_PATH}/${videoId}/${publisherId}`
}
