import { decide } from '@pc/domain/access/decide.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday, monthDayText, weekdayText } from '@pc/domain/month/day-text.ja.ts'
import { changeSign, changeTenths } from '@pc/domain/report/change.ts'
import { COMPARISON_LABELS } from '@pc/domain/report/comparison.ts'
import { lateMediaText, OWN_DAYS } from '@pc/domain/report/late-media.ja.ts'
import { SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import { MAX_WAIT_HOURS, REPORT_EMAIL_BOUNDS } from '@pc/domain/report/report-email.ts'
import { dayAt } from '@pc/platform/clock.ts'
import { type EmailTable, renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { hasArrived } from '../../core/server/day-arrival.ts'
import { CONTENT_FIGURES, DASHBOARD_FIGURES, RANKING_FIGURES } from '../../core/server/export-figures.ts'
import type { Sums } from '../../core/server/figure-sums.ts'
import { readFilterNames } from '../../core/server/filter-names.ts'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { DASHBOARD_PATH, REPORT_EMAILS_PATH } from '../../links.ts'
import { reportEmailCondition } from '../../report-email-condition.ts'
import type { EmailedReports, EmailedSummary } from './emailed-reports.ts'
import { filterOf, type QueuedEmail } from './report-email-store.ts'

interface RenderDependencies extends ReportSources {
  readonly reports: EmailedReports
  readonly webOrigin: string
}

/** The figures in the email, in order. */
const FIGURES = [
  { id: 'revenue', label: SUMMARY_METRICS.publisherTotalRevenue.label, unit: '円' },
  { id: 'impressions', label: SUMMARY_METRICS.impressions.label, unit: '回' },
  { id: 'clicks', label: SUMMARY_METRICS.clicks.label, unit: '回' },
  { id: 'ctr', label: SUMMARY_METRICS.ctr.label, unit: '%' },
  { id: 'watchCount', label: SUMMARY_METRICS.watchCount.label, unit: '回' },
] as const

/**
 * Renders an email with the reader's rights at this moment: the figures that the reader's dashboard shows for the same days
 * and filter. Undefined when the reader may see no reports.
 * Tested by `features/reports/report-emails/server/report-emails.test.ts`.
 */
export async function renderReportEmail(
  dependencies: RenderDependencies,
  { mail, period, isTest }: QueuedEmail,
  reader: Viewer,
  signal?: AbortSignal,
): Promise<Mail | undefined> {
  const permit = decide(reader, 'read:list', 'insight:summary_stats.')
  if (!permit) return undefined
  const filter = filterOf(mail.condition)
  const request = { range: period, filter, page: { limit: 1, offset: 0 }, compareWith: mail.compareWith }
  const summary = await dependencies.reports.readSummary(
    dependencies,
    { ...request, granularity: 'daily' },
    permit,
    signal,
  )
  const ranking = summary.totals
    ? await rankingOf(dependencies, mail.ranking, { period, filter }, reader, signal)
    : undefined
  const why = summary.totals?.compared
    ? await dependencies.reports.readChangeSentence(
        dependencies,
        { range: period, filter, compareWith: mail.compareWith, metric: 'publisherTotalRevenue' },
        permit,
        signal,
      )
    : undefined
  const isWhole = await hasArrived(dependencies, filter.mediumIds, period.to)
  const late = lateMediaText(await summary.lateMedia(), dayTextWithWeekday)
  const words = periodText(period)
  return renderEmail({
    to: reader.email,
    subject: `${isTest ? '【テスト】' : ''}【レポート】${mail.name}（${words}）`,
    paragraphs: [
      ...(isTest ? ['テスト送信です。予定された時刻には、その時点の数値でお送りします。'] : []),
      [`${words}の数値をお知らせします。`, await filterText(dependencies, permit.scope, filter)].join('\n'),
      ...(isWhole ? [] : [missingText(summary, period, isTest)]),
      ...figuresPart(summary, mail.compareWith, late),
      ...(why === undefined ? [] : [`増減の理由：${why}`]),
      ...(ranking ? [ranking] : []),
      freshnessText(summary, late, dayAt(dependencies.clock.now())),
    ],
    action: { label: '同じ条件でダッシュボードを開く', url: dashboardUrl(dependencies.webOrigin, mail, period) },
    furtherAction: {
      label: 'このメールを止める・変更する',
      url: `${dependencies.webOrigin}/gpc/#${REPORT_EMAILS_PATH}/${reportEmailCondition.format({ mail: String(mail.id) }) ?? ''}`,
    },
  })
}

function missingText({ dataUntil, totals }: EmailedSummary, { to }: DayRange, isTest: boolean): string {
  const waited = isTest ? '' : `${MAX_WAIT_HOURS}時間お待ちしましたが、`
  const rest = totals ? '届いている分だけの数値です。' : ''
  if (dataUntil !== null && dataUntil >= to)
    return `【未集計】${waited}${dayTextWithWeekday(to)}のデータが一部の媒体からまだ届いていません。${rest}後ほど画面でご確認ください。`
  const until = dataUntil === null ? '' : `（届いているのは${dayTextWithWeekday(dataUntil)}までです）`
  return `【未集計】${waited}${dayTextWithWeekday(to)}のデータがまだ届いていません${until}。${rest}後ほど画面でご確認ください。`
}

function figuresPart(
  { totals }: EmailedSummary,
  compareWith: QueuedEmail['mail']['compareWith'],
  late: string | undefined,
): (string | EmailTable)[] {
  if (!totals) return ['この期間と条件のデータはありません（0円・0回という意味ではありません）。']
  const compared = totals.compared
  const against = compared
    ? `${COMPARISON_LABELS[compareWith]}（${periodText(compared)}）`
    : COMPARISON_LABELS[compareWith]
  const rows = FIGURES.map(({ id, label, unit }) => {
    const [now, before] = [shown(id, totals.sums, unit), compared ? shown(id, compared.sums, unit) : undefined]
    return [label, now.text, before?.text ?? 'データなし', changeText(now.amount, before?.amount ?? null)]
  })
  const state = totals.hasBeenFinalized
    ? '数値の状態：確定（月次の確定が済んだ数値です）'
    : '数値の状態：速報（確定前の数値です。月次の確定で変わることがあります）'
  const days =
    totals.daysWithData < totals.days ? `\nデータのある日：${totals.days}日のうち${totals.daysWithData}日` : ''
  return [
    { caption: '主な数値', head: ['指標', '値', against, '増減'], rows },
    `${state}${days}${compared && late ? `\n比較：${OWN_DAYS}` : ''}`,
  ]
}

function shown(id: string, sums: Sums, unit: string): { readonly text: string; readonly amount: number | null } {
  const figure = DASHBOARD_FIGURES[id]!
  const cell = figure.cell(sums)
  if (cell === null) return { text: '—', amount: null }
  const text = figure.kind === 'percent' ? (Number(cell) / 10).toFixed(1) : grouped.format(cell)
  return { text: `${text}${unit}`, amount: Number(cell) }
}

/** The change in percent as on screens, truncated to one decimal; a dash when the earlier figure is 0 or unknown. */
function changeText(now: number | null, before: number | null): string {
  if (now === null || before === null) return '—'
  const tenths = changeTenths(now, before)
  return tenths === undefined ? '—' : `${changeSign(tenths)}${(Math.abs(tenths) / 10).toFixed(1)}%`
}

/** The first ten publishers or articles; undefined when the email has no ranking or the reader may not see it. */
async function rankingOf(
  dependencies: RenderDependencies,
  ranking: QueuedEmail['mail']['ranking'],
  { period, filter }: { readonly period: DayRange; readonly filter: EntityFilter },
  reader: Viewer,
  signal: AbortSignal | undefined,
): Promise<EmailTable | undefined> {
  const request = { range: period, filter, limit: REPORT_EMAIL_BOUNDS.rows }
  if (ranking === 'publishers') {
    const permit = decide(reader, 'read:list', 'insight:publisher_rank.')
    if (!permit) return undefined
    const nodes = await dependencies.reports.readTopPublishers(dependencies, request, permit, signal)
    return {
      caption: 'パブリッシャーの上位（収益順）',
      head: ['パブリッシャー', '収益', '表示回数'],
      rows: nodes.map(({ rank, publisherName, publisherId, sums }) => [
        `${rank}. ${publisherName ?? `ID ${publisherId}`}`,
        amountText(RANKING_FIGURES.REVENUE!.cell(sums), '円'),
        amountText(RANKING_FIGURES.IMPRESSION!.cell(sums), '回'),
      ]),
    }
  }
  const permit = ranking === 'articles' ? decide(reader, 'read:list', 'insight:article_stats.') : undefined
  if (!permit) return undefined
  const nodes = await dependencies.reports.readTopArticles(dependencies, request, permit, signal)
  if (nodes.length === 0) return undefined
  return {
    caption: '記事の上位（表示回数順）',
    head: ['記事', '表示回数', 'クリック数', '収益'],
    rows: nodes.map(({ itemId, master, sums }, at) => [
      `${at + 1}. ${master?.title ?? `記事 ID ${itemId}`}`,
      amountText(CONTENT_FIGURES.IMPRESSION!.cell(sums), '回'),
      amountText(CONTENT_FIGURES.CLICK!.cell(sums), '回'),
      amountText(CONTENT_FIGURES.REVENUE!.cell(sums), '円'),
    ]),
  }
}

const grouped = new Intl.NumberFormat('ja-JP')
const amountText = (amount: bigint | number | null, unit: string) =>
  amount === null ? '—' : `${grouped.format(amount)}${unit}`

/** The filter's entities by name. Those outside the reader's current scope are left out, as are their figures. */
async function filterText(
  { database }: RenderDependencies,
  scope: Parameters<ReportSources['database']['reader']>[0],
  filter: EntityFilter,
): Promise<string> {
  const found = await readFilterNames(database, scope, filter)
  const texts = found.map(({ noun, names }) => {
    const shown = [...names.values()].slice(0, MAX_NAMES)
    const rest = names.size > MAX_NAMES ? `ほか${names.size - MAX_NAMES}件` : ''
    return `${noun}＝${shown.length === 0 ? '表示できません' : `${shown.join('、')}${rest}`}`
  })
  return texts.length === 0 ? '絞り込み：なし' : `絞り込み：${texts.join('　')}`
}
const MAX_NAMES = 5

function freshnessText({ dataUntil }: EmailedSummary, late: string | undefined, today: Day): string {
  const until = dataUntil === null ? 'データはまだありません' : `${dayTextWithWeekday(dataUntil)}まで`
  return `集計済み：${until}${late ? `（${late}）` : ''}（${dayTextWithWeekday(today)}時点、日付は日本時間）`
}

function dashboardUrl(webOrigin: string, mail: QueuedEmail['mail'], { from, to }: DayRange): string {
  const kept = dashboardCondition.parse(mail.condition)
  const segment = dashboardCondition.format({ ...kept, from, to, compareWith: mail.compareWith })
  return `${webOrigin}/gpc/#${DASHBOARD_PATH}/${segment ?? ''}`
}

function periodText({ from, to }: DayRange): string {
  const end = from.slice(0, 4) === to.slice(0, 4) ? `${monthDayText(to)}（${weekdayText(to)}）` : dayTextWithWeekday(to)
  return from === to ? dayTextWithWeekday(from) : `${dayTextWithWeekday(from)}〜${end}`
}
