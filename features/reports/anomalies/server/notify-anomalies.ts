import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { monthDayText, weekdayText } from '@pc/domain/month/day-text.ja.ts'
import { ALERTS_MUTED_KEY } from '@pc/domain/report/alert-preference.ts'
import type { WatchedFigure } from '@pc/domain/report/anomaly.ts'
import { SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { addressesOf, peopleWithRoles } from '@pc/platform/mail/people-with-roles.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { DASHBOARD_PATH } from '../../links.ts'
import type { FoundAnomaly } from './find-anomalies.ts'

export interface NotificationDependencies {
  readonly jobs: Jobs
  readonly webOrigin: string
}

/** Sentences about the cause of anomalies, by `reasonKey`; some have none. */
export type Reasons = ReadonlyMap<string, string>
export const reasonKey = ({ publisherId, figure }: Pick<FoundAnomaly, 'publisherId' | 'figure'>) =>
  `${publisherId} ${figure}`

/** Recipients per organisation, and lines of one email; the dashboard lists all anomalies. */
const MAX_PEOPLE = 20
const MAX_LINES = 20

/**
 * Sends one email to each administrator of a publisher's organisation, unless the person has muted anomalies.
 * Tested by `features/reports/anomalies/server/check-anomalies.test.ts`.
 */
export async function notifyAnomalies(
  { jobs, webOrigin }: NotificationDependencies,
  tx: Transaction,
  mediumId: bigint,
  day: Day,
  begun: readonly FoundAnomaly[],
  reasons: Reasons,
): Promise<void> {
  if (begun.length === 0) return
  const publishers = await tx
    .selectFrom('publishers')
    .select(['id', 'name', 'organizationId'])
    .where('id', 'in', [...new Set(begun.map(one => one.publisherId))])
    .execute()
  const { name: medium } = await tx
    .selectFrom('media')
    .select('name')
    .where('id', '=', mediumId)
    .executeTakeFirstOrThrow()
  for (const [organizationId, own] of Map.groupBy(publishers, one => one.organizationId)) {
    const lines = own.flatMap(({ id, name }) =>
      begun
        .filter(one => one.publisherId === id)
        .map(one => `・${name}：${changeText(one, day)}${reasonLine(reasons.get(reasonKey(one)))}`),
    )
    const email = {
      subject: `数値の急な変化のお知らせ（${medium}、${monthDayText(day)}）`,
      paragraphs: [
        `${medium}の${monthDayText(day)}の数値に、ふだんの${weekdayText(day)}曜日と大きく異なるものがあります。`,
        [...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? [`ほか${lines.length - MAX_LINES}件`] : [])].join(
          '\n',
        ),
        'フィードや記事の配信状況をご確認ください。同じ変化が続いている間は、もう一度お知らせすることはありません。',
        'このお知らせは、ダッシュボードの「急な変化」で止めることができます。',
      ],
      action: {
        label: 'ダッシュボードを開く',
        url: dashboardUrl(
          webOrigin,
          mediumId,
          day,
          own.map(one => one.id),
        ),
      },
    }
    for (const to of await readersOf(tx, organizationId))
      await jobs.enqueue(tx, MAIL_JOB, renderEmail({ to, ...email }))
  }
}

async function readersOf(tx: Transaction, organizationId: bigint): Promise<readonly string[]> {
  const people = await peopleWithRoles(tx, rolesOf('publisher', 'administers'), { organizationId })
    .leftJoin('preferences as p', join => join.onRef('p.uid', '=', 'u.uid').on('p.key', '=', ALERTS_MUTED_KEY))
    .where(sql<boolean>`p.value is distinct from 'true'::jsonb`)
    .limit(MAX_PEOPLE)
    .execute()
  return addressesOf(people)
}

const LABELS = {
  impressions: SUMMARY_METRICS.impressions.label,
  clicks: SUMMARY_METRICS.clicks.label,
  revenue: SUMMARY_METRICS.publisherTotalRevenue.label,
} as const satisfies Record<WatchedFigure, string>
const grouped = new Intl.NumberFormat('ja-JP')

function changeText({ figure, direction, value, usual }: FoundAnomaly, day: Day): string {
  const amount = (given: bigint) =>
    figure === 'revenue' ? `${grouped.format(given / MICRO_YEN_PER_YEN)}円` : `${grouped.format(given)}回`
  const weekday = `${weekdayText(day)}曜日`
  return `${LABELS[figure]}が${direction === 'drop' ? '減りました' : '増えました'}。${amount(value)}（ふだんの${weekday}は${amount(usual)}）`
}

const reasonLine = (reason: string | undefined) =>
  reason === undefined ? '' : `\n　前の週の同じ曜日との比較では、${reason}`

/** The address of the dashboard, filtered to the publishers and the two weeks up to the day. */
function dashboardUrl(webOrigin: string, mediumId: bigint, day: Day, publisherIds: readonly bigint[]): string {
  const segment = dashboardCondition.format({
    ...dashboardCondition.defaults,
    ...{ from: addDays(day, -13), to: day, mediumId: [String(mediumId)] },
    // More than five ids could make an address that mail programs cut off: the link then has no such filter.
    publisherId: publisherIds.length > 5 ? [] : publisherIds.map(String),
  })
  return `${webOrigin}/gpc/#${DASHBOARD_PATH}/${segment ?? ''}`
}
